#!/usr/bin/env bash
# pay.sh: buys the playbook with the demonstration payment. No money moves.
# curl and Python 3, no packages. Usage: bash pay.sh [base address]
set -euo pipefail

site=${1:-'{base_url}'}
field() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }

# 1. Ask. The answer is 402, and its body holds a quote, which is good for ten minutes.
quote=$(curl -s -H 'Accept: application/json' "$site/api/premium/playbook" | field quote)

# 2. Pay the quote. The answer holds the payment, which is good for ten minutes.
payment=$(curl -s "$site/api/pay" -H 'Content-Type: application/json' -d "{\"quote\": \"$quote\"}" | field payment)

# 3. Ask again, with the payment. Without the Accept header it comes as JSON.
curl -sf -H 'Accept: text/markdown' -H "X-Payment: $payment" "$site/api/premium/playbook"
