"""The verbs of Siteseer as functions; `siteseer` itself offers them by name, loaded on first use."""
