#!/usr/bin/env bash
# sign.sh: signs one GET request (RFC 9421, Ed25519), sends it and prints the answer.
# OpenSSL 3 or later and curl. Usage: bash sign.sh [url]
set -euo pipefail

url=${1:-'{base_url}/api/whoami'}
key=agent-key.pem
case $(openssl version) in
  'OpenSSL 0'* | 'OpenSSL 1'* | LibreSSL*) echo "OpenSSL 3 or later is needed, found: $(openssl version)" >&2; exit 1 ;;
esac

# 1. The key. It is your identity: keep the file, and keep it private.
umask 077
test -f "$key" || openssl genpkey -algorithm ed25519 -out "$key"
keyid=$(openssl pkey -in "$key" -pubout -outform DER | openssl dgst -sha256 -binary |
  openssl base64 -A | tr '+/' '-_' | tr -d '=')

# 2. What is signed: method, host and path, then the parameters. No line feed at the end.
# The nonce keeps two requests of one second apart: Ed25519 gives the same signature for the same text.
scheme=${url%%://*}
rest=${url#*://}
rest=${rest%%[?#]*}
authority=$(printf '%s' "${rest%%/*}" | tr '[:upper:]' '[:lower:]')
path=/${rest#*/}
if [ "$rest" = "${rest%%/*}" ]; then path=/; fi
if [ "$scheme" = http ]; then authority=${authority%:80}; else authority=${authority%:443}; fi
params="(\"@method\" \"@authority\" \"@path\");created=$(date +%s);keyid=\"$keyid\""
params="$params;alg=\"ed25519\";nonce=\"$(openssl rand -hex 16)\";tag=\"web-bot-auth\""
base=$(mktemp)
trap 'rm -f "$base"' EXIT
printf '"@method": GET\n"@authority": %s\n"@path": %s\n"@signature-params": %s' \
  "$authority" "$path" "$params" > "$base"
signature=$(openssl pkeyutl -sign -rawin -inkey "$key" -in "$base" | openssl base64 -A)

# 3. Three headers, good for one request within 300 seconds.
curl -s "$url" \
  -H "Signature-Input: sig1=$params" \
  -H "Signature: sig1=:$signature:" \
  -H "Signature-Key: $(openssl pkey -in "$key" -pubout | openssl base64 -A)"
echo
