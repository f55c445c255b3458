"""Understands search forms and the records behind them (deep Web): output schema, field mapping, alignment."""
