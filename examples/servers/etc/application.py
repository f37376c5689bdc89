"""The files below www, as an application of ASGI."""
import pathlib

DOCUMENTS = {f"/{path.relative_to('www')}": path.read_bytes() for path in pathlib.Path("www").rglob("*") if path.is_file()}


async def application(scope, receive, send):
    body = DOCUMENTS.get(scope["path"])
    status = 404 if body is None else 200
    headers = [(b"content-length", str(len(body or b"")).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body or b""})
