"""Makes the database of a collection again from what is left: its readable rows, WARC files, logs and reports."""
