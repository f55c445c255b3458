"""A plain site on loopback for measuring crawlers: numbered pages of prose, each linking to others."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

WORDS = [f"{a}{b}{c}" for a in "bdfglmnprst" for b in "aeiou" for c in ("n", "rt", "ling", "sto", "ra", "mi", "der")]


def page(number: int, pages: int, fresh_links: int) -> bytes:
    """Return page `number`: about 25 KB, 70 links of which `fresh_links` no other page has."""
    draw = random.Random(number)
    menu = "".join(f'<li class="menu"><a href="/page/{n}.html">Section {n}</a></li>' for n in range(30))
    near = "".join(
        f'<tr><td><a href="/page/{n % pages}.html" class="t">{draw.choice(WORDS)} {draw.choice(WORDS)}</a></td><td>{n}</td></tr>'
        for n in range(number * 2, number * 2 + 40)
    )
    new = "".join(f'<a href="/far/{number}/{n}.html">{n}</a> ' for n in range(fresh_links))
    text = "".join(f"<p>{' '.join(draw.choices(WORDS, k=45))}.</p>\n" for _ in range(12))
    filler = "<div class='box'><span class='a'></span><span class='b'>x</span></div>\n" * 150
    return (
        f"<!DOCTYPE html><html><head><title>Page {number}</title></head><body><ul>{menu}</ul><table>{near}</table>"
        f"<div class='body'>{text}</div>{new}{filler}</body></html>"
    ).encode()


async def _serve(listener: socket.socket, pages: int, fresh_links: int) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1].decode()
                name = path.rpartition("/")[2].removesuffix(".html")
                known = path == "/" or (path.startswith("/page/") and name.isdigit())
                body = page(int(name or 0), pages, fresh_links) if known else b"nothing"
                status = "200 OK" if known else "404 Not Found"
                writer.write(
                    f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                    + body
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, sock=listener)
    async with server:
        await server.serve_forever()


def _main(listener: socket.socket, pages: int, fresh_links: int) -> None:
    try:
        asyncio.run(_serve(listener, pages, fresh_links))
    except KeyboardInterrupt:
        sys.exit(0)


@contextmanager
def local_site(pages: int, fresh_links: int = 0) -> Iterator[str]:
    """Serve in a process of its own, so that its cost is not counted as the crawler's."""
    listener = socket.create_server(("127.0.0.1", 0))
    process = multiprocessing.get_context("fork").Process(
        target=_main, args=(listener, pages, fresh_links), daemon=True
    )
    process.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        process.terminate()
        process.join()
        listener.close()
