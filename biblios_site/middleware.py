from django.http import HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"
)
ABILITIES = (
    *("accelerometer", "camera", "display-capture", "encrypted-media", "fullscreen", "gamepad", "geolocation"),
    *("gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment"),
    *("picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
)
"""What browsers can do and these pages do not. (They copy to the clipboard and, after a press, make sounds.)"""


def headers(get_response):
    """Every answer forbids what its page does not need: inline script and style, whatever comes from elsewhere, to be
    shown or read elsewhere, the abilities of the device. What does not say otherwise is kept by its browser alone.

    What an answer says itself of these things stays: the one page that others may show in a frame does.
    """
    fixed = {
        "Content-Security-Policy": POLICY,
        "Permissions-Policy": ", ".join(f"{ability}=()" for ability in ABILITIES),
        "Cross-Origin-Resource-Policy": "same-origin",
    }

    def middleware(request):
        response = get_response(request)
        for name, value in fixed.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "private, no-cache")
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
