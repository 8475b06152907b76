"""What an integrator does, with the client that openapi-python-client generated. Prints one line for each story."""

import io
import os
import sys
import time

import httpx
from octavo_generated import AuthenticatedClient
from octavo_generated.api.documents import documents_create, documents_get, documents_list
from octavo_generated.api.files import files_contents, files_create, files_link
from octavo_generated.models import Document, ErrorResponse, FileForm, FileSource, NewDocument
from octavo_generated.types import UNSET, File

TEXT = b"The rent is 900 a month."
client = AuthenticatedClient(f"{os.environ['OCTAVO_URL']}/api/v1", os.environ["OCTAVO_API_KEY"])
client = client.with_timeout(httpx.Timeout(60))


def check(is_right, what):
    if not is_right:
        raise AssertionError(repr(what)[:300])


def upload():
    form = FileForm(file=File(payload=io.BytesIO(TEXT), file_name="lease.txt", mime_type="text/plain"))
    file = files_create.sync(client=client, body=form)
    check(getattr(file, "size_bytes", None) == len(TEXT), file)
    return file


def create(file):
    source = FileSource(file_id=file.id, type_="file")
    document = documents_create.sync(client=client, body=NewDocument(title="Lease", source=source))
    check(isinstance(document, Document), document)
    return document


def wait(document):
    deadline = time.monotonic() + 120
    while str(document.status) == "processing" and time.monotonic() < deadline:
        document = documents_get.sync(document.id, client=client, prefer="wait=20")
    check(str(document.status) == "ready", document)


def page(first):
    second = documents_create.sync(client=client, body=NewDocument(title="Second"))
    seen, cursor = [], UNSET
    while True:
        part = documents_list.sync(client=client, limit=1, cursor=cursor)
        seen += [document.id for document in part.data]
        if not part.has_next_page:
            break
        cursor = part.cursor
    check(seen == [second.id, first.id], seen)


def download(file):
    bytes_ = files_contents.sync(file.id, client=client)
    check(bytes_.payload.read() == TEXT, bytes_)
    link = files_link.sync(file.id, client=client)
    check(httpx.get(link.url).content == TEXT, link)


def read_error():
    error = documents_get.sync("doc_01h455vb4pex5vsknk084sn02q", client=client)
    check(isinstance(error, ErrorResponse) and str(error.code) == "not_found", error)


def tell(name, story):
    try:
        result = story()
        print(f"PASSED {name}")
        return result
    except Exception as error:
        print(f"FAILED {name}: {type(error).__name__} {error}".replace("\n", " "))
        sys.exit(1)


file = tell("upload", upload)
document = tell("create", lambda: create(file))
tell("wait", lambda: wait(document))
tell("page", lambda: page(document))
tell("download", lambda: download(file))
tell("error", read_error)
