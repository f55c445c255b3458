"""Maps the fields of a form to the columns of its records, and learns how each field searches."""
