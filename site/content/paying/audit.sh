#!/usr/bin/env bash
# audit.sh: audits a site, and pays with the demonstration payment once the free audits are used up. No money moves.
# curl and Python 3, no packages. Usage: bash audit.sh <address of the site> [base address]
set -euo pipefail

target=${1:?'which site? bash audit.sh https://example.com/'}
site=${2:-'{base_url}'}
field() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
audit() {
  curl -s -o answer.json -w '%{http_code}' "$site/api/audit" \
    -H 'Content-Type: application/json' -H 'Accept: application/json' "$@" -d "{\"url\": \"$target\"}"
}

# 1. Ask. While an audit is free, this is all there is to it.
status=$(audit)

if [ "$status" = 402 ]; then
  # 2. Pay the quote that came with the 402.
  quote=$(field quote < answer.json)
  payment=$(curl -s "$site/api/pay" -H 'Content-Type: application/json' -d "{\"quote\": \"$quote\"}" | field payment)
  # 3. Ask again, with the payment. An audit that ends without a result gives it back.
  status=$(audit -H "X-Payment: $payment")
fi

cat answer.json
echo
test "$status" = 200
