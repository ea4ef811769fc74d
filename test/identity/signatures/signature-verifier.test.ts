import assert from 'node:assert/strict';
import { createHash, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { type SignatureReason, SignatureReport, signatureReasons } from '#api/contract/signature-report.ts';
import { createReplayCache } from '#api/identity/signatures/replay-cache.ts';
import type { SignedRequest } from '#api/identity/signatures/signature-verifier.ts';
import {
  agentPlan,
  base64,
  hwkPlan,
  newClient,
  newVerifier,
  now,
  type Plan,
  plan,
  toClient,
  toRequest,
  toSignatureHeaders,
  withComponent,
  withHeader,
  withoutKey,
  withParameter,
} from './hand-signed.ts';
import { rfc9421Key } from './vectors.ts';

const client = newClient();
const other = newClient();
const signed = plan(client);
const request = toRequest(signed, client);

const digestOf = (body: Buffer, algorithm = 'sha256') => createHash(algorithm).update(body).digest('base64');
const directoryOf = (...keys: unknown[]) => ({ keys });
const jwk = { kty: 'OKP', crv: 'Ed25519', x: client.x, kid: client.thumbprint, use: 'sig' };

const body = Buffer.from('{"name":"A","message":"B"}');
const post: Plan = {
  ...signed,
  method: 'POST',
  target: '/api/guestbook',
  components: [
    ['"@method"', 'POST'],
    ['"@authority"', 'porch.example'],
    ['"@path"', '/api/guestbook'],
  ],
  body,
};
const withDigest = (header: string) =>
  withComponent(withHeader(post, 'Content-Digest', header), '"content-digest"', header);

type Options = Parameters<typeof newVerifier>[0];

const accepted: { name: string; request: SignedRequest; options?: Options; report: Partial<SignatureReport> }[] = [
  {
    name: 'the form of the specification',
    request,
    report: {
      tier: 'B',
      keyid: client.spkiKeyid,
      covered: ['@method', '@authority', '@path'],
      created: now,
      expires: null,
      tag: 'web-bot-auth',
      label: 'sig1',
      key_source: 'signature-key-pem',
      signature_agent: null,
    },
  },
  {
    name: 'a key of the registry, by its SPKI keyid',
    request,
    options: { trustedKeys: () => [{ keyid: client.spkiKeyid, owner: 'Ada' }] },
    report: { tier: 'A' },
  },
  {
    name: 'a key of the registry, by its thumbprint though signed with the other keyid',
    request,
    options: { trustedKeys: () => [{ keyid: client.thumbprint, owner: 'Ada' }] },
    report: { tier: 'A' },
  },
  {
    name: 'a registry with other keys',
    request,
    options: { trustedKeys: () => [{ keyid: other.spkiKeyid, owner: 'Ada' }] },
    report: { tier: 'B' },
  },
  {
    name: 'another label',
    request: toRequest({ ...signed, label: 'my-agent.1' }, client),
    report: { tier: 'B', label: 'my-agent.1' },
  },
  {
    name: 'a thumbprint as keyid with a PEM',
    request: toRequest(withParameter(signed, 'keyid', `"${client.thumbprint}"`), client),
    report: { tier: 'B', keyid: client.thumbprint },
  },
  {
    name: 'a PEM with CRLF and without a final line feed',
    request: toRequest(withHeader(signed, 'Signature-Key', base64(client.pem.trim().replaceAll('\n', '\r\n'))), client),
    report: { tier: 'B' },
  },
  {
    name: 'expires still to come',
    request: toRequest(withParameter(signed, 'expires', String(now + 1)), client),
    report: { tier: 'B', expires: now + 1 },
  },
  { name: 'a nonce', request: toRequest(withParameter(signed, 'nonce', '"abc=="'), client), report: { tier: 'B' } },
  {
    name: 'created 300 s ago',
    request: toRequest(withParameter(signed, 'created', String(now - 300)), client),
    report: { tier: 'B' },
  },
  {
    name: 'created 30 s ahead',
    request: toRequest(withParameter(signed, 'created', String(now + 30)), client),
    report: { tier: 'B' },
  },
  {
    name: 'more components than required',
    request: toRequest(
      withComponent(
        withHeader(signed, 'Date', 'Sat, 21 Nov 2026 05:00:00 GMT'),
        '"date"',
        'Sat, 21 Nov 2026 05:00:00 GMT',
      ),
      client,
    ),
    report: { tier: 'B', covered: ['@method', '@authority', '@path', 'date'] },
  },
  {
    name: '@target-uri in the place of authority and path',
    request: toRequest(
      {
        ...signed,
        components: [
          ['"@method"', 'GET'],
          ['"@target-uri"', 'https://porch.example/api/whoami'],
        ],
      },
      client,
    ),
    report: { tier: 'B', covered: ['@method', '@target-uri'] },
  },
  {
    name: 'a query that is covered',
    request: toRequest(withComponent({ ...signed, target: '/api/whoami?a=1' }, '"@query"', '?a=1'), client),
    report: { tier: 'B' },
  },
  {
    name: 'a header beside it that is not ASCII',
    request: toRequest(withHeader(signed, 'User-Agent', 'Bücher/1'), client),
    report: { tier: 'B' },
  },
  {
    name: 'two signatures of which one is tagged',
    request: toRequest(signed, client, {
      'Signature-Input': `proxy=("@method");created=1;tag="other", ${toSignatureHeaders(signed, client.privateKey)['Signature-Input']}`,
      Signature: `proxy=:AAAA:, ${toSignatureHeaders(signed, client.privateKey).Signature}`,
    }),
    report: { tier: 'B', label: 'sig1' },
  },
  {
    name: 'two tagged signatures, one of them sig1',
    request: toRequest(signed, client, {
      'Signature-Input': `b=("@method");tag="web-bot-auth", ${toSignatureHeaders(signed, client.privateKey)['Signature-Input']}`,
      Signature: `b=:AAAA:, ${toSignatureHeaders(signed, client.privateKey).Signature}`,
    }),
    report: { tier: 'B', label: 'sig1' },
  },
  {
    name: 'the hwk form',
    request: toRequest(hwkPlan(client), client),
    report: { tier: 'B', key_source: 'signature-key-hwk' },
  },
  {
    name: 'the hwk form without alg, keyid a thumbprint',
    request: toRequest(
      withParameter(withParameter(hwkPlan(client), 'alg', null), 'keyid', `"${client.thumbprint}"`),
      client,
    ),
    report: { tier: 'B', key_source: 'signature-key-hwk' },
  },
  {
    name: 'a key directory',
    request: toRequest(agentPlan(client), client),
    options: { fetchDirectory: async () => directoryOf({ ...jwk, x: other.x }, { kty: 'RSA' }, null, jwk) },
    report: { tier: 'B', key_source: 'directory', signature_agent: 'https://agent.example' },
  },
  {
    name: 'a key directory within nbf and exp',
    request: toRequest(agentPlan(client, '"https://agent.example/";type=directory'), client),
    options: { fetchDirectory: async () => directoryOf({ ...jwk, nbf: now, exp: now }) },
    report: { tier: 'B', signature_agent: 'https://agent.example' },
  },
  {
    name: 'a key directory named by the bare string of earlier drafts',
    request: toRequest(
      withComponent(
        withParameter(
          withHeader(withoutKey(signed), 'Signature-Agent', '"https://agent.example"'),
          'keyid',
          `"${client.thumbprint}"`,
        ),
        '"signature-agent"',
        '"https://agent.example"',
      ),
      client,
    ),
    options: { fetchDirectory: async () => directoryOf(jwk) },
    report: { tier: 'B', key_source: 'directory', signature_agent: 'https://agent.example' },
  },
  {
    name: 'a directory that is down, with the key sent along: it stands for its holder only',
    request: toRequest(withHeader(agentPlan(client), 'Signature-Key', base64(client.pem)), client),
    options: { fetchDirectory: () => Promise.reject(new Error('status 503')) },
    report: { tier: 'B', key_source: 'signature-key-pem', signature_agent: null },
  },
  {
    name: 'Content-Digest with sha-256',
    request: toRequest(withDigest(`sha-256=:${digestOf(body)}:`), client),
    report: { tier: 'B' },
  },
  {
    name: 'Content-Digest with sha-512 and an unknown one',
    request: toRequest(withDigest(`md5=:AAAA:, sha-512=:${digestOf(body, 'sha512')}:`), client),
    report: { tier: 'B' },
  },
  {
    name: 'an absolute request target: only its path counts',
    request: { ...request, targetUri: 'https://porch.example/api/whoami' },
    report: { tier: 'B' },
  },
];

for (const { name, request: sent, options, report } of accepted) {
  test(`accepts ${name}`, async () => {
    const actual = await newVerifier(options).verifyRequest(sent);
    assert.equal(actual.reason, null, actual.detail);
    assert.ok(actual.verified && actual.present);
    assert.deepEqual({ ...actual, ...report }, actual);
    SignatureReport.parse(actual);
  });
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();
const privatePem = client.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const published = toClient(createPrivateKey(rfc9421Key.privatePem));

/** The key whose bytes are 1 and zeros is the neutral element: a signature of R = A, S = 0 fits any text. */
const neutral = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]);
const weakDer = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), neutral]);
const weakPem = `-----BEGIN PUBLIC KEY-----\n${weakDer.toString('base64')}\n-----END PUBLIC KEY-----\n`;
const weakKeyid = createHash('sha256').update(weakDer).digest('base64url');

const headersOf = toSignatureHeaders(signed, client.privateKey);
const withSignatureKey = (value: string | null) => toRequest(signed, client, { 'Signature-Key': value });
const withInput = (value: string) => toRequest(signed, client, { 'Signature-Input': value });
const reparameterized = (name: string, value: string | null) => toRequest(withParameter(signed, name, value), client);
const without = (id: string) =>
  toRequest({ ...signed, components: signed.components.filter(([component]) => component !== `"${id}"`) }, client);
const agent = toRequest(agentPlan(client), client);
const fetching = (document: unknown): Options => ({ fetchDirectory: async () => document });

const refused: { name: string; request: SignedRequest; options?: Options; reason: SignatureReason }[] = [
  { name: 'another method', request: { ...request, method: 'POST' }, reason: 'signature-mismatch' },
  { name: 'another path', request: { ...request, targetUri: '/api/other' }, reason: 'signature-mismatch' },
  { name: 'a path in another case', request: { ...request, targetUri: '/API/whoami' }, reason: 'signature-mismatch' },
  {
    name: 'a signature for another site, relayed with its Host',
    request: toRequest(
      {
        ...withHeader(signed, 'Host', 'other.example'),
        components: [
          ['"@method"', 'GET'],
          ['"@authority"', 'other.example'],
          ['"@path"', '/api/whoami'],
        ],
      },
      client,
    ),
    reason: 'signature-mismatch',
  },
  {
    name: 'a signature for another site, relayed with an absolute target',
    request: {
      ...toRequest(
        {
          ...signed,
          components: [
            ['"@method"', 'GET'],
            ['"@authority"', 'other.example'],
            ['"@path"', '/api/whoami'],
          ],
        },
        client,
      ),
      targetUri: 'https://other.example/api/whoami',
    },
    reason: 'signature-mismatch',
  },
  {
    name: 'another query though it is covered',
    request: toRequest(withComponent({ ...signed, target: '/api/whoami?a=2' }, '"@query"', '?a=1'), client),
    reason: 'signature-mismatch',
  },
  { name: 'a signature of another key', request: toRequest(signed, other), reason: 'signature-mismatch' },
  {
    name: 'one bit of the signature changed',
    request: toRequest(signed, client, {
      Signature: headersOf.Signature.replace(/=:(.)/, (_, first) => `=:${first === 'A' ? 'B' : 'A'}`),
    }),
    reason: 'signature-mismatch',
  },
  {
    name: 'a changed created',
    request: withInput(headersOf['Signature-Input'].replace(String(now), String(now - 1))),
    reason: 'signature-mismatch',
  },
  {
    name: 'a parameter added later',
    request: withInput(`${headersOf['Signature-Input']};x=1`),
    reason: 'signature-mismatch',
  },
  {
    name: 'a covered header changed',
    request: toRequest(withComponent(withHeader(signed, 'Date', 'b'), '"date"', 'a'), client),
    reason: 'signature-mismatch',
  },
  {
    name: 'a covered header that is not there',
    request: toRequest(withComponent(signed, '"date"', 'a'), client),
    reason: 'missing-covered-field',
  },
  { name: 'no @method', request: without('@method'), reason: 'missing-component' },
  { name: 'no @authority', request: without('@authority'), reason: 'missing-component' },
  { name: 'no @path', request: without('@path'), reason: 'missing-component' },
  { name: 'no component', request: toRequest({ ...signed, components: [] }, client), reason: 'missing-component' },
  {
    name: '@query-param',
    request: toRequest(withComponent({ ...signed, target: '/api/whoami?a=1' }, '"@query-param";name="a"', '1'), client),
    reason: 'unsupported-component',
  },
  {
    name: '@status on a request',
    request: toRequest(withComponent(signed, '"@status"', '200'), client),
    reason: 'unsupported-component',
  },
  {
    name: 'a component of the request flag',
    request: toRequest(withComponent(signed, '"@method";req', 'GET'), client),
    reason: 'unsupported-component',
  },
  {
    name: 'a component twice',
    request: toRequest(withComponent(signed, '"@method"', 'GET'), client),
    reason: 'malformed-signature',
  },
  {
    name: '25 components',
    request: toRequest(
      Array.from({ length: 22 }).reduce(
        (from: Plan, _, index) => withComponent(withHeader(from, `X-${index}`, 'a'), `"x-${index}"`, 'a'),
        signed,
      ),
      client,
    ),
    reason: 'too-many-components',
  },
  { name: 'created 301 s ago', request: reparameterized('created', String(now - 301)), reason: 'created-too-old' },
  { name: 'created 31 s ahead', request: reparameterized('created', String(now + 31)), reason: 'created-in-future' },
  {
    name: 'created in milliseconds',
    request: reparameterized('created', String(now * 1000)),
    reason: 'created-in-future',
  },
  { name: 'created as a string', request: reparameterized('created', `"${now}"`), reason: 'malformed-signature' },
  { name: 'created as a decimal', request: reparameterized('created', `${now}.5`), reason: 'malformed-signature' },
  {
    name: 'expired',
    request: toRequest(
      withParameter(withParameter(signed, 'created', String(now - 60)), 'expires', String(now - 1)),
      client,
    ),
    reason: 'expired',
  },
  { name: 'expires before created', request: reparameterized('expires', String(now - 1)), reason: 'invalid-parameter' },
  { name: 'no created', request: reparameterized('created', null), reason: 'missing-parameter' },
  { name: 'no keyid', request: reparameterized('keyid', null), reason: 'missing-parameter' },
  { name: 'no tag', request: reparameterized('tag', null), reason: 'missing-parameter' },
  { name: 'no alg with a PEM', request: reparameterized('alg', null), reason: 'missing-parameter' },
  { name: 'another tag', request: reparameterized('tag', '"other"'), reason: 'wrong-tag' },
  { name: 'the tag as a token', request: reparameterized('tag', 'web-bot-auth'), reason: 'malformed-signature' },
  { name: 'an unknown alg', request: reparameterized('alg', '"rsa-pss-sha512"'), reason: 'unsupported-algorithm' },
  { name: 'alg none', request: reparameterized('alg', '"none"'), reason: 'unsupported-algorithm' },
  {
    name: 'hmac with the public key as the secret',
    request: reparameterized('alg', '"hmac-sha256"'),
    reason: 'unsupported-algorithm',
  },
  { name: 'a keyid of another shape', request: reparameterized('keyid', '"my-key"'), reason: 'invalid-parameter' },
  { name: 'an endless nonce', request: reparameterized('nonce', `"${'n'.repeat(300)}"`), reason: 'invalid-parameter' },
  {
    name: 'the keyid of another key',
    request: reparameterized('keyid', `"${other.spkiKeyid}"`),
    reason: 'keyid-mismatch',
  },
  {
    name: 'another key put beside the signature',
    request: toRequest(withHeader(signed, 'Signature-Key', base64(other.pem)), other),
    reason: 'keyid-mismatch',
  },
  { name: 'no key', request: withSignatureKey(null), reason: 'no-key' },
  { name: 'an empty key', request: withSignatureKey(''), reason: 'malformed-signature-key' },
  {
    name: 'base64 with junk in it',
    request: withSignatureKey(`${base64(client.pem).slice(0, 20)}*${base64(client.pem).slice(20)}`),
    reason: 'malformed-signature-key',
  },
  {
    name: 'base64url without padding',
    request: withSignatureKey(Buffer.from(`${client.pem}\n`).toString('base64url')),
    reason: 'malformed-signature-key',
  },
  {
    name: 'the DER in the place of the PEM',
    request: withSignatureKey(client.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')),
    reason: 'malformed-signature-key',
  },
  {
    name: 'text before the PEM',
    request: withSignatureKey(base64(`x\n${client.pem}`)),
    reason: 'malformed-signature-key',
  },
  {
    name: 'two PEM blocks',
    request: withSignatureKey(base64(client.pem + other.pem)),
    reason: 'malformed-signature-key',
  },
  {
    name: 'a PEM of rubbish',
    request: withSignatureKey(base64('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n')),
    reason: 'malformed-signature-key',
  },
  {
    name: 'a PEM cut short',
    request: withSignatureKey(base64(client.pem.slice(0, 60))),
    reason: 'malformed-signature-key',
  },
  { name: 'a private key', request: withSignatureKey(base64(privatePem)), reason: 'private-key-sent' },
  { name: 'an RSA key', request: withSignatureKey(base64(rsa)), reason: 'unsupported-key-type' },
  { name: 'an EC key', request: withSignatureKey(base64(ec)), reason: 'unsupported-key-type' },
  { name: 'the example key of RFC 9421', request: toRequest(plan(published), published), reason: 'test-key' },
  {
    name: 'a key of small order with the signature that fits any text',
    request: toRequest(
      withHeader(withParameter(signed, 'keyid', `"${weakKeyid}"`), 'Signature-Key', base64(weakPem)),
      client,
      {
        Signature: `sig1=:${Buffer.concat([neutral, Buffer.alloc(32)]).toString('base64')}:`,
      },
    ),
    reason: 'weak-key',
  },
  {
    name: 'hwk not covered',
    request: toRequest(withHeader(signed, 'Signature-Key', `sig1=hwk;kty="OKP";crv="Ed25519";x="${client.x}"`), client),
    reason: 'key-not-covered',
  },
  {
    name: 'hwk for another label',
    request: toRequest(hwkPlan(client, `sig2=hwk;kty="OKP";crv="Ed25519";x="${client.x}"`), client),
    reason: 'malformed-signature-key',
  },
  { name: 'hwk of another key', request: toRequest(hwkPlan(other), client), reason: 'signature-mismatch' },
  {
    name: 'hwk with an EC key',
    request: toRequest(hwkPlan(client, 'sig1=hwk;kty="EC";crv="P-256";x="a";y="b"'), client),
    reason: 'unsupported-key-type',
  },
  {
    name: 'hwk with alg',
    request: toRequest(hwkPlan(client, `sig1=hwk;kty="OKP";crv="Ed25519";x="${client.x}";alg="EdDSA"`), client),
    reason: 'malformed-signature-key',
  },
  {
    name: 'hwk with a private key',
    request: toRequest(hwkPlan(client, `sig1=hwk;kty="OKP";crv="Ed25519";x="${client.x}";d="${client.x}"`), client),
    reason: 'private-key-sent',
  },
  {
    name: 'hwk with a short x',
    request: toRequest(hwkPlan(client, 'sig1=hwk;kty="OKP";crv="Ed25519";x="AAAA"'), client),
    reason: 'malformed-signature-key',
  },
  {
    name: 'another scheme than hwk',
    request: toRequest(hwkPlan(client, 'sig1=jwks_uri;id="https://agent.example"'), client),
    reason: 'unsupported-key-scheme',
  },
  {
    name: 'a dictionary that is none',
    request: toRequest(hwkPlan(client, 'sig1=hwk;kty='), client),
    reason: 'malformed-signature-key',
  },
  {
    name: 'Signature alone',
    request: toRequest(signed, client, { 'Signature-Input': null }),
    reason: 'incomplete-signature',
  },
  {
    name: 'Signature-Input alone',
    request: toRequest(signed, client, { Signature: null }),
    reason: 'incomplete-signature',
  },
  {
    name: 'both empty',
    request: toRequest(signed, client, { Signature: '', 'Signature-Input': '' }),
    reason: 'incomplete-signature',
  },
  { name: 'a Signature-Input of rubbish', request: withInput('sig1=("@method'), reason: 'malformed-signature' },
  {
    name: 'a Signature-Input that is no list',
    request: withInput('sig1=1;tag="web-bot-auth"'),
    reason: 'malformed-signature',
  },
  {
    name: 'a signature that is no byte sequence',
    request: toRequest(signed, client, { Signature: 'sig1="AAAA"' }),
    reason: 'malformed-signature',
  },
  {
    name: 'bad base64 in the signature',
    request: toRequest(signed, client, { Signature: 'sig1=:A*A=:' }),
    reason: 'malformed-signature',
  },
  {
    name: 'a signature of three bytes',
    request: toRequest(signed, client, { Signature: 'sig1=:AAAA:' }),
    reason: 'malformed-signature',
  },
  {
    name: 'labels that differ',
    request: toRequest(signed, client, { Signature: headersOf.Signature.replace('sig1', 'sig2') }),
    reason: 'label-mismatch',
  },
  {
    name: 'the same label twice',
    request: withInput(`${headersOf['Signature-Input']}, ${headersOf['Signature-Input']}`),
    reason: 'malformed-signature',
  },
  {
    name: 'a parameter twice',
    request: withInput(`${headersOf['Signature-Input']};created=${now}`),
    reason: 'malformed-signature',
  },
  {
    name: 'a duplicate header line',
    request: { ...request, rawHeaders: [...request.rawHeaders, 'signature', headersOf.Signature] },
    reason: 'malformed-signature',
  },
  {
    name: 'two keys in two header lines',
    request: { ...request, rawHeaders: [...request.rawHeaders, 'signature-key', base64(other.pem)] },
    reason: 'malformed-signature-key',
  },
  {
    name: 'two tagged signatures without sig1',
    request: toRequest(signed, client, {
      'Signature-Input': 'a=();tag="web-bot-auth", b=();tag="web-bot-auth"',
      Signature: 'a=:AA==:, b=:AA==:',
    }),
    reason: 'ambiguous-signature',
  },
  { name: 'five signatures', request: withInput('a=(), b=(), c=(), d=(), e=()'), reason: 'too-many-signatures' },
  {
    name: 'an oversized Signature-Input',
    request: withInput(`sig1=(${'"@method" '.repeat(600)})`),
    reason: 'headers-too-large',
  },
  { name: 'an oversized Signature-Key', request: withSignatureKey('A'.repeat(5000)), reason: 'headers-too-large' },
  {
    name: 'an oversized Signature-Agent',
    request: toRequest(signed, client, { 'Signature-Agent': 'a'.repeat(5000) }),
    reason: 'headers-too-large',
  },
  {
    name: 'a request target with a fragment',
    request: { ...request, targetUri: '/api/whoami#x' },
    reason: 'malformed-request-target',
  },
  { name: 'the request target *', request: { ...request, targetUri: '*' }, reason: 'malformed-request-target' },
  {
    name: 'Content-Digest of another body',
    request: toRequest(withDigest(`sha-256=:${digestOf(Buffer.from('x'))}:`), client),
    reason: 'content-digest-mismatch',
  },
  {
    name: 'one right and one wrong digest',
    request: toRequest(withDigest(`sha-256=:${digestOf(body)}:, sha-512=:AAAA:`), client),
    reason: 'content-digest-mismatch',
  },
  {
    name: 'Content-Digest with unsound algorithms only',
    request: toRequest(withDigest('md5=:AAAA:'), client),
    reason: 'malformed-content-digest',
  },
  {
    name: 'Content-Digest that is no byte sequence',
    request: toRequest(withDigest('sha-256="abc"'), client),
    reason: 'malformed-content-digest',
  },
  {
    name: 'Content-Digest of rubbish',
    request: toRequest(withDigest('=('), client),
    reason: 'malformed-content-digest',
  },
  {
    name: 'a digest whose name is a property of every object',
    request: toRequest(withDigest('constructor=:AAAA:'), client),
    reason: 'malformed-content-digest',
  },
  { name: 'a directory where none is fetched', request: agent, reason: 'directory-not-supported' },
  {
    name: 'a directory that answers 404',
    request: agent,
    options: { fetchDirectory: () => Promise.reject(new Error('status 404')) },
    reason: 'directory-unavailable',
  },
  {
    name: 'a directory that rejects with no error',
    request: agent,
    options: { fetchDirectory: () => Promise.reject(undefined) },
    reason: 'directory-unavailable',
  },
  { name: 'a directory of garbage', request: agent, options: fetching('<html>'), reason: 'directory-invalid' },
  { name: 'a directory without keys', request: agent, options: fetching({}), reason: 'directory-invalid' },
  {
    name: 'a huge directory',
    request: agent,
    options: fetching({ keys: Array.from({ length: 33 }, () => jwk) }),
    reason: 'directory-invalid',
  },
  { name: 'an empty directory', request: agent, options: fetching(directoryOf()), reason: 'key-not-in-directory' },
  {
    name: 'a directory with another key',
    request: agent,
    options: fetching(directoryOf({ ...jwk, x: other.x })),
    reason: 'key-not-in-directory',
  },
  {
    name: 'a directory that publishes the private key',
    request: agent,
    options: fetching(directoryOf({ ...jwk, d: client.x })),
    reason: 'key-not-in-directory',
  },
  {
    name: 'a directory key for encryption',
    request: agent,
    options: fetching(directoryOf({ ...jwk, use: 'enc' })),
    reason: 'key-not-in-directory',
  },
  {
    name: 'a directory key that is not valid yet',
    request: agent,
    options: fetching(directoryOf({ ...jwk, nbf: now + 1 })),
    reason: 'key-not-valid-now',
  },
  {
    name: 'a directory key that has ended',
    request: agent,
    options: fetching(directoryOf({ ...jwk, exp: now - 1 })),
    reason: 'key-not-valid-now',
  },
  {
    name: 'a directory with the example key',
    request: toRequest(agentPlan(published), published),
    options: fetching(directoryOf({ ...jwk, x: published.x })),
    reason: 'test-key',
  },
  {
    name: 'a Signature-Agent that is not covered',
    request: toRequest(withHeader(withoutKey(signed), 'Signature-Agent', 'sig1="https://agent.example"'), client),
    options: fetching(directoryOf(jwk)),
    reason: 'signature-agent-not-covered',
  },
  {
    name: 'a bare Signature-Agent that is not covered',
    request: toRequest(withHeader(withoutKey(signed), 'Signature-Agent', '"https://agent.example"'), client),
    options: fetching(directoryOf(jwk)),
    reason: 'signature-agent-not-covered',
  },
  ...[
    '"http://agent.example"',
    '"https://agent.example/path"',
    '"https://u:p@agent.example"',
    '"https://agent.example?q"',
    '"javascript:1"',
    '1',
    '"HTTPS://agent.example"',
  ].map((value) => ({
    name: `the Signature-Agent ${value}`,
    request: toRequest(agentPlan(client, value), client),
    options: fetching(directoryOf(jwk)),
    reason: 'malformed-signature-agent' as const,
  })),
  {
    name: 'a Signature-Agent that is a list',
    request: toRequest(agentPlan(client, '("a" "b")'), client),
    options: fetching(directoryOf(jwk)),
    reason: 'malformed-signature-agent',
  },
  {
    name: 'a Signature-Agent of another type',
    request: toRequest(agentPlan(client, '"https://agent.example/jwks.json";type=jwks_uri'), client),
    options: fetching(directoryOf(jwk)),
    reason: 'unsupported-signature-agent-type',
  },
];

for (const { name, request: sent, options, reason } of refused) {
  test(`refuses ${name}: ${reason}`, async () => {
    const report = await newVerifier(options).verifyRequest(sent);
    assert.equal(report.reason, reason, report.detail);
    assert.deepEqual([report.present, report.verified, report.tier, report.key_source], [true, false, 'D', null]);
    assert.equal(report.signature_agent, null);
    assert.match(report.detail, /^[\x20-\x7e…]{20,}[.:…"=\w]$/);
    SignatureReport.parse(report);
  });
}

test('a request without a signature is tier C', async () => {
  const report = await newVerifier().verifyRequest({
    method: 'GET',
    targetUri: '/',
    rawHeaders: ['Host', 'porch.example'],
  });
  assert.deepEqual([report.present, report.tier, report.reason], [false, 'C', null]);
});

test('Signature-Agent and Signature-Key without a signature are tier C, with a note', async () => {
  const rawHeaders = ['signature-agent', 'sig1="https://agent.example"', 'SIGNATURE-KEY', 'x'];
  const report = await newVerifier().verifyRequest({ method: 'GET', targetUri: '/', rawHeaders });
  assert.deepEqual([report.present, report.tier, report.reason], [false, 'C', null]);
  assert.match(report.detail, /^Signature-Agent and Signature-Key came without a signature/);
});

test('a signature is accepted once, under whatever label', async () => {
  const verifier = newVerifier();
  const relabelled = toRequest(signed, client, {
    Signature: headersOf.Signature.replace('sig1', 'again'),
    'Signature-Input': headersOf['Signature-Input'].replace('sig1', 'again'),
  });
  assert.equal((await verifier.verifyRequest(request)).tier, 'B');
  for (const again of [request, relabelled]) {
    const report = await verifier.verifyRequest(again);
    assert.deepEqual([report.tier, report.reason], ['D', 'replayed']);
  }
  assert.equal((await verifier.verifyRequest(toRequest(withParameter(signed, 'nonce', '"new"'), client))).tier, 'B');
});

test('of the same signature sent at once, one is accepted', async () => {
  const verifier = newVerifier({ fetchDirectory: async () => directoryOf(jwk) });
  const reports = await Promise.all(Array.from({ length: 8 }, () => verifier.verifyRequest(agent)));
  assert.equal(reports.filter((report) => report.verified).length, 1);
});

test('a signature that failed for its body is still good with the right one', async () => {
  const verifier = newVerifier();
  const good = toRequest(withDigest(`sha-256=:${digestOf(body)}:`), client);
  assert.equal(
    (await verifier.verifyRequest({ ...good, body: Buffer.from('forged') })).reason,
    'content-digest-mismatch',
  );
  assert.equal((await verifier.verifyRequest(good)).tier, 'B');
});

test('the report shows the signature base when the signature does not fit it, and only then', async () => {
  const report = await newVerifier().verifyRequest({ ...request, method: 'POST' });
  assert.equal(
    report.signature_base,
    `"@method": POST\n"@authority": porch.example\n"@path": /api/whoami\n"@signature-params": ${headersOf['Signature-Input'].slice(5)}`,
  );
  assert.match(report.detail, /@authority is always "porch\.example" here/);
});

test('the detail names what the signature leaves open', async () => {
  const report = await newVerifier().verifyRequest(toRequest({ ...post, target: '/api/guestbook?a=1' }, client));
  assert.equal(report.tier, 'B', report.detail);
  assert.match(report.detail, /Not covered: the query \(cover @query\), the body \(send and cover Content-Digest\)\.$/);
});

test('a fault on this side is reported, told to the service and rejects nothing', async () => {
  const faults: unknown[] = [];
  const fault = new Error('the disk is full');
  const replay = {
    ...createReplayCache(),
    record: () => {
      throw fault;
    },
  };
  const report = await newVerifier({ replay, onError: (error) => faults.push(error) }).verifyRequest(request);
  assert.deepEqual([report.tier, report.reason, faults], ['C', 'verification-error', [fault]]);
  assert.doesNotMatch(report.detail, /disk/);
});

test('a full replay cache accepts fresh signatures and no old ones', async () => {
  const verifier = newVerifier({ replay: createReplayCache({ maxEntries: 2 }) });
  const at = (created: number) => verifier.verifyRequest(reparameterized('created', String(created)));
  const tiers: unknown[] = [];
  for (const created of [now - 200, now - 100, now - 50, now - 200, now - 150, now]) {
    const { tier, reason } = await at(created);
    tiers.push(reason ?? tier);
  }
  assert.deepEqual(tiers, ['B', 'B', 'B', 'replay-window-narrowed', 'replay-window-narrowed', 'B']);
});

test('every reason is shown by a case here', () => {
  const shown = new Set<string>([
    ...refused.map(({ reason }) => reason),
    'replayed',
    'replay-window-narrowed',
    'verification-error',
  ]);
  // Asserted in key-directory.test.ts.
  shown.add('directory-busy');
  assert.deepEqual(
    Object.keys(signatureReasons).filter((reason) => !shown.has(reason)),
    [],
  );
});
