import type { FieldOccurrence, RequestDescriptor } from 'http-message-sig';
import { signaturePolicy } from './policy.ts';
import { excerpt, Refusal } from './refusal.ts';

const signatureHeaders = ['signature', 'signature-input', 'signature-key', 'signature-agent'] as const;

/** The value of each signature header that was sent. */
export type SignatureHeaders = Partial<Record<(typeof signatureHeaders)[number], string>>;

/** Headers as pairs with names in lower case, from Node's flat array of names and values. */
export function toFields(rawHeaders: readonly string[]): FieldOccurrence[] {
  const fields: FieldOccurrence[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    fields.push({ name: String(rawHeaders[index]).toLowerCase(), value: String(rawHeaders[index + 1]) });
  }
  return fields;
}

/** The value of each signature header, its lines joined (RFC 9421 section 2.1); undefined when it was not sent. */
export function toSignatureHeaders(fields: readonly FieldOccurrence[]): SignatureHeaders {
  const headers: SignatureHeaders = {};
  for (const name of signatureHeaders) {
    const lines = fields.filter((field) => field.name === name).map((field) => field.value.trim());
    if (lines.length > 0) {
      headers[name] = lines.join(', ');
    }
  }
  return headers;
}

/** Refuses headers that are longer than anything an honest client sends, before they are parsed. */
export function checkHeaderLengths(headers: SignatureHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value.length > signaturePolicy.maxHeaderLength) {
      throw new Refusal(
        'headers-too-large',
        `The ${name} header has ${value.length} characters; at most ${signaturePolicy.maxHeaderLength} are accepted.`,
      );
    }
  }
}

/**
 * The headers that `signatureInput` can cover, and the two that carry the signature. The rest is left out because one
 * header that is not ASCII would fail the whole message, covered or not.
 */
const toCoveredFields = (fields: readonly FieldOccurrence[], signatureInput: string): FieldOccurrence[] =>
  fields.filter(
    ({ name }) => name === 'signature' || name === 'signature-input' || signatureInput.includes(`"${name}"`),
  );

/**
 * The request as the signature base sees it (RFC 9421 section 2.2). Scheme and authority are those of `baseUrl` whatever
 * the request claims: with an authority taken from Host or from an absolute request target, a signature made for
 * another site could be relayed here.
 */
export function toRequestDescriptor(
  request: { method: string; targetUri: string },
  fields: readonly FieldOccurrence[],
  baseUrl: string,
): RequestDescriptor {
  const { method, targetUri } = request;
  const rest = /^(?:https?:\/\/[^/?#]*)?(\/.*|\?.*|)$/i.exec(targetUri)?.[1];
  if (rest === undefined || !/^[\x21\x22\x24-\x7e]*$/.test(rest) || targetUri.length === 0) {
    throw new Refusal(
      'malformed-request-target',
      `The request target ${excerpt(targetUri)} is not a path of this site in plain ASCII.`,
    );
  }
  const target = rest.startsWith('/') ? rest : `/${rest}`;
  return {
    kind: 'request',
    method,
    targetUri: `${new URL(baseUrl).origin}${target}`,
    requestTarget: target,
    fields: toCoveredFields(fields, toSignatureHeaders(fields)['signature-input'] ?? ''),
  };
}
