"""Crawls the slices of a campaign: in this process, in several, or on other machines by Celery."""
