"""Recognises lists over several pages (pagination): page links, position, length."""
