"""Pages as trees: how far apart two pages are (RTDM), where they differ, and the signature that tells page kinds."""
