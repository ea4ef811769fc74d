import { z } from 'zod';

/** Every reason for which a signature that was sent does not count, with what it means. Codes are stable. */
export const signatureReasons = {
  'incomplete-signature': 'Only one of Signature and Signature-Input was sent, or one of them is empty.',
  'headers-too-large': 'A signature header is longer than the limit.',
  'malformed-signature': 'Signature or Signature-Input is not a valid dictionary of RFC 9421.',
  'label-mismatch': 'Signature and Signature-Input do not carry the same labels.',
  'too-many-signatures': 'More signatures than the limit came with one request.',
  'ambiguous-signature': 'Several signatures came, and nothing says which one is for this site.',
  'too-many-components': 'The signature covers more components than the limit.',
  'malformed-request-target': 'The request target cannot be made into a target URI.',
  'missing-component': 'A component that has to be covered is not.',
  'unsupported-component': 'The signature covers a component that this site cannot compute.',
  'missing-covered-field': 'The signature covers a header that is not in the request.',
  'missing-parameter': 'A signature parameter that is required is not there.',
  'invalid-parameter': 'A signature parameter has a value that it cannot have.',
  'wrong-tag': 'The tag parameter is not "web-bot-auth".',
  'unsupported-algorithm': 'The alg parameter is not "ed25519".',
  'created-too-old': 'The signature was created too long ago.',
  'created-in-future': 'The signature claims a time of creation that is still to come.',
  expired: 'The expires parameter has passed.',
  'no-key': 'The request neither carries a key nor names a directory to find it in.',
  'malformed-signature-key': 'Signature-Key is neither the base64 of a public key PEM nor a valid dictionary.',
  'private-key-sent': 'A private key was sent. It is no longer a secret.',
  'unsupported-key-scheme': 'Signature-Key uses a scheme other than hwk.',
  'unsupported-key-type': 'The key is not an Ed25519 key.',
  'key-not-covered': 'Signature-Key in its hwk form is not covered by the signature.',
  'keyid-mismatch': 'keyid is not derived from the key that was sent.',
  'test-key': 'The private half of this key is published as an example, so it identifies nobody.',
  'weak-key': 'The key is a point of small order: anyone can make signatures that fit it.',
  'malformed-signature-agent': 'Signature-Agent does not hold the https origin of a key directory.',
  'signature-agent-not-covered': 'Signature-Agent is needed to find the key and is not covered by the signature.',
  'unsupported-signature-agent-type': 'Signature-Agent names a discovery type other than directory.',
  'directory-not-supported': 'This site does not fetch key directories.',
  'directory-busy': 'Too many key directories are being fetched at once.',
  'directory-unavailable': 'The key directory could not be fetched.',
  'directory-invalid': 'The key directory is not a JWK Set, or holds too many keys.',
  'key-not-in-directory': 'The key directory holds no Ed25519 key with this keyid.',
  'key-not-valid-now': 'The key directory says that the key is not valid yet, or no longer.',
  'malformed-content-digest': 'Content-Digest is covered and holds no digest that can be checked.',
  'content-digest-mismatch': 'Content-Digest does not fit the body that was received.',
  'signature-mismatch': 'The signature is not one of this key over this request.',
  replayed: 'The same signature was accepted before.',
  'replay-window-narrowed': 'The signature is older than what the record of used signatures still covers.',
  'verification-error': 'The signature could not be checked because of a fault on this side.',
} as const;

/** A code of `signatureReasons`. */
export type SignatureReason = keyof typeof signatureReasons;

const reasons = Object.keys(signatureReasons) as [SignatureReason, ...SignatureReason[]];

/** What was made of the signature of one request. */
export const SignatureReport = z.strictObject({
  present: z.boolean().describe('Whether the request carried a signature.'),
  verified: z.boolean().describe('Whether the signature verified and counts.'),
  tier: z
    .enum(['A', 'B', 'C', 'D'])
    .describe('A signed by a trusted key, B signed by another key, C unsigned, D a signature that does not count.'),
  keyid: z.string().nullable().describe('The keyid that the signature names.'),
  keyids: z
    .array(z.string())
    .describe('The names of the key that verified: its JWK thumbprint (RFC 7638), then the SHA-256 of its SPKI DER.'),
  covered: z.array(z.string()).describe('What the signature covers, for instance @method.'),
  created: z.int().nullable().describe('When the signature says it was made, Unix seconds.'),
  expires: z.int().nullable().describe('When the signature says it ends, Unix seconds.'),
  tag: z.string().nullable(),
  label: z.string().nullable().describe('The name that joins Signature and Signature-Input, for instance sig1.'),
  key_source: z
    .enum(['signature-key-pem', 'signature-key-hwk', 'directory'])
    .nullable()
    .describe('Where the key that verified the signature came from.'),
  signature_agent: z
    .string()
    .nullable()
    .describe('The https origin whose key directory holds the key. Null unless that was proved.'),
  reason: z.enum(reasons).nullable().describe('Why a signature that was sent does not count.'),
  detail: z.string().describe('What verified, or why not and what to do.'),
  signature_base: z
    .string()
    .nullable()
    .describe('When the bytes do not fit: the text that had to be signed. It may hold values of covered headers.'),
});
export type SignatureReport = z.infer<typeof SignatureReport>;
