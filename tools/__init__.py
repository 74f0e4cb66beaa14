"""What proves and rehearses the site, beside it: nothing of the site imports this."""
