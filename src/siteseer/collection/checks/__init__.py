"""The checks of `verify` besides the bytes of WARC files: database, derived files, objects, WACZ packages."""
