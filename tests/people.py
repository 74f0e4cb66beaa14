"""People to test with. `ann`, `bob`, `dan`, `eve` and so on play; `cho` is the outsider."""

from accounts.models import User


def person(name, **fields):
    """The user of this name, made if there is none."""
    return User.objects.filter(folded=name.casefold()).first() or User.objects.create_user(name, **fields)
