"""Sites over TLS on loopback, with certificates that tests make: good ones, and bad ones of every kind."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.crawler.small_site import SmallSite

NOW = datetime.now(UTC)


@dataclass(frozen=True)
class Authority:
    """Signs certificates; whoever names its file in SSL_CERT_FILE trusts them."""

    folder: Path
    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @classmethod
    def make(cls, folder: Path) -> Authority:
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name("Authority of the tests")
        made = _builder(name, name, key, NOW + timedelta(days=30)).add_extension(
            x509.BasicConstraints(True, None), True
        )
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        made = made.add_extension(usage, True)
        certificate = made.sign(key, SHA256())
        (folder / "authority.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
        return cls(folder, key, certificate)

    @property
    def file(self) -> Path:
        return self.folder / "authority.pem"

    def certify(self, kind: str) -> Path:
        """Return a file of key and certificate: `good`, `self-signed`, `expired` or `other-host`."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = _name("127.0.0.1")
        issuer = subject if kind == "self-signed" else self.certificate.subject
        until = NOW - timedelta(days=1) if kind == "expired" else NOW + timedelta(days=10)
        names: list[x509.GeneralName] = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
        if kind == "other-host":
            names = [x509.DNSName("elsewhere.example")]
        made = _builder(subject, issuer, key, until).add_extension(x509.SubjectAlternativeName(names), False)
        certificate = made.sign(key if kind == "self-signed" else self.key, SHA256())
        file = self.folder / f"{kind}.pem"
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        file.write_bytes(private + certificate.public_bytes(Encoding.PEM))
        return file


class TlsSite(SmallSite):
    """A small site over TLS."""

    def __init__(self, answer: Any, certificate: Path) -> None:
        super().__init__(answer)
        self.certificate = certificate

    def __enter__(self) -> TlsSite:
        super().__enter__()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = self.url.replace("http:", "https:")
        return self


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, until: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=20))
        .not_valid_after(until)
    )
