"""Days and times in templates, in every one without loading."""

from django import template

from accounts.web import datetimes

register = template.Library()
for told in (
    datetimes.day,
    datetimes.short_day,
    datetimes.time_of_day,
    datetimes.full,
    datetimes.moment,
    datetimes.when,
):
    register.filter(told.__name__, told)
register.simple_tag(datetimes.days_are_of)
