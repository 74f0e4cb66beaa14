"""Ex Libris by Adam P. McIver: a game of books, assistants and shelves."""
