import type { UntrustedSignatureCandidate } from 'http-message-sig';
import { type Item, isInnerList, parseDictionary, parseItem, Token } from 'structured-headers';
import { coversMember } from './policy.ts';
import { excerpt, Refusal } from './refusal.ts';

const wanted = 'Send Signature-Agent: sig1="https://your-agent.example" and cover it as "signature-agent";key="sig1".';

/** The member to use: the covered one named like the signature, or the only one that is covered. */
function selectMember(header: string, { components, label }: UntrustedSignatureCandidate): Item {
  if (header.startsWith('"')) {
    // The bare string of earlier drafts stands for one member named like the signature.
    if (!components.some(({ name, parameters }) => name === 'signature-agent' && parameters.key === undefined)) {
      throw new Refusal('signature-agent-not-covered', `Signature-Agent is not covered by the signature. ${wanted}`);
    }
    return parseItem(header);
  }
  const members = parseDictionary(header);
  const covered = [...members.keys()].filter((key) => coversMember(components, 'signature-agent', key));
  const key = covered.includes(label) ? label : covered.length === 1 ? covered[0] : undefined;
  const member = key === undefined ? undefined : members.get(key);
  if (member === undefined) {
    throw new Refusal(
      'signature-agent-not-covered',
      `The signature covers no member of Signature-Agent that is named ${excerpt(label, 40)}. ${wanted}`,
    );
  }
  if (isInnerList(member)) {
    throw new Refusal('malformed-signature-agent', `Signature-Agent holds a list. ${wanted}`);
  }
  return member;
}

/** Whether the value is the ASCII serialization of an https origin; an empty path may follow. */
function toHttpsOrigin(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url?.protocol === 'https:' && (value === url.origin || value === `${url.origin}/`) ? url.origin : null;
}

/**
 * The https origin whose key directory a covered Signature-Agent names (draft-meunier-webbotauth-httpsig-protocol). What
 * it returns is a claim until a key of that directory verifies the request. Throws a Refusal.
 */
export function toDirectoryOrigin(header: string, candidate: UntrustedSignatureCandidate): string {
  let value: Item[0];
  let type: unknown;
  try {
    const [bareItem, parameters] = selectMember(header, candidate);
    value = bareItem;
    type = parameters.get('type');
  } catch (error) {
    if (error instanceof Refusal) {
      throw error;
    }
    throw new Refusal(
      'malformed-signature-agent',
      `Signature-Agent ${excerpt(header)} is not a valid dictionary. ${wanted}`,
      null,
      {
        cause: error,
      },
    );
  }
  if (type !== undefined && !(type instanceof Token && type.toString() === 'directory')) {
    throw new Refusal(
      'unsupported-signature-agent-type',
      `Signature-Agent has another type than directory, the only one that is resolved here. ${wanted}`,
    );
  }
  const origin = typeof value === 'string' ? toHttpsOrigin(value) : null;
  if (origin === null) {
    throw new Refusal(
      'malformed-signature-agent',
      `Signature-Agent ${excerpt(header)} is not an https origin without path, query and user name. ${wanted}`,
    );
  }
  return origin;
}
