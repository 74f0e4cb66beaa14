class Refused(Exception):
    """What was asked for is not possible; the text says why, to a person."""
