"""Days and times in templates, in every one without loading."""

from django import template

from accounts import moments

register = template.Library()
for told in (moments.day, moments.short_day, moments.time_of_day, moments.full, moments.moment, moments.when):
    register.filter(told.__name__, told)
register.simple_tag(moments.days_are_of)
