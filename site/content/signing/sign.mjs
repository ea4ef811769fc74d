// sign.mjs: signs one GET request (RFC 9421, Ed25519), sends it and prints the answer.
// Node 20 or later, no packages. Usage: node sign.mjs [url]
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const url = new URL(process.argv[2] ?? '{base_url}/api/whoami');
const keyFile = 'agent-key.pem';

// 1. The key. It is your identity: keep the file, and keep it private.
if (!existsSync(keyFile)) {
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
}
const privateKey = createPrivateKey(readFileSync(keyFile));
const publicKey = createPublicKey(privateKey);
const der = publicKey.export({ type: 'spki', format: 'der' });
const keyid = createHash('sha256').update(der).digest('base64url');

// 2. What is signed: method, host and path, then the parameters. No line feed at the end.
// The nonce keeps two requests of one second apart: Ed25519 gives the same signature for the same text.
const created = Math.floor(Date.now() / 1000);
const parameters = [
  '("@method" "@authority" "@path")',
  `created=${created}`,
  `keyid="${keyid}"`,
  'alg="ed25519"',
  `nonce="${randomUUID()}"`,
  'tag="web-bot-auth"',
].join(';');
const base = [
  '"@method": GET',
  `"@authority": ${url.host}`,
  `"@path": ${url.pathname}`,
  `"@signature-params": ${parameters}`,
].join('\n');

// 3. Three headers, good for one request within 300 seconds.
const headers = {
  'Signature-Input': `sig1=${parameters}`,
  Signature: `sig1=:${sign(null, Buffer.from(base), privateKey).toString('base64')}:`,
  'Signature-Key': Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64'),
};
const response = await fetch(url, { headers });
console.log(await response.text());
