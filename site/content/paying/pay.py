#!/usr/bin/env python3
# pay.py: buys the playbook with the demonstration payment and prints its chapters. No money moves.
# Python 3.8 or later, no packages. Usage: python3 pay.py [base address]
import json, sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

site = sys.argv[1] if len(sys.argv) > 1 else "{base_url}"


def ask(path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    request = Request(site + path, data, {"Accept": "application/json", "Content-Type": "application/json", **headers})
    try:
        with urlopen(request) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        return error.code, json.load(error)


# 1. Ask. The answer is 402, and its body holds a quote.
status, answer = ask("/api/premium/playbook")
if status == 402:
    # 2. Pay the quote.
    status, paid = ask("/api/pay", {"quote": answer["quote"]})
    # 3. Ask again, with the payment.
    status, answer = ask("/api/premium/playbook", **{"X-Payment": paid["payment"]})
if status != 200:
    sys.exit(answer["detail"])
for chapter in answer["chapters"]:
    print(chapter["title"])
print("paid", answer["payment"]["amount_usd"], "USD in a demonstration")
