"""The learned strategy: crawls an unknown site, and learns while crawling which links lead to content."""
