from pathlib import Path
from typing import Any

from django.conf import settings
from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = r"""(?P<matched>(?P<what>\b(?:import|export)\b[^"';]*)"(?P<url>\.{1,2}/[^"]+)";)"""


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise has no types
    """Static files under names with a hash of their content, also where our scripts import each other."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Django's own way does so in the scripts of packages too, and stumbles over their comments.
        folders = [folder.name for root in settings.STATICFILES_DIRS for folder in Path(root).iterdir()]
        ours = [(f"{folder}/*.js", ((IMPORT, '%(what)s"%(url)s";'),)) for folder in sorted(set(folders))]
        self.patterns = (*CompressedManifestStaticFilesStorage.patterns, *ours)
        super().__init__(*args, **kwargs)
