"""The form for a webhook of a club."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import Form
from games.feeds.models import LONGEST_ADDRESS, Webhook
from games.feeds.news import TOPICS


class WebhookForm(Form):
    """A webhook: where to, in which form, and of what."""

    name = "webhook"
    refusals = "address"
    address = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_ADDRESS,
        widget=forms.URLInput({"placeholder": "https://", "autocomplete": "off", "dir": "ltr"}),
        help_text=_("In Discord: Edit channel, Integrations, Webhooks, Copy webhook URL."),
    )
    format = forms.ChoiceField(
        label=_("Format"), widget=forms.RadioSelect, choices=Webhook.Format.choices, initial=Webhook.Format.DISCORD
    )
    topics = forms.MultipleChoiceField(
        label=_("What it’s told"),
        widget=forms.CheckboxSelectMultiple,
        choices=list(TOPICS.items()),
        initial=list(TOPICS),
    )
