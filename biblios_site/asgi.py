import os
import sys
from typing import cast

from asgiref.typing import ASGI3Application
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "biblios_site.settings")
http = cast(ASGI3Application, get_asgi_application())

from channels.routing import ProtocolTypeRouter  # noqa: E402  (needs the apps that Django has just loaded)

from biblios_site.bounds import small  # noqa: E402
from biblios_site.health import health  # noqa: E402
from biblios_site.sockets import bounded, same_origin  # noqa: E402
from biblios_site.stalls import keep, watched  # noqa: E402
from biblios_site.timed import timed  # noqa: E402
from biblios_site.turns import in_turn  # noqa: E402
from games.routing import page_at  # noqa: E402

application = watched(
    ProtocolTypeRouter(
        {
            "http": health(timed(small(in_turn(http)))),
            "websocket": same_origin(bounded(page_at)),
        }
    )
)
keep()
if "daphne.cli" in sys.modules:
    # It has imported this module, and looks for its server only now.
    from biblios_site.daphne import lighten

    lighten()
