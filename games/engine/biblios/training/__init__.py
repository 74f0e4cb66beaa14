"""How what the bots and samples know is learned from games: for programs that are run by hand, never at play."""
