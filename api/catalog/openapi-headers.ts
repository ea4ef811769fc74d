import type { Tool } from '../contract/tool.ts';

type Json = Record<string, unknown>;

const text = { type: 'string' };

/** Headers of answers that say more than every answer does. The OpenAPI description has each once, under its name. */
const headers = {
  RateLimit: {
    description: 'What is left of each allowance that the call counts against (draft-ietf-httpapi-ratelimit-headers).',
    schema: text,
    example: '"read"; r=599; t=60',
  },
  'RateLimit-Policy': {
    description: 'The allowances: `read`, `write-60`, `write-3600`, and `audit` or `join` of a client network.',
    schema: text,
    example: '"read"; q=600; w=60',
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  ETag: { description: 'Of this representation, for If-None-Match.', schema: text },
  Location: { description: 'Address of what was made.', schema: { type: 'string', format: 'uri' } },
  Age: {
    description: 'Seconds since the site was audited, when an earlier result is answered.',
    schema: { type: 'integer' },
  },
  'PAYMENT-REQUIRED': { description: 'The terms, as base64 of the x402 document.', schema: text },
  'PAYMENT-RESPONSE': { description: 'What became of the payment, as base64 of the x402 document.', schema: text },
  'X-Payment-Response': { description: 'The same as PAYMENT-RESPONSE.', schema: text },
  'WWW-Authenticate': { description: 'What would be accepted.', schema: text },
} as const satisfies Record<string, Json>;

type HeaderName = keyof typeof headers;

const refer = (names: readonly HeaderName[]): Json => ({
  headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
});

const limits: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy'];

/** The headers of a tool's answer, as a member of its response. */
export function answerHeaders(tool: Tool, status: 200 | 201): Json {
  const isPaid = Object.hasOwn(tool.headers ?? {}, 'X-Payment');
  return refer([
    ...limits,
    ...(tool.hasEntityTag !== undefined ? (['ETag'] as const) : []),
    ...(status === 201 ? (['Location'] as const) : []),
    ...(tool.allowance === 'audit' ? (['Age'] as const) : []),
    ...(isPaid ? (['PAYMENT-RESPONSE', 'X-Payment-Response'] as const) : []),
  ]);
}

const byStatus: Partial<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  402: ['PAYMENT-REQUIRED'],
  429: ['Retry-After', ...limits],
  503: ['Retry-After'],
};

/** The headers of the problems of a status, as a member of their response; nothing where they have none of their own. */
export function problemHeaders(status: number): Json {
  const names = byStatus[status];
  return names === undefined ? {} : refer(names);
}

/** The headers that answers refer to, by name. */
export const toHeaders = (): Json => ({ ...headers });
