from django.conf import settings


def source(request) -> dict[str, str]:
    """Where the source code of this server is: the licence makes every page offer it."""
    return {"source_url": settings.SOURCE_URL}
