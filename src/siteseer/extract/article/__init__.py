"""Pages in, their articles out: the blocks of text of each page weighed by all evidence."""

from siteseer.extract.article.extractor import Article, Hint, article, articles

__all__ = ["Article", "Hint", "article", "articles"]
