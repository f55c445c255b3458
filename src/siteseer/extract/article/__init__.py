"""Extracts the articles of pages (main content extraction): weighs each page's text blocks by all evidence."""

from siteseer.extract.article.article_extractor import Article, article, articles
from siteseer.extract.article.prior_knowledge import Facts, Hint

__all__ = ["Article", "Facts", "Hint", "article", "articles"]
