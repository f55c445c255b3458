"""The strategy `focused`: any other strategy, led by a campaign's definition of what is looked for."""
