"""Numbers in templates, in every one without loading: those that `{{ n }}` alone does not say."""

from django import template

from accounts.text import numbers

register = template.Library()
register.filter("percent", numbers.percent)
register.filter("signed", numbers.signed)
register.filter("digits", numbers.digits)
