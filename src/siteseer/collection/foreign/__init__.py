"""WARC files of other tools, taken into a collection: their bytes, and a row of the database for each capture."""
