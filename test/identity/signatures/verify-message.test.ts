import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import type { FieldOccurrence, RequestDescriptor } from 'http-message-sig';
import { Refusal } from '#api/identity/signatures/refusal.ts';
import { signKeyDirectory, toKeyDirectory } from '#api/identity/signatures/to-key-directory.ts';
import { verifyMessage } from '#api/identity/signatures/verify-message.ts';
import { newVerifier } from './hand-signed.ts';
import {
  rfc9421B26,
  rfc9421Bases,
  rfc9421Key,
  rfc9421Request,
  signedDirectoryVector,
  webBotAuthVectors,
} from './vectors.ts';

const publicKey = createPublicKey(rfc9421Key.publicPem);

const toFields = (headers: Record<string, string>): FieldOccurrence[] =>
  Object.entries(headers).map(([name, value]) => ({ name: name.toLowerCase(), value }));

const testRequest = (headers: Record<string, string>): RequestDescriptor => ({
  kind: 'request',
  method: rfc9421Request.method,
  targetUri: rfc9421Request.targetUri,
  fields: toFields({ ...rfc9421Request.headers, ...headers }),
});

test('the mechanism verifies the Ed25519 vector of RFC 9421 B.2.6', async () => {
  const { label, signature, signatureInput } = rfc9421B26;
  const message = testRequest({ Signature: signature, 'Signature-Input': signatureInput });
  const verified = await verifyMessage(message, label, () => ({ publicKey }));
  assert.equal(verified.signatureBase.split('\n')[0], '"date": Tue, 20 Apr 2021 02:07:55 GMT');
});

for (const { section, input, lines } of rfc9421Bases) {
  test(`the mechanism builds the signature base of RFC 9421 ${section}`, async () => {
    const message = testRequest({ Signature: 'sig=:AAAA:', 'Signature-Input': `sig=${input}` });
    const expected = [...lines, `"@signature-params": ${input}`].join('\n');
    await assert.rejects(
      verifyMessage(message, 'sig', () => ({ publicKey })),
      (error) => error instanceof Refusal && error.reason === 'signature-mismatch' && error.signatureBase === expected,
    );
  });
}

const toVectorHeaders = ({ signature, signatureInput, signatureAgent }: (typeof webBotAuthVectors)[number]) => ({
  Signature: signature,
  'Signature-Input': signatureInput,
  ...(signatureAgent === null ? {} : { 'Signature-Agent': signatureAgent }),
});

for (const vector of webBotAuthVectors) {
  test(`the mechanism verifies the Web Bot Auth vector ${vector.name}`, async () => {
    const message: RequestDescriptor = {
      kind: 'request',
      method: 'GET',
      targetUri: 'https://example.com/path/to/resource',
      fields: toFields(toVectorHeaders(vector)),
    };
    await verifyMessage(message, vector.label, () => ({ publicKey }));
    const tampered = { ...message, targetUri: 'https://example.org/path/to/resource' };
    await assert.rejects(
      verifyMessage(tampered, vector.label, () => ({ publicKey })),
      { reason: 'signature-mismatch' },
    );
  });

  test(`the policy does not take the vector ${vector.name}: it is signed with a published key and covers too little`, async () => {
    const report = await newVerifier({
      baseUrl: 'https://example.com',
      now: () => new Date(1_735_689_600_000),
    }).verifyRequest({
      method: 'GET',
      targetUri: '/path/to/resource',
      rawHeaders: Object.entries(toVectorHeaders(vector)).flat(),
    });
    assert.deepEqual([report.tier, report.reason], ['D', 'missing-component']);
  });
}

test('a directory response is signed exactly as in the vector of the Web Bot Auth draft', async () => {
  const { body, origin, createdSeconds, expiresSeconds, headers } = signedDirectoryVector;
  const privateKey = createPrivateKey(rfc9421Key.privatePem);
  assert.equal(JSON.stringify(toKeyDirectory([privateKey])), body);
  const signed = signKeyDirectory({
    body: Buffer.from(body),
    origin,
    privateKey,
    now: new Date(createdSeconds * 1000),
    lifetimeSeconds: expiresSeconds - createdSeconds,
  });
  assert.deepEqual(signed, headers);
  const request: RequestDescriptor = { kind: 'request', method: 'GET', targetUri: `${origin}/any`, fields: [] };
  await verifyMessage({ kind: 'response', status: 200, fields: toFields(headers), request }, 'binding', () => ({
    publicKey,
  }));
});
