import assert from 'node:assert/strict';
import { sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { createSignature, webcrypto } from 'http-message-sig';
import { httpbis } from 'http-message-signatures';
import { createSigner, type OutgoingRequest } from '#api/identity/signatures/signer.ts';
import { toKeyDirectory } from '#api/identity/signatures/to-key-directory.ts';
import { base64, baseUrl, newClient, newVerifier, now } from './hand-signed.ts';

const client = newClient();
const clock = () => new Date(now * 1000);
const targetUri = `${baseUrl}/api/whoami?a=1`;

const toReport = (request: OutgoingRequest, headers: Record<string, string>, options = {}) =>
  newVerifier(options).verifyRequest({ ...request, rawHeaders: Object.entries(headers).flat() });

test('the form of the specification has its three headers and verifies', async () => {
  const request = { method: 'GET', targetUri };
  const headers = createSigner({ privateKey: client.privateKey, now: clock }).sign(request);
  assert.deepEqual(Object.keys(headers), ['Signature-Key', 'Signature-Input', 'Signature']);
  assert.match(
    String(headers['Signature-Input']),
    new RegExp(
      `^sig1=\\("@method" "@authority" "@path"\\);created=${now};keyid="${client.spkiKeyid}";alg="ed25519";nonce="[\\w+/=]{44}";tag="web-bot-auth"$`,
    ),
  );
  assert.equal(headers['Signature-Key'], base64(client.pem));
  assert.equal((await toReport(request, headers)).tier, 'B');
});

test('the form with a directory is that of Web Bot Auth and verifies with the published directory', async () => {
  const request = { method: 'GET', targetUri };
  const signer = createSigner({ privateKey: client.privateKey, directoryUrl: 'https://agent.example/', now: clock });
  const headers = signer.sign(request);
  assert.deepEqual(Object.keys(headers), ['Signature-Agent', 'Signature-Input', 'Signature']);
  assert.match(
    String(headers['Signature-Input']),
    new RegExp(
      `^sig1=\\("@method" "@authority" "@path" "@query" "signature-agent";key="sig1"\\);created=${now};expires=${now + 60};keyid="${client.thumbprint}";alg="ed25519";nonce="[\\w+/=]{44}";tag="web-bot-auth"$`,
    ),
  );
  const fetchDirectory = async () => JSON.parse(JSON.stringify(toKeyDirectory([client.publicKey])));
  const report = await toReport(request, headers, { fetchDirectory });
  assert.deepEqual([report.tier, report.signature_agent], ['B', 'https://agent.example'], report.detail);
  assert.notEqual(signer.sign(request).Signature, headers.Signature);
});

test('a body is covered', async () => {
  const request = { method: 'POST', targetUri, body: Buffer.from('{}') };
  const headers = createSigner({ privateKey: client.privateKey, now: clock }).sign(request);
  assert.equal((await toReport(request, headers)).tier, 'B');
  assert.equal((await toReport({ ...request, body: Buffer.from('{ }') }, headers)).reason, 'content-digest-mismatch');
});

test('a directory that is not https is an error', () => {
  for (const directoryUrl of ['http://agent.example', 'agent.example', '']) {
    assert.throws(() => createSigner({ privateKey: client.privateKey, directoryUrl }), /is not an https address/);
  }
});

const independent = {
  id: client.spkiKeyid,
  alg: 'ed25519',
  sign: async (data: Buffer) => sign(null, data, client.privateKey),
};
const fields = ['@method', '@authority', '@path'];

test('what the package http-message-signatures signs verifies here', async () => {
  const signed = await httpbis.signMessage(
    {
      key: independent,
      name: 'sig1',
      fields,
      params: ['created', 'expires', 'keyid', 'alg', 'tag'],
      paramValues: { created: clock(), expires: new Date((now + 60) * 1000), tag: 'web-bot-auth' },
    },
    { method: 'GET', url: targetUri, headers: { Host: 'porch.example', 'Signature-Key': base64(client.pem) } },
  );
  const rawHeaders = Object.entries(signed.headers).flatMap(([name, value]) => [name, String(value)]);
  const report = await newVerifier().verifyRequest({ method: 'GET', targetUri, rawHeaders });
  assert.deepEqual([report.tier, report.covered], ['B', fields], report.detail);
});

test('what is signed here verifies with the package http-message-signatures', async () => {
  for (const directoryUrl of [undefined, 'https://agent.example']) {
    const signer = createSigner({ privateKey: client.privateKey, ...(directoryUrl && { directoryUrl }) });
    const headers = { host: 'porch.example', ...signer.sign({ method: 'GET', targetUri }) };
    const verified = await httpbis.verifyMessage(
      {
        keyLookup: async () => ({
          id: 'any',
          algs: ['ed25519'],
          verify: async (data, bytes) => verify(null, data, client.publicKey, bytes),
        }),
        requiredFields: fields,
      },
      { method: 'GET', url: targetUri, headers },
    );
    assert.equal(verified, true);
  }
});

test('what the package http-message-sig signs with WebCrypto verifies here', async () => {
  const pkcs8 = client.privateKey.export({ type: 'pkcs8', format: 'der' });
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
  const signatureKey = `sig1=hwk;kty="OKP";crv="Ed25519";x="${client.x}"`;
  const { signature, signatureInput } = await createSignature(
    { kind: 'request', method: 'GET', targetUri, fields: [{ name: 'signature-key', value: signatureKey }] },
    {
      components: [...fields, '@query', 'signature-key'],
      parameters: { created: now, expires: now + 60, keyid: client.thumbprint, tag: 'web-bot-auth', nonce: 'n' },
      signer: webcrypto.signer(key),
    },
  );
  const report = await newVerifier().verifyRequest({
    method: 'GET',
    targetUri,
    rawHeaders: ['Signature', signature, 'Signature-Input', signatureInput, 'Signature-Key', signatureKey],
  });
  assert.deepEqual([report.tier, report.key_source], ['B', 'signature-key-hwk'], report.detail);
});
