"""Proposes pages for the final archive, and packages the accepted ones."""
