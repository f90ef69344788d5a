"""A listener apart from that of the players, with the few documents that only operators need. It runs in a thread."""

import socket
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REQUEST_SECONDS = 10.0  # for a request to arrive

Documents = dict[str, Callable[[], tuple[bytes, str]]]  # by path: functions that return the document and its type


def serve_documents(listener: socket.socket, documents: Mapping[str, Callable[[], tuple[bytes, str]]]) -> None:
    """Serve the documents until the process ends."""

    class Handler(BaseHTTPRequestHandler):
        timeout = REQUEST_SECONDS

        def do_GET(self) -> None:
            document = documents.get(self.path.partition("?")[0])
            if document is None:
                self.send_error(404)
                return
            body, media_type = document()
            self.send_response(200)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Log nothing: these requests come every few seconds."""

    server = ThreadingHTTPServer(("", 0), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listener
    threading.Thread(target=server.serve_forever, name="operators", daemon=True).start()
