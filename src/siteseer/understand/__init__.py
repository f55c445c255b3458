"""A search form and the pages that answer it in, what it asks for and what it knows out.

Reference: M. Oita, Deriving Semantic Objects from the Structured Web, PhD thesis, Télécom ParisTech, 2012, chapter 3:
form analysis and probing, records, output schema, mapping to the fields, labelled graph, alignment, enrichment.
"""
