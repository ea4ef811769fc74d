#!/usr/bin/env python3
# sign.py: signs one GET request (RFC 9421, Ed25519), sends it and prints the answer.
# Python 3.8 or later and OpenSSL 3 on the PATH, no packages. Usage: python3 sign.py [url]
import base64, hashlib, os, subprocess, sys, tempfile, time, uuid
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

url = sys.argv[1] if len(sys.argv) > 1 else "{base_url}/api/whoami"
key_file = "agent-key.pem"


def openssl(*arguments: str) -> bytes:
    return subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.PIPE).stdout


def sign(text: str) -> str:
    # OpenSSL signs Ed25519 from a file, not from a pipe.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "base.txt")
        with open(path, "wb") as file:
            file.write(text.encode("ascii"))
        signature = openssl("pkeyutl", "-sign", "-rawin", "-inkey", key_file, "-in", path)
    return base64.b64encode(signature).decode()


# 1. The key. It is your identity: keep the file, and keep it private.
if not os.path.exists(key_file):
    openssl("genpkey", "-algorithm", "ed25519", "-out", key_file)
    os.chmod(key_file, 0o600)
public_pem = openssl("pkey", "-in", key_file, "-pubout")
public_der = openssl("pkey", "-in", key_file, "-pubout", "-outform", "DER")
keyid = base64.urlsafe_b64encode(hashlib.sha256(public_der).digest()).rstrip(b"=").decode()

# 2. What is signed: method, host and path, then the parameters. No line feed at the end.
# The nonce keeps two requests of one second apart: Ed25519 gives the same signature for the same text.
target = urlsplit(url)
default_port = {"http": 80, "https": 443}.get(target.scheme)
authority = target.netloc.lower()
if target.port is not None and target.port == default_port:
    authority = authority.rsplit(":", 1)[0]
parameters = (
    f'("@method" "@authority" "@path");created={int(time.time())}'
    f';keyid="{keyid}";alg="ed25519";nonce="{uuid.uuid4()}";tag="web-bot-auth"'
)
base = "\n".join(
    [
        '"@method": GET',
        f'"@authority": {authority}',
        f'"@path": {target.path or "/"}',
        f'"@signature-params": {parameters}',
    ]
)

# 3. Three headers, good for one request within 300 seconds.
headers = {
    "Signature-Input": f"sig1={parameters}",
    "Signature": f"sig1=:{sign(base)}:",
    "Signature-Key": base64.b64encode(public_pem).decode(),
}
try:
    with urlopen(Request(url, headers=headers)) as response:
        print(response.read().decode())
except HTTPError as error:
    print(error.read().decode())
