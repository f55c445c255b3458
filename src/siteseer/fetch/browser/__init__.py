"""Browsers: Chromium, driven by Playwright, and a browser without scripts."""
