from django.http import HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"
)


def content_security_policy(get_response):
    """Every answer forbids inline script and style and everything that comes from elsewhere."""

    def middleware(request):
        response = get_response(request)
        response["Content-Security-Policy"] = POLICY
        return response

    return middleware


class StaticFiles(WhiteNoiseMiddleware):
    """Serves the static files, each read at once.

    WhiteNoise streams them with a synchronous iterator, which Django warns of under ASGI.
    """

    @staticmethod
    def serve(static_file, request):
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file:
            with found.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        return response
