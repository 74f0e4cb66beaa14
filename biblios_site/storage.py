from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = r"""(?P<matched>(?P<what>\b(?:import|export)\b[^"';]*)"(?P<url>\./[^"]+)";)"""


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Static files under names with a hash of their content, also where our scripts import each other."""

    # Django's own way also rewrites the scripts of packages, and stumbles over their comments.
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", ((IMPORT, '%(what)s"%(url)s";'),)))
