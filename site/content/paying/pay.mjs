// pay.mjs: sends a request, pays with the demonstration payment when the answer is 402, and prints the result.
// No money moves. Node 20 or later, no packages.
// Usage: node pay.mjs [path], for the playbook; node pay.mjs /api/audit https://example.com/ for an audit.
const site = process.env.PORCHLIGHT ?? '{base_url}';
const [path = '/api/premium/playbook', target] = process.argv.slice(2);

const ask = (to, body, headers = {}) =>
  fetch(`${site}${to}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

// 1. Ask. A price is answered with 402 and a quote.
const input = target === undefined ? undefined : { url: target };
let response = await ask(path, input);

if (response.status === 402) {
  const { detail, quote, how_to_pay } = await response.json();
  console.error(detail);
  // 2. Pay the quote. `header` names the request header that the payment goes into.
  const { header, payment } = await (await ask(how_to_pay.path, { quote })).json();
  // 3. Ask again, with the payment.
  response = await ask(path, input, { [header]: payment });
}

console.log(JSON.stringify(await response.json(), null, 2));
process.exitCode = response.ok ? 0 : 1;
