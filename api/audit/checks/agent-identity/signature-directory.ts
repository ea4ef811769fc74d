import { createHash } from 'node:crypto';
import { defineCheck } from '../../check.ts';
import { mediaTypeOf } from '../../facts/headers.ts';
import { find, findStrings, jsonOf } from '../../facts/json.ts';
import { isObject, isText, requireServed } from '../../judging/claims.ts';
import { counted, lineOf } from '../../judging/lines.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';

const type = 'application/http-message-signatures-directory+json';

/** RFC 9421 appendix B.1.4: the whole world has its private part. */
const testKey = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';

/** The JWK thumbprint of an Ed25519 key (RFC 7638, RFC 8037 appendix A.3), base64url; null for another kind of key. */
function thumbprintOf(key: unknown): string | null {
  if (!isObject(key) || key['kty'] !== 'OKP' || key['crv'] !== 'Ed25519' || !isText(key['x'])) {
    return null;
  }
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x: key['x'] }))
    .digest('base64url');
}

/** Whether the keys that a site signs with are published. */
export const signatureDirectory = defineCheck({
  id: 'signature-directory',
  technique: 'agent-identity',
  topic: 'Signing keys',
  titles: {
    pass: 'The directory of signing keys can be read',
    partial: 'The directory of signing keys has faults',
    fail: 'The directory of signing keys is missing or unsafe',
  },
  causes: ['signing'],
  why: 'Whoever gets a signed request from the site looks here for the key. A directory that does not parse proves nothing.',
  reference: {
    title: 'HTTP Message Signatures Directory (draft)',
    url: 'https://datatracker.ietf.org/doc/draft-meunier-http-message-signatures-directory/',
  },
  contested:
    'A directory is of use to sites that send requests. Some scanners want one of every site; we judge it only where there is one or something points to it.',
  fix: () => ({
    text: `Serve the public keys as ${type}, each with its thumbprint as kid, and never the private part.`,
    snippet:
      '{\n  "keys": [\n    { "kty": "OKP", "crv": "Ed25519", "kid": "<thumbprint of RFC 7638>", "x": "<public key, base64url>", "use": "sig" }\n  ]\n}',
    language: 'json',
  }),
  judge(evidence) {
    const exchange = requireServed(evidence, 'signature-directory', 'A directory of signing keys');
    const { value, problem } = jsonOf(exchange);
    const keys = find(value, 'keys', '*');
    const kids = findStrings(value, 'keys', '*', 'kid');
    const line = (note: string) =>
      lineOf(exchange, note, {
        header: 'content-type',
        excerpt: `${counted(keys.length, 'key')}: ${kids.slice(0, 3).join(', ')}`,
      });
    if (problem !== null || keys.length === 0) {
      return fail(line(problem ?? 'The document has no keys.'));
    }
    if (keys.some((key) => isObject(key) && Object.hasOwn(key, 'd'))) {
      return fail(line('A key is published with its private part ("d"): it must be replaced at once.'));
    }
    const thumbprints = keys.map(thumbprintOf);
    if (thumbprints.includes(testKey)) {
      return fail(line('The test key of RFC 9421 is among the keys: anybody can sign with it.'));
    }
    if (thumbprints.every((thumbprint) => thumbprint === null)) {
      return fail(line('No key is an Ed25519 key (kty OKP, crv Ed25519, x).'));
    }
    const named = keys.every((key, index) => find(key, 'kid')[0] === thumbprints[index]);
    if (!named) {
      return partial(line('A kid is not the thumbprint of its key, by which signers name it.'));
    }
    return mediaTypeOf(exchange) === type
      ? pass(line('All keys are Ed25519, named by their thumbprints.'))
      : partial(line(`The type is not ${type}.`));
  },
});
