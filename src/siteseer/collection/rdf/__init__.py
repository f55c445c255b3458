"""The semantic store of a collection: vocabulary, triples, SPARQL."""
