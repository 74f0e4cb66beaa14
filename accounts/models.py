from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person who plays. No two names differ in case only; the e-mail address is optional."""

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="accounts_user_username_any_case",
                violation_error_message=_("A user with that username already exists."),
            ),
        ]
