// sign-post.mjs: signs one POST request together with its body (RFC 9421, RFC 9530, Ed25519), sends it and prints the answer.
// Node 20 or later, no packages. Usage: node sign-post.mjs [url] [json]
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const url = new URL(process.argv[2] ?? '{base_url}/api/guestbook');
const body = process.argv[3] ?? JSON.stringify({ name: 'A visiting agent', message: 'Signed, body and all.' });
const keyFile = 'agent-key.pem';

// 1. The key, the same one that sign.mjs makes.
if (!existsSync(keyFile)) {
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
}
const privateKey = createPrivateKey(readFileSync(keyFile));
const publicKey = createPublicKey(privateKey);
const sha256 = (data) => createHash('sha256').update(data).digest();
const keyid = sha256(publicKey.export({ type: 'spki', format: 'der' })).toString('base64url');

// 2. The digest of the body. It's taken of the very bytes that are sent, so make the text once and keep it.
const digest = `sha-256=:${sha256(body).toString('base64')}:`;

// 3. What is signed: method, host, path and the digest, then the parameters. No line feed at the end.
const parameters = [
  '("@method" "@authority" "@path" "content-digest")',
  `created=${Math.floor(Date.now() / 1000)}`,
  `keyid="${keyid}"`,
  'alg="ed25519"',
  `nonce="${randomUUID()}"`,
  'tag="web-bot-auth"',
].join(';');
const base = [
  '"@method": POST',
  `"@authority": ${url.host}`,
  `"@path": ${url.pathname}`,
  `"content-digest": ${digest}`,
  `"@signature-params": ${parameters}`,
].join('\n');

const headers = {
  'Content-Type': 'application/json',
  'Content-Digest': digest,
  'Signature-Input': `sig1=${parameters}`,
  Signature: `sig1=:${sign(null, Buffer.from(base), privateKey).toString('base64')}:`,
  'Signature-Key': Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64'),
};
const response = await fetch(url, { method: 'POST', headers, body });
console.log(await response.text());
