import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SignatureReport } from '#api/contract/signature-report.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { hwkPlan, newClient, newVerifier, plan, toRequest } from './hand-signed.ts';

const client = newClient();
const verifier = newVerifier({ fetchDirectory: async () => ({ keys: [] }) });
const names = ['Signature', 'Signature-Input', 'Signature-Key', 'Signature-Agent', 'Content-Digest', 'Host'];

/** Fragments of the grammar, so that the parsers get past the first character. */
const fragment = fc.oneof(
  fc.constantFrom(
    'sig1',
    '=',
    '(',
    ')',
    ';',
    ',',
    ' ',
    '"',
    ':',
    '\\',
    '?1',
    '*',
    '-',
    '@method',
    '"@method"',
    '"@authority"',
    '"@path"',
    '"@query"',
    '"signature"',
    '"signature-key"',
    '"signature-agent";key="sig1"',
    '"content-digest"',
    'created=1795222800',
    'expires=',
    'keyid="',
    'alg="ed25519"',
    'tag="web-bot-auth"',
    ':AAAA:',
    'hwk;kty="OKP"',
    'LS0tLS1CRUdJTi',
    '@1',
    '%"a"',
    '__proto__',
    'constructor',
    'key="',
    ';req',
    ';sf',
    ';bs',
    '\u0000',
    'é',
    '1e9',
    '999999999999999',
    '-0',
  ),
  fc.string({ maxLength: 6 }),
);
const text = fc.array(fragment, { maxLength: 24 }).map((parts) => parts.join(''));
const headers = fc.array(
  fc.tuple(fc.constantFrom(...names), fc.oneof(text, fc.string({ unit: anyCharacter, maxLength: 60 }))),
  { maxLength: 8 },
);

test('headers of rubbish never throw and never verify', async () => {
  await fc.assert(
    fc.asyncProperty(
      headers,
      fc.string(),
      fc.oneof(fc.constant('/api/whoami'), fc.string()),
      async (pairs, method, targetUri) => {
        const report = await verifier.verifyRequest({ method, targetUri, rawHeaders: pairs.flat() });
        assert.equal(report.verified, false);
        assert.notEqual(report.reason, 'verification-error', JSON.stringify(pairs));
        const signed = pairs.some(([name]) => name === 'Signature' || name === 'Signature-Input');
        assert.equal(report.tier, signed ? 'D' : 'C');
        SignatureReport.parse(report);
      },
    ),
    { numRuns: 2000 },
  );
});

test('changing a character of a signature header gains nothing', async () => {
  const requests = [plan(client), hwkPlan(client)].map((from) => toRequest(from, client));
  const character = fc.string({ minLength: 1, maxLength: 1, unit: 'binary-ascii' });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...requests),
      fc.nat(),
      fc.nat(),
      character,
      async (request, which, where, replacement) => {
        const rawHeaders = [...request.rawHeaders];
        const positions = rawHeaders.flatMap((name, index) =>
          index % 2 === 0 && name.startsWith('Signature') ? [index + 1] : [],
        );
        const position = positions[which % positions.length] ?? 1;
        const value = rawHeaders[position] ?? '';
        const at = where % value.length;
        rawHeaders[position] = value.slice(0, at) + replacement + value.slice(at + 1);
        // What is left may still say the same: another label, a space more, another spelling of the same base64.
        const report = await newVerifier().verifyRequest({ ...request, rawHeaders });
        const same =
          report.verified &&
          report.keyid === client.spkiKeyid &&
          report.covered.slice(0, 3).join() === '@method,@authority,@path';
        assert.ok(!report.verified || same);
        assert.notEqual(report.reason, 'verification-error', report.detail);
      },
    ),
    { numRuns: 1000 },
  );
});
