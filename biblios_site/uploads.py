from typing import Any, NoReturn

from django.core.exceptions import SuspiciousOperation
from django.core.files.uploadhandler import FileUploadHandler


class Refuse(FileUploadHandler):
    """Refuses all uploads: the answer is 400, and no file is written."""

    def new_file(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise SuspiciousOperation("A file was sent to a site that takes none.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        return None

    def file_complete(self, file_size: int) -> None:
        return None
