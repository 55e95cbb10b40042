"""A server on loopback that stands where a tool sends its traces, and keeps what it is sent."""

import gzip
import http.server
import json
import threading


class Recorder:
    """Keeps every POST and PATCH as (path, body), uncompressed.

    answer is called with the path and the body of each request (b"" for GET) and
    returns a value that is sent as JSON, or bytes that are sent as they are.
    """

    def __init__(self, answer):
        self.requests = []
        kept = self.requests

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def body(self):
                if self.headers.get("Transfer-Encoding") == "chunked":
                    parts = []
                    while size := int(self.rfile.readline(), 16):
                        parts.append(self.rfile.read(size))
                        self.rfile.readline()
                    self.rfile.readline()
                    held = b"".join(parts)
                else:
                    held = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                return gzip.decompress(held) if self.headers.get("Content-Encoding") == "gzip" else held

            def reply(self, body):
                value = answer(self.path, body)
                sent = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            def do_GET(self):
                self.reply(b"")

            def do_POST(self):
                body = self.body()
                kept.append((self.path, body))
                self.reply(body)

            do_PATCH = do_POST

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
