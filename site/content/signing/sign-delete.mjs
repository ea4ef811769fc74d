// sign-delete.mjs: signs one DELETE request (RFC 9421, Ed25519), sends it and prints the answer. It withdraws an entry that the same key signed.
// Node 20 or later, no packages. Usage: node sign-delete.mjs {base_url}/api/guestbook/<id>
import { createHash, createPrivateKey, createPublicKey, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const url = new URL(process.argv[2]);

// 1. The key that signed the entry.
const privateKey = createPrivateKey(readFileSync('agent-key.pem'));
const publicKey = createPublicKey(privateKey);
const spki = publicKey.export({ type: 'spki', format: 'der' });

// 2. What is signed: method, host and path, then the parameters. No line feed at the end.
const parameters = [
  '("@method" "@authority" "@path")',
  `created=${Math.floor(Date.now() / 1000)}`,
  `keyid="${createHash('sha256').update(spki).digest('base64url')}"`,
  'alg="ed25519"',
  `nonce="${randomUUID()}"`,
  'tag="web-bot-auth"',
].join(';');
const base = [
  '"@method": DELETE',
  `"@authority": ${url.host}`,
  `"@path": ${url.pathname}`,
  `"@signature-params": ${parameters}`,
].join('\n');

const headers = {
  'Signature-Input': `sig1=${parameters}`,
  Signature: `sig1=:${sign(null, Buffer.from(base), privateKey).toString('base64')}:`,
  'Signature-Key': Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64'),
};
const response = await fetch(url, { method: 'DELETE', headers });
console.log(await response.text());
