"""What is written only for a while."""

from contextlib import contextmanager

from django.db import transaction


@contextmanager
def undone():
    """Whatever is written meanwhile is taken back at the end."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
