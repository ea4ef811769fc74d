import { createHash } from 'node:crypto';
import { componentIdentity, type FieldOccurrence, type UntrustedSignatureCandidate } from 'http-message-sig';
import type { SignatureReason, SignatureReport } from '../../contract/signature-report.ts';
import { checkContentDigest } from './content-digest.ts';
import { type FoundKey, findKey } from './find-key.ts';
import { createKeyDirectories } from './key-directory.ts';
import { jwkThumbprint, spkiKeyid } from './keyids.ts';
import {
  checkHeaderLengths,
  type SignatureHeaders,
  toFields,
  toRequestDescriptor,
  toSignatureHeaders,
} from './message-fields.ts';
import { checkCandidate, checkKey, signaturePolicy } from './policy.ts';
import { Refusal } from './refusal.ts';
import type { ReplayCache } from './replay-cache.ts';
import { selectLabel } from './select-label.ts';
import { verifyMessage } from './verify-message.ts';

/** A request as it arrived. */
export interface SignedRequest {
  method: string;
  /** The request target as Node gives it in `req.url`, or the whole URI: only its path and query are used. */
  targetUri: string;
  /** Node's flat array of header names and values. */
  rawHeaders: readonly string[];
  /** The bytes of the body as they came, for content-digest. None counts as an empty body. */
  body?: Buffer;
}

/** Verifies the signatures of requests that reach this site. */
export interface SignatureVerifier {
  /**
   * Reports on the signature of one request, and never rejects because of what the request holds. Call it once for each
   * request: a signature that was accepted does not verify a second time.
   */
  verifyRequest(request: SignedRequest): Promise<SignatureReport>;
}

interface SignatureVerifierOptions {
  now: () => Date;
  /** Origin of this site, the only one for which a signature counts. */
  baseUrl: string;
  /** The registry of trusted keys, by keyid in either form. */
  trustedKeys: () => readonly { keyid: string; owner: string }[];
  replay: ReplayCache;
  /** Fetches a key directory; createKeyDirectories says what it has to guard against. Absent: none is fetched. */
  fetchDirectory?: (url: URL) => Promise<unknown>;
  /** Told of faults on this side, which the report only calls a verification-error. */
  onError?: (error: unknown) => void;
}

/** Reasons that lie on this side: they say nothing against who signed. */
const undecided = new Set<SignatureReason>(['directory-busy', 'replay-window-narrowed']);

const unsigned: SignatureReport = {
  present: false,
  verified: false,
  tier: 'C',
  keyid: null,
  keyids: [],
  covered: [],
  created: null,
  expires: null,
  tag: null,
  label: null,
  key_source: null,
  signature_agent: null,
  reason: null,
  detail: 'No signature came with the request. Signing is optional.',
  signature_base: null,
};

function toUnsignedReport(headers: SignatureHeaders): SignatureReport {
  const lonely = ['Signature-Agent', 'Signature-Key'].filter((name) => Object.hasOwn(headers, name.toLowerCase()));
  return lonely.length === 0
    ? unsigned
    : { ...unsigned, detail: `${lonely.join(' and ')} came without a signature, which is a claim and proves nothing.` };
}

/** What a signature says of itself, cut to what a report may hold. */
function toClaims({ components, parameters }: UntrustedSignatureCandidate): Partial<SignatureReport> {
  return {
    keyid: parameters.keyid?.slice(0, 128) ?? null,
    created: parameters.created ?? null,
    expires: parameters.expires ?? null,
    tag: parameters.tag?.slice(0, 128) ?? null,
    covered: components
      .slice(0, signaturePolicy.maxComponents)
      .map((component) => componentIdentity(component).replace(/^"([^"]*)"/, '$1')),
  };
}

/** Names the parts of the request that the signature leaves open. */
function toOpenParts(covered: readonly string[], { targetUri, body }: SignedRequest): string {
  const open: string[] = [];
  if (targetUri.includes('?') && !['@query', '@target-uri', '@request-target'].some((name) => covered.includes(name))) {
    open.push('the query (cover @query)');
  }
  if (body !== undefined && body.length > 0 && !covered.some((name) => name.startsWith('content-digest'))) {
    open.push('the body (send and cover Content-Digest)');
  }
  return open.length === 0 ? '' : ` Not covered: ${open.join(', ')}.`;
}

function toAcceptedReport(
  request: SignedRequest,
  claims: Partial<SignatureReport>,
  key: FoundKey,
  trustedKeys: ReturnType<SignatureVerifierOptions['trustedKeys']>,
): SignatureReport {
  const keyids = [jwkThumbprint(key.publicKey), spkiKeyid(key.publicKey)];
  const trusted = trustedKeys.find((entry) => keyids.includes(entry.keyid));
  const covered = claims.covered ?? [];
  const sentences = [
    `The holder of the key "${claims.keyid}" signed ${covered.join(', ')}.`,
    trusted === undefined
      ? 'The key is not in the registry of this site.'
      : `The registry of this site lists the key for ${trusted.owner}.`,
    ...(key.signatureAgent === null ? [] : [`The key is published by ${key.signatureAgent}.`]),
    ...(key.unresolvedAgent === null ? [] : [`Signature-Agent proves nothing here: ${key.unresolvedAgent}`]),
  ];
  return {
    ...unsigned,
    ...claims,
    present: true,
    verified: true,
    tier: trusted === undefined ? 'B' : 'A',
    keyids,
    key_source: key.source,
    signature_agent: key.signatureAgent,
    detail: sentences.join(' ') + toOpenParts(covered, request),
  };
}

/** A verifier of request signatures with the policy of this site: RFC 9421, Ed25519, Web Bot Auth. */
export function createSignatureVerifier(options: SignatureVerifierOptions): SignatureVerifier {
  const { now, baseUrl, trustedKeys, replay, fetchDirectory, onError } = options;
  const directories = fetchDirectory === undefined ? null : createKeyDirectories({ fetchDirectory });
  const authority = new URL(baseUrl).host;

  const checkFirstUse = async (
    key: FoundKey,
    signature: Uint8Array,
    created: number,
    nowSeconds: number,
  ): Promise<void> => {
    const id = createHash('sha256').update(jwkThumbprint(key.publicKey)).update(signature).digest('base64url');
    const use = await replay.record({ id, created, now: nowSeconds });
    if (use === 'seen') {
      throw new Refusal(
        'replayed',
        'This very signature was accepted before, and each one counts once. Sign every request anew, with a nonce: Ed25519 gives two like requests of one second the same signature.',
      );
    }
    if (use === 'forgotten') {
      throw new Refusal(
        'replay-window-narrowed',
        'So many signatures arrive that older ones are not accepted now. Sign again with the present time.',
      );
    }
  };

  const verify = async (
    request: SignedRequest,
    fields: readonly FieldOccurrence[],
    headers: SignatureHeaders,
    claims: Partial<SignatureReport>,
  ): Promise<FoundKey> => {
    const nowSeconds = Math.floor(now().getTime() / 1000);
    checkHeaderLengths(headers);
    if (!headers.signature || !headers['signature-input']) {
      throw new Refusal(
        'incomplete-signature',
        'A signature takes two headers, Signature and Signature-Input, and neither may be empty.',
      );
    }
    const label = selectLabel(headers['signature-input']);
    claims.label = label.slice(0, 128);
    const message = toRequestDescriptor(request, fields, baseUrl);
    const { key, signature } = await verifyMessage(message, label, async (candidate) => {
      Object.assign(claims, toClaims(candidate));
      const { keyid } = checkCandidate(candidate, nowSeconds);
      if (candidate.components.some((component) => component.name === 'content-digest')) {
        const lines = fields.filter((field) => field.name === 'content-digest').map((field) => field.value);
        checkContentDigest(lines.join(', '), request.body ?? Buffer.alloc(0));
      }
      const found = await findKey(headers, candidate, keyid, directories, nowSeconds);
      checkKey(found.publicKey, keyid);
      return found;
    });
    await checkFirstUse(key, signature, claims.created ?? nowSeconds, nowSeconds);
    return key;
  };

  const toRefusedReport = (error: unknown, claims: Partial<SignatureReport>): SignatureReport => {
    const refused = { ...unsigned, ...claims, present: true, tier: 'D' as const };
    if (!(error instanceof Refusal)) {
      onError?.(error);
      return {
        ...refused,
        tier: 'C',
        reason: 'verification-error',
        detail: 'The signature could not be checked because of a fault on this side. Sign again later.',
      };
    }
    const comparison = `Compare signature_base with the text that you signed, byte by byte; no line feed follows its last line. @authority is always "${authority}" here.`;
    return {
      ...refused,
      tier: undecided.has(error.reason) ? 'C' : 'D',
      reason: error.reason,
      detail: error.signatureBase === null ? error.message : `${error.message} ${comparison}`,
      signature_base: error.signatureBase,
    };
  };

  return {
    async verifyRequest(request) {
      const claims: Partial<SignatureReport> = {};
      const fields = toFields(request.rawHeaders);
      const headers = toSignatureHeaders(fields);
      if (headers.signature === undefined && headers['signature-input'] === undefined) {
        return toUnsignedReport(headers);
      }
      try {
        const key = await verify(request, fields, headers, claims);
        return toAcceptedReport(request, claims, key, trustedKeys());
      } catch (error) {
        return toRefusedReport(error, claims);
      }
    },
  };
}
