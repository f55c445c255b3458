"""Pages in, their articles out: the blocks of text of each page weighed by all evidence."""

from siteseer.extract.article.extractor import Article, article, articles
from siteseer.extract.article.hints import Facts, Hint

__all__ = ["Article", "Facts", "Hint", "article", "articles"]
