"""What `verifylogs` says."""

from io import StringIO

from django.core.management import CommandError, call_command


def verify(*arguments: str) -> tuple[str, bool]:
    """What the command says, and whether it found a fault."""
    out = StringIO()
    try:
        call_command("verifylogs", *arguments, stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error}", True
    return out.getvalue(), False
