"""What commands take: the options of each, of every command, and the pages that they name."""
