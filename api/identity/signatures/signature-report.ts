import { z } from 'zod';
import { type SignatureReason, signatureReasons } from './refusal.ts';

const reasons = Object.keys(signatureReasons) as [SignatureReason, ...SignatureReason[]];

/** What was made of the signature of one request. */
export const SignatureReport = z.strictObject({
  present: z.boolean().describe('Whether the request carried a signature.'),
  verified: z.boolean().describe('Whether the signature verified and counts.'),
  tier: z
    .enum(['A', 'B', 'C', 'D'])
    .describe('A signed by a trusted key, B signed by another key, C unsigned, D a signature that does not count.'),
  keyid: z.string().nullable().describe('The keyid that the signature names.'),
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
