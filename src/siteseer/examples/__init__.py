"""More pages like this one: what samples have in common, URL patterns, the map of target pages, navigation patterns."""
