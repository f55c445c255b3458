"""Learns the vocabulary of a topic from a reference crawl."""
