"""Stores the Web objects of a collection, searches them, cites them, and writes them in many formats."""
