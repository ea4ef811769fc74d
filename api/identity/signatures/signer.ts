import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { component, createSignatureSync, type SignatureComponent, type SignerSync } from 'http-message-sig';
import { toContentDigest } from './content-digest.ts';
import { jwkThumbprint, spkiKeyid } from './keyids.ts';
import { signaturePolicy } from './policy.ts';

/** A request about to be sent. */
export interface OutgoingRequest {
  method: string;
  /** Absolute http or https URL, as it will be requested. */
  targetUri: string;
  /** With a body the signature covers Content-Digest, which is among the headers returned. */
  body?: Buffer;
}

/** Signs requests that leave this site. */
export interface RequestSigner {
  /** The headers to add to the request. Each call signs anew; a signature is good for one request. */
  sign(request: OutgoingRequest): Record<string, string>;
}

/** Ed25519 for the signature base (RFC 9421 section 3.3.6). */
export const toEd25519Signer = (privateKey: KeyObject): SignerSync => ({
  algorithm: signaturePolicy.algorithm,
  sign: (data) => sign(null, data, privateKey),
});

interface SignerOptions {
  privateKey: KeyObject;
  /**
   * The https origin that publishes the key in its directory. With it requests are signed in the form of the Web Bot
   * Auth draft: thumbprint as keyid, expires, nonce, Signature-Agent covered. Without it in the form of this site's own
   * specification: the public key travels in Signature-Key.
   */
  directoryUrl?: string;
  now?: () => Date;
  /** How long a signature is good for. Only in the form with a directory. */
  lifetimeSeconds?: number;
}

function toOrigin(directoryUrl: string): string {
  const url = URL.canParse(directoryUrl) ? new URL(directoryUrl) : null;
  if (url?.protocol !== 'https:') {
    throw new Error(
      `The key directory ${JSON.stringify(directoryUrl)} is not an https address; Signature-Agent takes no other.`,
    );
  }
  return url.origin;
}

/** A signer for outgoing requests. Throws when `directoryUrl` is not https. */
export function createSigner(options: SignerOptions): RequestSigner {
  const { privateKey, now = () => new Date(), lifetimeSeconds = 60 } = options;
  const publicKey = createPublicKey(privateKey);
  const signer = toEd25519Signer(privateKey);
  const origin = options.directoryUrl === undefined ? null : toOrigin(options.directoryUrl);
  const { algorithm: alg, tag } = signaturePolicy;

  return {
    sign({ method, targetUri, body }) {
      const created = Math.floor(now().getTime() / 1000);
      const headers: Record<string, string> = {};
      const components: SignatureComponent[] = [...signaturePolicy.requiredComponents];
      if (body !== undefined) {
        headers['Content-Digest'] = toContentDigest(body);
        components.push('content-digest');
      }
      if (origin === null) {
        const pem = publicKey.export({ type: 'spki', format: 'pem' });
        headers['Signature-Key'] = Buffer.from(pem).toString('base64');
      } else {
        headers['Signature-Agent'] = `sig1="${origin}"`;
        if (targetUri.includes('?')) {
          components.push('@query');
        }
        components.push(component('signature-agent', { key: 'sig1' }));
      }
      const parameters = {
        created,
        ...(origin === null
          ? { keyid: spkiKeyid(publicKey) }
          : { expires: created + lifetimeSeconds, keyid: jwkThumbprint(publicKey) }),
        alg,
        // Ed25519 is deterministic: without it two requests of one second would have the same signature.
        nonce: randomBytes(32).toString('base64'),
        tag,
      };
      const fields = Object.entries(headers).map(([name, value]) => ({ name, value }));
      const { signature, signatureInput } = createSignatureSync(
        { kind: 'request', method, targetUri, fields },
        { components, parameters, signer },
      );
      return { ...headers, 'Signature-Input': signatureInput, Signature: signature };
    },
  };
}
