import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createReplayCache } from '#api/identity/signatures/replay-cache.ts';
import { createSignatureVerifier, type SignedRequest } from '#api/identity/signatures/signature-verifier.ts';

/** The moment at which the tests stand, Unix seconds. */
export const now = 1_795_222_800;

/** The site that the requests of the tests are made for. */
export const baseUrl = 'https://porch.example';

/** A key and what a client derives from it, worked out here without the code under test. */
export function toClient(privateKey: KeyObject) {
  const publicKey = createPublicKey(privateKey);
  const { x } = publicKey.export({ format: 'jwk' });
  const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('base64url');
  return {
    privateKey,
    publicKey,
    x: String(x),
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    spkiKeyid: hash(publicKey.export({ type: 'spki', format: 'der' })),
    thumbprint: hash(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`),
  };
}

export type Client = ReturnType<typeof toClient>;

export const newClient = (): Client => toClient(generateKeyPairSync('ed25519').privateKey);

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What to sign: components with their values as the signer sees them, and parameters in order. */
export interface Plan {
  label: string;
  method: string;
  target: string;
  components: [id: string, value: string][];
  parameters: [name: string, value: string][];
  headers: Record<string, string>;
  body?: Buffer;
}

/** A plan in the form of the specification: three components, four parameters, the key as PEM. */
export const plan = (client: Client): Plan => ({
  label: 'sig1',
  method: 'GET',
  target: '/api/whoami',
  components: [
    ['"@method"', 'GET'],
    ['"@authority"', 'porch.example'],
    ['"@path"', '/api/whoami'],
  ],
  parameters: [
    ['created', String(now)],
    ['keyid', `"${client.spkiKeyid}"`],
    ['alg', '"ed25519"'],
    ['tag', '"web-bot-auth"'],
  ],
  headers: { Host: 'porch.example', 'Signature-Key': base64(client.pem) },
});

/** Puts another value in the place of a parameter, or takes it out with null. */
export function withParameter(from: Plan, name: string, value: string | null): Plan {
  const others = from.parameters.filter(([other]) => other !== name);
  return { ...from, parameters: value === null ? others : [...others, [name, value]] };
}

export const withComponent = (from: Plan, id: string, value: string): Plan => ({
  ...from,
  components: [...from.components, [id, value]],
});

export const withHeader = (from: Plan, name: string, value: string): Plan => ({
  ...from,
  headers: { ...from.headers, [name]: value },
});

export const withoutKey = (from: Plan): Plan => {
  const { 'Signature-Key': _key, ...headers } = from.headers;
  return { ...from, headers };
};

/** A plan with the hwk form of Signature-Key, covered. */
export function hwkPlan(client: Client, header = `sig1=hwk;kty="OKP";crv="Ed25519";x="${client.x}"`): Plan {
  return withComponent(withHeader(plan(client), 'Signature-Key', header), '"signature-key"', header);
}

/** A plan that names a key directory in the form of the Web Bot Auth draft. */
export function agentPlan(client: Client, value = '"https://agent.example"'): Plan {
  const named = withHeader(withoutKey(plan(client)), 'Signature-Agent', `sig1=${value}`);
  return withParameter(withComponent(named, '"signature-agent";key="sig1"', value), 'keyid', `"${client.thumbprint}"`);
}

/** The two signature headers of a plan. */
export function toSignatureHeaders({ label, components, parameters }: Plan, privateKey: KeyObject) {
  const list = `(${components.map(([id]) => id).join(' ')})`;
  const params = list + parameters.map(([name, value]) => `;${name}=${value}`).join('');
  const lines = [...components.map(([id, value]) => `${id}: ${value}`), `"@signature-params": ${params}`];
  const signature = sign(null, Buffer.from(lines.join('\n')), privateKey).toString('base64');
  return { 'Signature-Input': `${label}=${params}`, Signature: `${label}=:${signature}:` };
}

/** The request of a plan, signed by the client. `changes` replace or remove headers after signing. */
export function toRequest(from: Plan, client: Client, changes: Record<string, string | null> = {}): SignedRequest {
  const headers = { ...from.headers, ...toSignatureHeaders(from, client.privateKey), ...changes };
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [name, value]));
  return { method: from.method, targetUri: from.target, rawHeaders, ...(from.body && { body: from.body }) };
}

type VerifierOptions = Parameters<typeof createSignatureVerifier>[0];

/** A verifier of the site of the tests, with a fixed clock and a replay cache of its own. */
export const newVerifier = (options: Partial<VerifierOptions> = {}) =>
  createSignatureVerifier({
    now: () => new Date(now * 1000),
    baseUrl,
    trustedKeys: () => [],
    replay: createReplayCache(),
    ...options,
  });
