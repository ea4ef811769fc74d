/**
 * The error types of the service, RFC 9457 section 3. Each has a page of its own at `/problems/<slug>`, which is the
 * value of `type` in the error body.
 */
export interface ProblemType {
  slug: string;
  status: number;
  title: string;
  /** When the service answers with it. */
  when: string;
  /** What the caller does next. */
  remedy: string;
  /** Members that this type adds to the body, beyond those that every problem has. */
  members?: Record<string, string>;
}

const types = [
  {
    slug: 'invalid-request',
    status: 400,
    title: 'The request is malformed',
    when: 'The body is not JSON, the URL or a header cannot be read, or a percent-encoding is broken.',
    remedy: 'Correct the syntax that `detail` names and send the request again.',
  },
  {
    slug: 'invalid-query',
    status: 400,
    title: 'A query value is not valid',
    when: 'A query parameter is missing, unknown, repeated, too long or of the wrong type.',
    remedy: 'Each entry of `errors` names a parameter and what is accepted. The OpenAPI document lists them all.',
    members: { errors: 'One object for each parameter: `pointer` (such as `?limit`) and `detail`.' },
  },
  {
    slug: 'withdrawal-token-missing',
    status: 401,
    title: 'The withdrawal token is missing',
    when: 'A guestbook entry was to be withdrawn without the X-Withdrawal-Token header and without a signature of its key.',
    remedy:
      'Send the token from the receipt of the entry in X-Withdrawal-Token, or sign the request with the key that signed the entry. Without either, write to the contact address with the id.',
  },
  {
    slug: 'payment-required',
    status: 402,
    title: 'A payment is due',
    when: 'The free audits of this hour are used up, or the resource has a price, and no payment came or one that does not count here.',
    remedy:
      'Send `quote` to POST /api/pay and repeat the request with the header X-Payment. It is a demonstration: no money moves.',
    members: {
      x402Version:
        'Always 2. With `error`, `resource` and `accepts` it is the PaymentRequired document of x402, as in the PAYMENT-REQUIRED header.',
      error: 'Why a payment is due, or why the one that came does not count.',
      resource: 'What is paid for: `url`, `description`, `mimeType`. A payment counts for this URL alone.',
      accepts: 'The one way to pay: scheme `mock` on the network `demo:local`, `amount` in millionths of a dollar.',
      reason:
        'One of `missing`, `malformed`, `other-method`, `forged`, `expired`, `other-resource`, `other-amount`, `used`, `in-use`.',
      demo: 'Always true.',
      quote: 'What POST /api/pay takes. It can be paid for ten minutes.',
      how_to_pay: '`method`, `path` and `body` of the payment, and in `then` what to do with its answer.',
      allowance: 'At the audit: `limit`, `remaining` and `resets_at` of the free ones.',
    },
  },
  {
    slug: 'withdrawal-token-wrong',
    status: 403,
    title: 'The withdrawal token is not the one of this entry',
    when: 'A guestbook entry was to be withdrawn with a token that its receipt does not hold, or with a key that did not sign it.',
    remedy: 'Compare id and token with the receipt of the entry; each entry has a token of its own.',
  },
  {
    slug: 'withdrawal-by-mail',
    status: 403,
    title: 'This entry is withdrawn by mail',
    when: 'The guestbook entry is from before 2026-09-08, when no withdrawal tokens were given out.',
    remedy: 'Write to the contact address in /.well-known/security.txt with the id of the entry.',
  },
  {
    slug: 'cross-site-form',
    status: 403,
    title: 'The form was sent from another site',
    when: 'A browser sent a form or another write to this site from a page of another one, as its Sec-Fetch-Site or Origin header says.',
    remedy: 'Open the page with the form on this site and send it from there. Programs use the JSON API.',
  },
  {
    slug: 'not-found',
    status: 404,
    title: 'Nothing is here',
    when: 'No page, endpoint or record has this address.',
    remedy: 'Look the address up in /llms.txt, in /.well-known/agents.json or in /sitemap.xml.',
    members: {
      suggestions: 'At a record of the almanac: the records nearest in name, each with `id`, `title` and `url`.',
    },
  },
  {
    slug: 'method-not-allowed',
    status: 405,
    title: 'This method is not allowed here',
    when: 'The address exists, and it does not take this method.',
    remedy: 'The Allow header of the response lists the methods that the address takes.',
  },
  {
    slug: 'not-acceptable',
    status: 406,
    title: 'No representation is acceptable',
    when: 'The Accept header refuses HTML by name and allows neither markdown nor JSON.',
    remedy: 'Accept one of text/html, text/markdown and application/json, or send no Accept header.',
  },
  {
    slug: 'request-timeout',
    status: 408,
    title: 'The request took too long to arrive',
    when: 'The header fields did not arrive within 10 seconds, or the whole request within 15.',
    remedy: 'Send the request again in one go, with the Content-Length of its body.',
  },
  {
    slug: 'precondition-failed',
    status: 412,
    title: 'A precondition does not hold',
    when: 'The If-Match header names no entity tag that the representation has now.',
    remedy: 'Read the address without If-Match and take the ETag of the answer.',
  },
  {
    slug: 'body-too-large',
    status: 413,
    title: 'The body is too large',
    when: 'A request body is longer than 16 KiB.',
    remedy: 'Send at most 16,384 bytes.',
  },
  {
    slug: 'uri-too-long',
    status: 414,
    title: 'The URL is too long',
    when: 'The request target is longer than 8 KiB.',
    remedy: 'Send at most 8,192 bytes of path and query.',
  },
  {
    slug: 'unsupported-media-type',
    status: 415,
    title: 'The body has a media type that is not taken here',
    when: 'A body was sent with a Content-Type other than the one that the endpoint takes.',
    remedy: 'Send Content-Type: application/json, or on a form address application/x-www-form-urlencoded.',
  },
  {
    slug: 'invalid-fields',
    status: 422,
    title: 'A field is not valid',
    when: 'The body is well-formed, and a field in it is missing, unknown or of the wrong kind.',
    remedy: 'Each entry of `errors` points at a field and says what is accepted.',
    members: { errors: 'One object for each field: `pointer` (a JSON Pointer, RFC 6901) and `detail`.' },
  },
  {
    slug: 'idempotency-key-reused',
    status: 422,
    title: 'The idempotency key was used for something else',
    when: 'The Idempotency-Key was used in the last 24 hours with another body, or for an entry that is gone since.',
    remedy:
      'Make a new key for each thing that you write, such as a UUID; repeat a key only to repeat the same request.',
  },
  {
    slug: 'quote-not-valid',
    status: 422,
    title: 'The quote cannot be paid',
    when: 'The quote sent to POST /api/pay is unknown, expired or already used.',
    remedy: 'Repeat the request that was answered with 402 and pay the `quote` of the new answer.',
    members: { reason: 'One of `malformed`, `forged`, `expired`, `used`.', demo: 'Always true.' },
  },
  {
    slug: 'audit-target-refused',
    status: 422,
    title: 'This address is not audited',
    when: 'The address is no public http or https site, or its robots.txt forbids it to PorchlightAudit.',
    remedy:
      'Give the address of a public site. Audit your own machine from a checkout of this project: `npm run audit -- http://127.0.0.1:8080/`. A refused address costs nothing of the free audits.',
    members: { reason: '`address` or `robots`.' },
  },
  {
    slug: 'not-certifiable',
    status: 422,
    title: 'The site does not pass the audit',
    when: 'A site was to join the directory, and its score is under 70, or too much of it could not be checked.',
    remedy: 'Correct what `missing` names, then send the same request again, as `retry` says.',
    members: {
      audit: 'The whole audit.',
      missing:
        'The checks that were not passed, those that weigh most first: `check`, `title`, `status`, `lost`, `fix`.',
      retry: 'A sentence that says how to try again.',
      listed: 'The entry that the site has in the directory, which stays as it is; null when it has none.',
    },
  },
  {
    slug: 'guestbook-share-used-up',
    status: 429,
    title: 'This address has written enough for now',
    when: 'The guestbook is full, and a tenth of it came from this client address in the last 24 hours.',
    remedy: 'Wait for the number of seconds in Retry-After, or withdraw an entry of your own.',
  },
  {
    slug: 'rate-limited',
    status: 429,
    title: 'Too many requests',
    when: 'The client address has used up the allowance that the RateLimit-Policy header states. At an audit also: two audits of the client network run or wait, or the site was audited as often as it is in an hour.',
    remedy: 'Wait for the number of seconds in Retry-After. The RateLimit header shows what is left.',
  },
  {
    slug: 'headers-too-large',
    status: 431,
    title: 'The request headers are too large',
    when: 'The request line and the headers together are longer than the server reads.',
    remedy: 'Send fewer or shorter headers: 16 KiB in all is always taken.',
  },
  {
    slug: 'internal-error',
    status: 500,
    title: 'The service failed',
    when: 'A fault in the service itself. The request was not at fault.',
    remedy: 'Report it to the contact in /.well-known/security.txt with the `request_id`.',
  },
  {
    slug: 'audit-target-unreachable',
    status: 502,
    title: 'The audited site could not be reached',
    when: 'The name has no address, nobody answered, the certificate is not valid, or robots.txt could not be fetched.',
    remedy: 'See in `step` how far the request came, open the address in a browser, and ask again when it answers.',
    members: { step: 'One of `dns`, `connect`, `tls`, `timeout`, `redirects`, `response`, `robots.txt`.' },
  },
  {
    slug: 'audit-failed',
    status: 503,
    title: 'The audit did not end',
    when: 'The audit of this site took too long or too much memory and was stopped. There is no result.',
    remedy:
      'Ask again after Retry-After. If it happens again, report the address to the contact in /.well-known/security.txt.',
  },
  {
    slug: 'audit-queue-full',
    status: 503,
    title: 'Too many audits wait',
    when: 'Sixteen audits wait already, which is all that are taken.',
    remedy:
      'Wait for the number of seconds in Retry-After and send the request again. It costs nothing of the free audits.',
  },
  {
    slug: 'storage-unavailable',
    status: 503,
    title: 'Nothing can be stored now',
    when: 'The disk of the service is full or cannot be written. What was sent was not stored.',
    remedy:
      'Wait for the number of seconds in Retry-After and send the request again; with an Idempotency-Key that is always safe.',
  },
  {
    slug: 'unavailable',
    status: 503,
    title: 'The service cannot answer now',
    when: 'The service is starting or stopping, or only what serves its prebuilt pages answers: nginx, or a worker at the edge of a CDN.',
    remedy: 'Wait for the number of seconds in Retry-After and send the request again.',
  },
] as const satisfies readonly ProblemType[];

export type ProblemSlug = (typeof types)[number]['slug'];

export const problemTypes: readonly ProblemType[] = types;

const bySlug = new Map<string, ProblemType>(types.map((type) => [type.slug, type]));

/** The declaration of an error type; throws when the slug is not one. */
export function problemType(slug: ProblemSlug): ProblemType {
  const type = bySlug.get(slug);
  if (type === undefined) {
    throw new Error(`no problem type is called ${slug}`);
  }
  return type;
}
