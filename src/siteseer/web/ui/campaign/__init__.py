"""The parts of the campaign view."""
