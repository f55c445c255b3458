"""Pages in, their articles out: the blocks of text of each page weighed by all evidence."""
