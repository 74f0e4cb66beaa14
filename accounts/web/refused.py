class Refused(Exception):
    """The request is not possible; the text tells a person why."""
