"""The strategy `focused` (focused crawling): any other strategy, guided by the relevance to a campaign's topic."""
