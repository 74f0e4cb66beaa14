"""Biblios by Steve Finn, for 2 to 4 players."""
