import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck } from '../../check.ts';
import { headerOf } from '../../facts/headers.ts';
import { find, findStrings, jsonOf, toJson } from '../../facts/json.ts';
import { isGone } from '../../judging/advertisements.ts';
import { isText } from '../../judging/claims.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { byShare, type Judged, notApplicable, requireFile } from '../../judging/verdicts.ts';

/** The demand for payment of x402: in the header of version 2, else in the body. */
function demandOf(exchange: Exchange): unknown {
  const header = headerOf(exchange, 'payment-required');
  const inHeader = header === null ? null : toJson(Buffer.from(header.slice(0, 65_536), 'base64').toString()).value;
  return inHeader ?? jsonOf(exchange).value;
}

/** True for a way to pay that names how, how much and to whom. */
const canBePaid = (way: unknown): boolean =>
  ['scheme', 'network', 'payTo'].every((key) => findStrings(way, key).some(isText)) &&
  ['amount', 'maxAmountRequired'].some((key) => findStrings(way, key).some((amount) => /^\d+$/.test(amount)));

function judgeAnswer(exchange: Exchange): Judged | null {
  const scheme = /\b(?:L402|LSAT|Payment)\b[^,]*/.exec(headerOf(exchange, 'www-authenticate') ?? '')?.[0];
  if (isGone(exchange)) {
    return { credit: 0, line: lineOf(exchange, 'A description gives this address a price, and it is not there.') };
  }
  if (exchange.status !== 402) {
    return null;
  }
  const demand = demandOf(exchange);
  const ways = find(demand, 'accepts', '*');
  const known = [1, 2].includes(Number(find(demand, 'x402Version')[0]));
  const good = (known && ways.some(canBePaid)) || scheme !== undefined;
  const note = good
    ? scheme === undefined
      ? `x402 version ${String(find(demand, 'x402Version')[0])}; ways to pay: ${ways.length}.`
      : 'The header says how to pay.'
    : 'The status says that payment is due, and nothing that a program reads says how.';
  return {
    credit: good ? 1 : 0.5,
    line: lineOf(exchange, note, {
      header: scheme === undefined ? 'payment-required' : 'www-authenticate',
      excerpt: exchange.body.slice(0, 200),
    }),
  };
}

/** Whether a demand for payment can be acted on by a program. */
export const paymentRequired = defineCheck({
  id: 'payment-required',
  technique: 'agent-api',
  topic: 'Payment',
  titles: {
    pass: 'A demand for payment says how to pay',
    partial: 'A demand for payment does not say how to pay',
    fail: 'A priced address is not there',
  },
  causes: ['payment'],
  why: 'An agent with a budget pays when scheme, amount and payee are there to be read, and gives up when a page of prices comes.',
  reference: { title: 'x402: specification', url: 'https://github.com/x402-foundation/x402/tree/main/specs' },
  contested:
    'RFC 9110 reserves status 402 and says nothing of its body. x402, L402 and the Payment scheme of HTTP authentication each fill it in another way. We take any of the three.',
  fix: ({ exchanges, origin }) => ({
    text: 'Answer with the demand of x402, in the header PAYMENT-REQUIRED (base64) and in the body.',
    snippet: `HTTP/1.1 402 Payment Required\nContent-Type: application/json\nCache-Control: no-store\n\n{\n  "x402Version": 2,\n  "error": "Payment is due",\n  "resource": { "url": "${exchanges['priced:1']?.request.url ?? `${origin}/api/paid`}" },\n  "accepts": [\n    { "scheme": "exact", "network": "eip155:8453", "amount": "5000", "asset": "<token>", "payTo": "<address>", "maxTimeoutSeconds": 60 }\n  ]\n}`,
    language: 'http',
  }),
  judge(evidence) {
    const asked = (['priced:1', 'priced:2'] as const)
      .map((name) => evidence.exchanges[name])
      .filter((exchange): exchange is Exchange => exchange?.outcome === 'ok');
    if (evidence.exchanges['priced:1'] === undefined) {
      requireFile(evidence, 'openapi');
      requireFile(evidence, 'agents-json');
      return notApplicable(bareLine(evidence, 'No description gives an address a price.'));
    }
    return byShare(
      asked.map(judgeAnswer).filter((one) => one !== null),
      ...asked.map((exchange) => lineOf(exchange, 'No payment was asked for here, so that the demand cannot be read.')),
    );
  },
});
