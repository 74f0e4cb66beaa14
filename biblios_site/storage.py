from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = r"""(?P<matched>(?P<what>\b(?:import|export)\b[^"';]*)"(?P<url>\./[^"]+)";)"""


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Static files under names with a hash of their content, also where our scripts import each other."""

    # Django's own way does so in the scripts of packages too, and stumbles over their comments.
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", ((IMPORT, '%(what)s"%(url)s";'),)))
