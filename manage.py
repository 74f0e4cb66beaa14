#!/usr/bin/env python
import gc
import os
import sys

if __name__ == "__main__":
    # Nothing of what is imported becomes garbage, and looking for it takes a tenth of the start.
    gc.set_threshold(50_000)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "biblios_site.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"The settings are wrong: {error}")
