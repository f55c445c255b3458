"""The example strategy: crawls all pages that are built like a few samples (structure-driven crawling)."""
