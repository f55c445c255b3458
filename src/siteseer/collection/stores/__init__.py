"""Where a collection is kept besides: storage for its files, a SPARQL endpoint for its objects."""
