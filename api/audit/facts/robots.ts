import { oncePerContent } from './once-per-exchange.ts';

/** One Allow or Disallow line. */
export interface RobotsRule {
  allow: boolean;
  pattern: string;
  line: number;
}

/** The rules of one group and the product tokens it is for, as written. */
export interface RobotsGroup {
  agents: string[];
  rules: RobotsRule[];
  /** Values of Content-Signal lines. */
  contentSignals: string[];
  /** Values of Content-Usage lines. */
  contentUsage: string[];
  crawlDelay: string | null;
}

/** A robots.txt, read as RFC 9309 has it. */
export interface RobotsFacts {
  groups: RobotsGroup[];
  /** Values of Sitemap lines, in order. */
  sitemaps: string[];
  /** Lines that are neither empty, a comment nor `name: value`, nor a rule inside a group. */
  invalidLines: { line: number; text: string; reason: string }[];
  /** Names of lines that no specification read here knows, in lower case, each once. */
  unknownFields: string[];
  /** True when lines were left unread, beyond 500 KiB or 5,000 rules. */
  cut: boolean;
}

// RFC 9309 section 2.5: at least 500 KiB are read.
const maxCharacters = 500 * 1024;
const maxRules = 5000;
const maxPatternCharacters = 2048;

/** Reads a robots.txt. Never throws; what is wrong is listed. */
export function toRobotsFacts(text: string): RobotsFacts {
  const facts: RobotsFacts = {
    groups: [],
    sitemaps: [],
    invalidLines: [],
    unknownFields: [],
    cut: text.length > maxCharacters,
  };
  const invalid = (line: number, content: string, reason: string): void => {
    if (facts.invalidLines.length < 100) {
      facts.invalidLines.push({ line, text: content.slice(0, 120), reason });
    }
  };
  let group: RobotsGroup | null = null;
  let namingAgents = false;
  let rules = 0;
  const unknown = new Set<string>();
  const lines = text
    .slice(0, maxCharacters)
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/);
  if (facts.cut) {
    // The last line may be torn, and half a pattern forbids more than the whole.
    lines.pop();
  }
  for (const [index, raw] of lines.entries()) {
    const comment = raw.indexOf('#');
    const content = (comment === -1 ? raw : raw.slice(0, comment)).trim();
    if (content === '') {
      continue;
    }
    const colon = content.indexOf(':');
    if (colon < 1) {
      invalid(index + 1, content, 'is not "name: value"');
      continue;
    }
    const name = content.slice(0, colon).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
    if (name === 'user-agent') {
      if (group === null || !namingAgents) {
        group = { agents: [], rules: [], contentSignals: [], contentUsage: [], crawlDelay: null };
        facts.groups.push(group);
      }
      namingAgents = true;
      group.agents.push(value);
      continue;
    }
    if (name === 'sitemap') {
      facts.sitemaps.push(value);
      continue;
    }
    if (!['allow', 'disallow', 'content-signal', 'content-usage', 'crawl-delay'].includes(name)) {
      unknown.add(name.slice(0, 60));
      continue;
    }
    if (group === null) {
      invalid(index + 1, content, 'comes before the first User-agent line');
      continue;
    }
    namingAgents = false;
    if (name === 'content-signal') {
      group.contentSignals.push(value);
    } else if (name === 'content-usage') {
      group.contentUsage.push(value);
    } else if (name === 'crawl-delay') {
      group.crawlDelay = value;
    } else if (value !== '' && value.length <= maxPatternCharacters && rules < maxRules) {
      rules += 1;
      group.rules.push({ allow: name === 'allow', pattern: value, line: index + 1 });
      if (!/^[/*]/.test(value)) {
        invalid(index + 1, content, 'has a path that begins with neither "/" nor "*"');
      }
    } else if (value !== '') {
      facts.cut = true;
    }
  }
  facts.unknownFields = [...unknown];
  return facts;
}

/** The robots.txt of an exchange. */
export const robotsOf = oncePerContent((exchange) => toRobotsFacts(exchange.body));

/**
 * The groups that bind a product token (RFC 9309 section 2.2.1): those that name it, in any case, as one; else those of
 * `*`; else none.
 */
export function groupsFor(facts: RobotsFacts, token: string): RobotsGroup[] {
  const product = (agent: string): string => /^[a-z_-]+/i.exec(agent)?.[0].toLowerCase() ?? '';
  const own = facts.groups.filter((group) => group.agents.some((agent) => product(agent) === token.toLowerCase()));
  return own.length > 0 ? own : facts.groups.filter((group) => group.agents.includes('*'));
}

/** Percent-encoding in one form, so that `/a%3cd` and `/a%3Cd` and `/ü` compare by octets (RFC 9309 section 2.2.2). */
const normalized = (path: string): string =>
  path
    .replace(/[^\u0000-\u007f]+/g, (text) => encodeURIComponent(text.toWellFormed()))
    .replace(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase();
    });

/** Matches a path against a pattern with `*` and a final `$`, without backtracking. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const [first = '', ...pieces] = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) {
    return false;
  }
  if (pieces.length === 0) {
    return !anchored || path.length === first.length;
  }
  let at = first.length;
  const last = anchored ? (pieces.pop() ?? '') : '';
  for (const piece of pieces) {
    const found = path.indexOf(piece, at);
    if (found === -1) {
      return false;
    }
    at = found + piece.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

/**
 * The rule that decides over a path with its query for a product token, or null when none does and it is allowed. The
 * longest pattern wins, Allow at equal length (RFC 9309 section 2.2.2). `/robots.txt` itself is always allowed.
 */
export function decidingRule(facts: RobotsFacts, token: string, pathWithQuery: string): RobotsRule | null {
  const path = normalized(pathWithQuery);
  if (path === '/robots.txt') {
    return null;
  }
  let best: { rule: RobotsRule; length: number } | null = null;
  for (const rule of groupsFor(facts, token).flatMap((group) => group.rules)) {
    const pattern = normalized(rule.pattern);
    const longer = best === null || pattern.length > best.length || (pattern.length === best.length && rule.allow);
    if (longer && matches(pattern, path)) {
      best = { rule, length: pattern.length };
    }
  }
  return best?.rule ?? null;
}

/** True when a product token may fetch a path with its query. */
export const isAllowed = (facts: RobotsFacts, token: string, pathWithQuery: string): boolean =>
  decidingRule(facts, token, pathWithQuery)?.allow ?? true;
