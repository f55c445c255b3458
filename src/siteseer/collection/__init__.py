"""The directory of a collection: state, objects, RDF, word index, lock."""
