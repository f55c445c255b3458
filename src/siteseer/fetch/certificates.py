"""Verifies TLS certificates everywhere; a host that cannot be verified gets no secrets, or no request at all.

`lenient` reads hosts with a bad certificate all the same, where no credentials go there, and says so: much of the old
Web would be lost otherwise. `strict` refuses them always.
"""

from __future__ import annotations

import os
import ssl
from functools import cache
from pathlib import Path

import certifi

from siteseer.errors import FetchError
from siteseer.page.urls import host_of

TLS = ("lenient", "strict")
UNTRUSTED = "cannot be verified"
"""What is said of a certificate, and by which refusals for its sake are known."""


class CertificateError(FetchError):
    """A host was refused because of its certificate."""


def trusted_context() -> ssl.SSLContext:
    """Return what verifies certificates: the system's authorities, or those of SSL_CERT_FILE and SSL_CERT_DIR."""
    return _context(os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", ""))


@cache
def _context(file: str, folder: str) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if not has_authorities(ssl.get_default_verify_paths()):
        context.load_verify_locations(certifi.where())
    return context


def has_authorities(paths: ssl.DefaultVerifyPaths) -> bool:
    """Say whether this machine knows any authority; some installations of Python come without."""
    return paths.cafile is not None or (paths.capath is not None and any(Path(paths.capath).iterdir()))


def reason_of(error: ssl.SSLCertVerificationError) -> str:
    """Return why a certificate was not accepted, in the words of the library."""
    return (error.verify_message or str(error)).rstrip(".")


def refusal(url: str, reason: str, tls: str) -> CertificateError:
    """Return the error for a host that is refused under this policy."""
    why = "--tls strict refuses it" if tls == "strict" else "your header, cookie or login is not sent there"
    return CertificateError(f"the certificate of {host_of(url)} {UNTRUSTED} ({reason}); {why}")
