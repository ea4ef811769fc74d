import type { Exchange } from '../../fetch/exchange.ts';

/** One challenge of a WWW-Authenticate header (RFC 9110 section 11.6.1). */
export interface AuthChallenge {
  /** In lower case. */
  scheme: string;
  /** By name in lower case; of a repeated one the first counts. */
  parameters: Map<string, string>;
}

const part =
  /[ \t,]*([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^\s",]+)|([ \t]+[\w.~+/-]+=*(?=[ \t]*(?:,|$)))?)/y;

/** The challenges of a response, in their order. What is none ends the reading. */
export function authChallengesOf(exchange: Exchange): AuthChallenge[] {
  const challenges: AuthChallenge[] = [];
  for (const header of exchange.headers['www-authenticate'] ?? []) {
    const text = header.slice(0, 8192);
    part.lastIndex = 0;
    for (let match = part.exec(text); match !== null && match[0] !== ''; match = part.exec(text)) {
      const [, name = '', value] = match;
      if (value === undefined) {
        challenges.push({ scheme: name.toLowerCase(), parameters: new Map() });
        continue;
      }
      const parameters = challenges.at(-1)?.parameters;
      if (parameters !== undefined && !parameters.has(name.toLowerCase())) {
        const content = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
        parameters.set(name.toLowerCase(), content);
      }
    }
  }
  return challenges;
}
