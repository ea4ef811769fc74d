import { z } from 'zod';

export const HowToSign = z.object({
  scheme: z.string().describe('Name of the scheme and the standards it rests on.'),
  cover: z.array(z.string()).describe('Components that the signature covers, in order.'),
  headers_to_send: z
    .object({ 'Signature-Input': z.string(), Signature: z.string(), 'Signature-Key': z.string() })
    .describe('A template for each header; the words in angle brackets are yours to fill in.'),
  try_it: z.string().describe('An address that reports what it made of the signature.'),
  note: z.string().describe('How often and how long a signature counts.'),
});
export type HowToSign = z.infer<typeof HowToSign>;

/** How a client signs a request (RFC 9421, Ed25519), as the visitor echo, the guestbook and the manifest tell it. */
export function howToSign(baseUrl: string): HowToSign {
  return {
    scheme: 'HTTP Message Signatures (RFC 9421) with Ed25519 (RFC 8032), tag web-bot-auth',
    cover: ['@method', '@authority', '@path'],
    headers_to_send: {
      'Signature-Input':
        'sig1=("@method" "@authority" "@path");created=<UNIX_SECONDS>;keyid="<BASE64URL_SHA256_OF_SPKI_DER>";alg="ed25519";tag="web-bot-auth"',
      Signature: 'sig1=:<BASE64_ED25519_SIGNATURE>:',
      'Signature-Key': '<BASE64_OF_PUBLIC_KEY_PEM>',
    },
    try_it: `${baseUrl}/api/whoami`,
    note: `A signature counts once, for 300 seconds. Add ;nonce="<RANDOM>" after created: Ed25519 gives two like requests of one second the same signature, and the second would be taken for a replay. Code that runs as it is: ${baseUrl}/developers/signing`,
  };
}
