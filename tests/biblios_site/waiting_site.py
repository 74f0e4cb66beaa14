"""The site with one more page, whose answer waits until a test lets it go; settings and addresses in one."""

import os
import socket

from django.http import HttpResponse
from django.urls import path

from biblios_site.settings import *  # noqa: F403

ROOT_URLCONF = __name__


def wait(request):
    with socket.create_connection(("127.0.0.1", int(os.environ["TEST_PORT"]))) as test:
        test.recv(1)
    return HttpResponse("at last")


urlpatterns = [path("wait", wait)]
