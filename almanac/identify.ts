import ipaddr from 'ipaddr.js';
import { type BotType, type Crawler, crawlers, type VerificationMethod } from './datasets/crawlers.ts';
import type { AddressFinding, CallerKind, Identification, Proof } from './identification.ts';
import exceptions from './kind-exceptions.json' with { type: 'json' };
import { type ListedBot, listedBots, listedBotsSource } from './listed-bots.ts';
import { createTokenFinder } from './token-finder.ts';
import document from './user-agent-tokens.json' with { type: 'json' };

const maxCharacters = 1024;

/** The kind that follows from the use a crawler's operator documents. */
const kindOfBotType: Record<BotType, CallerKind> = {
  training: 'ai-crawler',
  'search-index': 'ai-crawler',
  'user-action-fetcher': 'ai-agent',
  'agentic-browser': 'ai-agent',
  // Sells or hands on pages, mostly to people who build models or ground answers with them.
  'data-provider': 'ai-crawler',
  // Keeps pages as a record of the web.
  archive: 'bot',
  // In the dataset because lists of AI crawlers name it.
  undocumented: 'ai-crawler',
  // Never matches a string: it has none of its own.
  'opt-out-token': 'unknown',
};

/** Records whose kind does not follow from their `bot_type`, each group with its reason. */
export const kindExceptions = exceptions as readonly { reason: string; kind: CallerKind; ids: readonly string[] }[];

const kindById = new Map(kindExceptions.flatMap(({ kind, ids }) => ids.map((id) => [id, kind] as const)));

/** The kind of caller that a crawler record stands for. */
export function kindOfCrawler(crawler: Pick<Crawler, 'id' | 'bot_type'>): CallerKind {
  return kindById.get(crawler.id) ?? kindOfBotType[crawler.bot_type];
}

/** Tokens come after aliases, so that a name which is both belongs to the record whose token it is. */
const crawlerByToken = new Map([
  ...crawlers.records.flatMap((crawler) =>
    crawler.sends_own_user_agent ? crawler.aliases.map((alias) => [alias, crawler] as const) : [],
  ),
  ...crawlers.records.flatMap((crawler) =>
    crawler.ua_substring === null ? [] : [[crawler.ua_substring, crawler] as const],
  ),
]);
const findCrawlerToken = createTokenFinder([...crawlerByToken.keys()]);
/** Product tokens of programs that are not in the crawlers dataset. They are compared as whole words, in any case. */
interface UserAgentTokens {
  /** HTTP libraries and command-line clients whose token is unmistakable anywhere in the string. */
  clients: readonly string[];
  /** Those whose token is an ordinary word or the name of a language: `node` counts as the first product of the string alone. */
  leading_clients: readonly string[];
  /** Browsers under a program's control. There is no person at the window, and no library's name to give: a bot. */
  automation: readonly string[];
  /** Bots without a word such as "bot" or "crawler" in their name. */
  other_bots: readonly string[];
  /** Agents, and the libraries that agents are built with. */
  agents: readonly string[];
}

export const userAgentTokens = document as UserAgentTokens;

const findAutomationToken = createTokenFinder(userAgentTokens.automation);
const findOtherBotToken = createTokenFinder(userAgentTokens.other_bots);
const findAgentToken = createTokenFinder(userAgentTokens.agents);
const findClientToken = createTokenFinder(userAgentTokens.clients);
const findLeadingClientToken = createTokenFinder(userAgentTokens.leading_clients);

const optOutTokens = new Map(
  crawlers.records.flatMap((crawler) =>
    crawler.bot_type === 'opt-out-token' && crawler.robots_token !== null
      ? [[crawler.robots_token, crawler] as const]
      : [],
  ),
);
const findOptOutToken = createTokenFinder([...optOutTokens.keys()]);

/** Clients whose vendors send no User-Agent of their own, by name, id, and the first word of the id. */
const unnamedClients = new Map(
  crawlers.records.flatMap((crawler) =>
    crawler.sends_own_user_agent || crawler.bot_type === 'opt-out-token'
      ? []
      : [crawler.name, crawler.id, ...(crawler.id.endsWith('-cli') ? [crawler.id.slice(0, -4)] : [])].map(
          (name) => [name.toLowerCase(), crawler] as const,
        ),
  ),
);
const findUnnamedClient = createTokenFinder(unnamedClients.keys());

/** Tokens of up to four characters are words of other strings too, so they count at the start only. */
const isLeadingOnly = ({ token, isLeading }: ListedBot): boolean => isLeading || token.length < 5;
const listedByToken = new Map(listedBots.map((bot) => [bot.token, bot]));
const findListedToken = createTokenFinder(listedBots.filter((bot) => !isLeadingOnly(bot)).map(({ token }) => token));
const findLeadingListedToken = createTokenFinder(listedBots.filter(isLeadingOnly).map(({ token }) => token));

/** The bot of the public list that a string names: anywhere, or as the first part of its first product ("Slackbot-LinkExpanding"). */
function findListedBot(text: string, leading: string): ListedBot | null {
  const [part = ''] = leading.split('-');
  const found =
    findListedToken(text) ??
    findLeadingListedToken(leading) ??
    (findCrawlerToken(part) === null ? findListedToken(part) : null);
  return found === null ? null : (listedByToken.get(found) ?? null);
}

const isLibrary = ({ purposes }: ListedBot): boolean => purposes.every((purpose) => purpose === 'HTTP library');

const kindOfListed = ({ purposes }: ListedBot): CallerKind =>
  purposes.includes('AI crawler') ? 'ai-crawler' : purposes.includes('HTTP library') ? 'http-library' : 'bot';

/** Old browsers that call themselves compatible with a product and a version, as bots do. */
const compatibleBrowsers = /^(?:Konqueror|OmniWeb|iCab|IBrowse|AmigaVoyager|NetFront|Opera|Galeon|Windows|MSIE)$/i;

/** The product of `compatible; Name/1.0`, the oldest form in which bots give their name. */
function findCompatibleName(text: string): string | null {
  const [, name] = /compatible; {0,3}([A-Za-z][\w.!-]{1,60}) {0,1}\/ {0,1}v?\d/i.exec(text) ?? [];
  return name === undefined || compatibleBrowsers.test(name) ? null : name;
}

const botWord = /(?:bot|crawl|crawler|spider|fetcher|scraper|archiver|slurp)s?\d*$/i;

/** The telephones of the maker Cubot have it in their model names. */
const notABot = /^cubot/i;

/**
 * The first word that ends as bots' names do: "SomethingBot", "my-crawler", "archive_spider". On Android the first
 * comment names the device, and devices are called all sorts of things: there only a word with a version counts.
 */
function findBotWord(text: string): string | null {
  const comment = /^Mozilla\/5\.0 \(Linux;[^()]{0,8}Android[^()]*\)/.exec(text)?.[0] ?? '';
  const deviceEnd = /https?:|compatible/i.test(comment) ? 0 : comment.length;
  for (const { 0: word, index } of text.matchAll(/[A-Za-z0-9_-]+/g)) {
    const isNamed = word.split(/[_-]/).some((part) => botWord.test(part) && !notABot.test(part));
    if (isNamed && (index >= deviceEnd || /^\/\d/.test(text.slice(index + word.length, index + word.length + 2)))) {
      return word;
    }
  }
  return null;
}

const agentWord = /^(?:[a-z]*agents?|mcp)\d*$/i;

/** The first product that calls itself an agent: "VisitingAgent/1.0", "my-mcp-client". In a browser's string the word says nothing. */
function findAgentWord(text: string): string | null {
  const products = isBrowser(text) ? [] : text.matchAll(/^[A-Za-z][\w.-]*|(?<=\s)[A-Za-z][\w.-]*(?=\/\d)/g);
  for (const [product] of products) {
    if (product.split(/[._-]/).some((part) => agentWord.test(part)) && !/user[._-]?agent/i.test(product)) {
      return product;
    }
  }
  return null;
}

/**
 * The sign of a contact address. Only programs put a plus sign before it; a bare address is found in a few old
 * browsers, so it counts only in strings that are not a browser's.
 */
function findContactAddress(text: string): string | null {
  const address = isBrowser(text) ? /\+https?:\/\//i : /\+?https?:\/\//i;
  return address.exec(text)?.[0] ?? null;
}

const browserStart = /^(?:Mozilla\/\d\.0 \(|Opera\/|Lynx\/|w3m\/|E?Links[ /]|NetSurf\/|Dillo\/|UCWEB\/)/;
const browserEngine = /(?:Gecko|AppleWebKit|Trident|Presto|KHTML|Konqueror|Goanna|Servo)\/|MSIE \d/;

function isBrowser(text: string): boolean {
  return browserStart.test(text) && (!text.startsWith('Mozilla') || browserEngine.test(text));
}

/** What a string was recognised by, from the most to the least telling. */
type Evidence =
  | 'crawler-token'
  | 'automation-token'
  | 'listed-bot'
  | 'opt-out-token'
  | 'unnamed-client'
  | 'bot-token'
  | 'agent-token'
  | 'client-token'
  | 'compatible-name'
  | 'bot-word'
  | 'agent-word'
  | 'contact-address'
  | 'browser'
  | 'none';

interface Recognition {
  evidence: Evidence;
  matched: string | null;
  kind: CallerKind;
  crawler: Crawler | null;
  listed: ListedBot | null;
}

function recognise(text: string): Recognition {
  const token = findCrawlerToken(text);
  const crawler = token === null ? undefined : crawlerByToken.get(token);
  if (token !== null && crawler !== undefined) {
    return { evidence: 'crawler-token', matched: token, kind: kindOfCrawler(crawler), crawler, listed: null };
  }
  const leading = /^\s*([^\s/(;,]+)/.exec(text)?.[1] ?? '';
  const listed = findListedBot(text, leading);
  const unnamedToken = findUnnamedClient(text);
  const attempts: [evidence: Evidence, kind: CallerKind, find: () => string | null][] = [
    ['automation-token', 'bot', () => findAutomationToken(text)],
    ['opt-out-token', 'bot', () => findOptOutToken(text)],
    ['bot-token', 'bot', () => findOtherBotToken(text)],
    ['listed-bot', 'bot', () => (listed === null || isLibrary(listed) ? null : listed.token)],
    ['bot-word', 'bot', () => findBotWord(text)],
    ['agent-token', 'ai-agent', () => findAgentToken(text)],
    ['client-token', 'http-library', () => findClientToken(text) ?? findLeadingClientToken(leading)],
    ['listed-bot', 'http-library', () => listed?.token ?? null],
    ['unnamed-client', 'ai-agent', () => (isBrowser(text) ? null : unnamedToken)],
    ['agent-word', 'bot', () => findAgentWord(text)],
    ['compatible-name', 'bot', () => findCompatibleName(text)],
    ['contact-address', 'bot', () => findContactAddress(text)],
  ];
  for (const [evidence, kind, find] of attempts) {
    const matched = find();
    if (matched !== null) {
      return evidence === 'listed-bot' && listed !== null
        ? { evidence, matched, kind: kindOfListed(listed), crawler: null, listed }
        : { evidence, matched, kind, crawler: null, listed: null };
    }
  }
  return isBrowser(text)
    ? { evidence: 'browser', matched: null, kind: 'browser', crawler: null, listed: null }
    : { evidence: 'none', matched: null, kind: 'unknown', crawler: null, listed: null };
}

/**
 * How much the evidence carries, on one scale; grades, not measured probabilities.
 *
 * | 0.98 | crawler token, and the address lies in the ranges its operator published |
 * | 0.9  | crawler token that the operator documents; an HTTP client's own token |
 * | 0.85 | crawler token, and the address is in a copy of the published ranges that is older than 30 days |
 * | 0.8  | crawler token known at second hand; a browser under a program's control; a bot of the public list; the token of another bot or agent |
 * | 0.7  | crawler token that no operator documents |
 * | 0.6  | a name such as "SomethingBot", "SomethingAgent" or "compatible; Something/1.0" that is in no list; a browser, since agents that drive one look the same |
 * | 0.6  | crawler token, and the address is not in a copy of the published ranges that is older than 30 days |
 * | 0.5  | only a contact address ("+https://…") speaks for a bot |
 * | 0.5  | the name of a client that sends none of its own |
 * | 0.2  | crawler token, but the address lies outside the published ranges: most likely somebody else |
 * | 0.2  | a token that is in robots.txt files only: anyone who sends it is not its owner |
 * | 0    | nothing was recognised |
 */
function confidenceOf({ evidence, crawler }: Recognition, finding: AddressFinding | undefined): number {
  if (crawler !== null) {
    if (finding !== undefined && finding.list !== null) {
      const [inside, outside] = finding.in_published_ranges === 'stale' ? [0.85, 0.6] : [0.98, 0.2];
      return finding.list.contains ? inside : outside;
    }
    if (crawler.bot_type === 'undocumented') {
      return 0.7;
    }
    return crawler.evidence === 'primary' && crawler.status !== 'unconfirmed' ? 0.9 : 0.8;
  }
  const grades: Record<Evidence, number> = {
    'crawler-token': 0.9,
    'automation-token': 0.8,
    'listed-bot': 0.8,
    'opt-out-token': 0.2,
    'unnamed-client': 0.5,
    'bot-token': 0.8,
    'agent-token': 0.8,
    'client-token': 0.9,
    'compatible-name': 0.6,
    'bot-word': 0.6,
    'agent-word': 0.6,
    'contact-address': 0.5,
    browser: 0.6,
    none: 0,
  };
  return grades[evidence];
}

const strongestFirst: readonly VerificationMethod[] = [
  'web-bot-auth',
  'ip-ranges',
  'reverse-dns',
  'user-agent-only',
  'none',
];

const forwardConfirmation =
  'Look up the host name of the address (PTR), check that it ends in one of the suffixes, then look up the addresses of that host name (A, AAAA) and check that the first one is among them.';

function proofOf(crawler: Crawler): Proof {
  const methods = strongestFirst.filter((method) => crawler.verification_methods.includes(method));
  const {
    operator,
    published_ip_range_url: rangeUrl,
    reverse_dns_suffix: suffixes,
    signature_agent_domain: signatureAgent,
  } = crawler;
  const stepsOf: Record<VerificationMethod, string[]> = {
    'web-bot-auth': [
      `Check that the request carries Signature-Input and Signature${signatureAgent === null ? '' : `, and a Signature-Agent that names ${signatureAgent}`}.`,
      `Fetch the key directory ${crawler.jwks_url === null ? 'that Signature-Agent points to' : `at ${crawler.jwks_url}`} and take the key whose JWK thumbprint is the keyid.`,
      'Verify the signature (RFC 9421) and its created and expires times.',
    ],
    'ip-ranges':
      rangeUrl === null
        ? [`Compare the address of the connection with the ranges that ${operator} publishes.`]
        : [
            `Download the address list that ${operator} publishes at ${rangeUrl}.`,
            'Check that the address of the connection is in one of its prefixes.',
          ],
    'reverse-dns':
      suffixes === null
        ? []
        : [
            'Look up the host name of the address of the connection (PTR).',
            `Check that the host name ends in ${suffixes.map((suffix) => `.${suffix}`).join(' or ')}.`,
            'Look up the addresses of that host name (A, AAAA) and check that the address of the connection is among them.',
          ],
    'user-agent-only': [
      'No address list, host name or signature of this bot is documented: treat the name as unproven.',
      'Decide by what the client does: its rate, and whether it keeps to robots.txt.',
    ],
    none: ['No way to verify this name is known: treat it as unproven.'],
  };
  return {
    method: methods[0] ?? 'none',
    methods,
    published_ip_range_url: rangeUrl,
    reverse_dns: suffixes === null ? null : { suffixes, procedure: forwardConfirmation },
    web_bot_auth: methods.includes('web-bot-auth')
      ? { signature_agent_domain: signatureAgent, jwks_url: crawler.jwks_url }
      : null,
    documentation_url: crawler.documentation_url,
    steps: methods.flatMap((method) => stepsOf[method]),
  };
}

const nothingToProve: Proof = {
  method: 'none',
  methods: ['none'],
  published_ip_range_url: null,
  reverse_dns: null,
  web_bot_auth: null,
  documentation_url: null,
  steps: [
    'The string names no operator that the crawlers dataset knows, so there is no published list or key to compare with.',
    'A client can prove who it is by signing its requests (RFC 9421, Web Bot Auth).',
  ],
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const rangesById = new Map<string, readonly [Address, number][]>();

/** The published prefixes of a crawler, ready for look-ups; built at the first question about it. */
function rangesOf(crawler: Crawler, prefixes: readonly string[]): readonly [Address, number][] {
  const known = rangesById.get(crawler.id);
  if (known !== undefined) {
    return known;
  }
  const ranges = prefixes.map((prefix) => ipaddr.parseCIDR(prefix));
  rangesById.set(crawler.id, ranges);
  return ranges;
}

const isInside = (address: Address, [start, length]: readonly [Address, number]): boolean =>
  address.kind() === start.kind() && address.match(start, length);

const isAddress = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);

const staleAfterDays = 30;
const millisecondsPerDay = 86_400_000;

/** What our copy of a crawler's list says about an address. */
function compareWithList(address: Address, crawler: Crawler, today: string): AddressFinding {
  const text = address.toString();
  if (crawler.ip_ranges === null) {
    return {
      address: text,
      in_published_ranges: null,
      list: null,
      note:
        crawler.published_ip_range_url === null
          ? `No address list of ${crawler.operator} for ${crawler.name} is known.`
          : `We have no copy of the list; compare with ${crawler.published_ip_range_url}.`,
    };
  }
  const { seen, prefixes } = crawler.ip_ranges;
  const contains = rangesOf(crawler, prefixes).some((range) => isInside(address, range));
  const age = Math.max(0, Math.floor((Date.parse(today) - Date.parse(seen)) / millisecondsPerDay));
  const isStale = age > staleAfterDays;
  const finding = `The address is ${contains ? '' : 'not '}in the ranges that ${crawler.operator} published for ${crawler.name} as of ${seen}`;
  return {
    address: text,
    in_published_ranges: isStale ? 'stale' : contains,
    list: { seen, age_days: age, contains },
    note: isStale
      ? `${finding}. That copy is ${age} days old and proves nothing about today: compare with ${crawler.published_ip_range_url}.`
      : `${finding}; the current list is at ${crawler.published_ip_range_url}.`,
  };
}

function findAddress(ip: string, crawler: Crawler | null, today: string): AddressFinding {
  const nothing = { in_published_ranges: null, list: null };
  if (!isAddress(ip)) {
    return { address: ip, ...nothing, note: 'This is not an IP address, so nothing was compared.' };
  }
  // "::ffff:192.0.2.1" is how a dual-stack socket reports an IPv4 client (RFC 4291 section 2.5.5.2).
  const address = ipaddr.process(ip.replace(/%.*$/, ''));
  return crawler === null
    ? {
        address: address.toString(),
        ...nothing,
        note: 'No crawler was recognised, so there are no ranges to compare with.',
      }
    : compareWithList(address, crawler, today);
}

function noteOf({ evidence, matched, crawler, listed }: Recognition): string {
  const claim = 'A User-Agent is a claim that anyone can make, and not proof.';
  const optOut = optOutTokens.get(matched ?? '');
  const unnamed = unnamedClients.get(matched ?? '');
  const findings: Record<Evidence, string> = {
    'crawler-token': `The string claims to be ${crawler?.name} (operator: ${crawler?.operator}).`,
    'automation-token': `"${matched}" says that a program controls the browser.`,
    'listed-bot': `"${matched}" is listed in ${listedBotsSource.title} (${listedBotsSource.license} license)${listed === null ? '' : ` under ${listed.purposes.join(', ')}`}, and has no record in the crawlers dataset.`,
    'opt-out-token': `${matched} is a robots.txt token of ${optOut?.operator}, which appears in no User-Agent of its own: anyone who sends it is not ${optOut?.operator}.`,
    'unnamed-client': `${unnamed?.name} of ${unnamed?.operator} sends no User-Agent of its own as far as is known, so this string was set by the person who runs the client (/crawlers/${unnamed?.id}).`,
    'bot-token': `"${matched}" is the name of a bot that is not in the crawlers dataset.`,
    'agent-token': `"${matched}" is an agent, or a library that agents are built with, without a record in the crawlers dataset.`,
    'client-token': `"${matched}" is an HTTP client that any program can use.`,
    'bot-word': `"${matched}" is formed like the name of a bot, and is not in the crawlers dataset.`,
    'agent-word': `"${matched}" calls itself an agent, and is not in the crawlers dataset.`,
    'compatible-name': `"compatible; ${matched}/…" is the form in which bots give their name, and no list has this one.`,
    'contact-address': 'The string gives a contact address as bots do, and names none that the crawlers dataset knows.',
    browser: 'The string is that of a browser; an agent that drives a browser sends the same.',
    none: 'Nothing in the string was recognised.',
  };
  return `${claim} ${findings[evidence]}`;
}

/**
 * Says what a User-Agent claims to be, and how to prove it. Reads at most 1,024 characters and takes any string. Tokens
 * of the crawlers dataset come first, the longest one winning; then other bots, HTTP clients and browsers. With `ip`
 * (an IPv4 or IPv6 address) the published ranges in the dataset are compared as well. It looks nothing up: no DNS, no
 * network. `today` (YYYY-MM-DD) is the day against which the age of a list is judged; the current day in UTC if absent.
 */
export function identifyUserAgent(userAgent: string, options: { ip?: string; today?: string } = {}): Identification {
  const ua = userAgent.slice(0, maxCharacters).toWellFormed();
  const recognition = recognise(ua);
  const { matched, kind, crawler, listed } = recognition;
  const finding =
    options.ip === undefined
      ? undefined
      : findAddress(options.ip, crawler, options.today ?? new Date().toISOString().slice(0, 10));
  return {
    ua,
    matched,
    kind,
    isLikelyAgent: kind !== 'browser' && kind !== 'unknown',
    crawler,
    listed:
      listed === null
        ? null
        : {
            name: listed.token,
            purposes: listed.purposes,
            documentation_url: listed.documentation_url,
            source: listedBotsSource,
          },
    operator: crawler?.operator ?? null,
    confidence: confidenceOf(recognition, finding),
    note: noteOf(recognition),
    how_to_prove: crawler === null ? nothingToProve : proofOf(crawler),
    ...(finding === undefined ? {} : { ip: finding }),
  };
}
