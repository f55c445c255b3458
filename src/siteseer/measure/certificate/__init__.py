"""The coverage certificate: estimates what the skipped URLs would have brought."""
