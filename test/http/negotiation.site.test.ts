import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, test } from 'node:test';
import { negotiateRepresentation } from '#api/http/negotiate.ts';
import { nginxUrl } from '../support/site-under-test.ts';

type Choice = 'html' | 'markdown' | 'json' | 'none';

/*
 * The oracle: RFC 9110 section 12.5.1 read character by character, and the site's own rules for ties. It shares nothing
 * with the code that it judges, neither with the expressions in JavaScript nor with those in nginx.
 *
 * Left out: two Accept lines. They mean the same as one line with a comma between (RFC 9110 section 5.3), which is how
 * Node reads them; nginx 1.22 reads the first line alone.
 */

interface Range {
  type: string;
  subtype: string;
  /** Thousandths. */
  weight: number;
  /** Whether it has parameters of its own before the weight. */
  narrowed: boolean;
}

const tokenCharacters = new Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** Cuts a header at its commas, but not at those inside quoted strings. */
function cut(header: string, at: string): string[] {
  const parts: string[] = [];
  let part = '';
  let quoted = false;
  for (let index = 0; index < header.length; index += 1) {
    const character = header.charAt(index);
    if (quoted && character === '\\') {
      part += character + header.charAt(index + 1);
      index += 1;
    } else if (character === '"') {
      quoted = !quoted;
      part += character;
    } else if (character === at && !quoted) {
      parts.push(part);
      part = '';
    } else {
      part += character;
    }
  }
  return [...parts, part];
}

const trim = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && ' \t'.includes(text.charAt(start))) {
    start += 1;
  }
  while (end > start && ' \t'.includes(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(start, end);
};

const isToken = (text: string): boolean =>
  text !== '' && [...text].every((character) => tokenCharacters.has(character));

/** A qvalue (section 12.4.2): 0 or 1 with up to three decimals, at most 1. */
function toWeight(text: string): number | undefined {
  const [whole = '', decimals = '', ...rest] = text.split('.');
  const digits = [...decimals].every((character) => character >= '0' && character <= '9');
  if (rest.length > 0 || (whole !== '0' && whole !== '1') || decimals.length > 3 || !digits) {
    return undefined;
  }
  const weight = Number(whole) * 1000 + Number(decimals.padEnd(3, '0'));
  return weight <= 1000 ? weight : undefined;
}

const isValue = (text: string): boolean =>
  text.startsWith('"')
    ? text.length > 1 && cut(`${text},`, ',').length === 2 && text.endsWith('"') && quotesClose(text)
    : !/[\s;,"]/.test(text);

/** Whether a text that begins with a quotation mark is one quoted string and nothing after it. */
function quotesClose(text: string): boolean {
  for (let index = 1; index < text.length; index += 1) {
    if (text.charAt(index) === '\\') {
      index += 1;
    } else if (text.charAt(index) === '"') {
      return index === text.length - 1;
    }
  }
  return false;
}

/** One element of the list, or null when it is no media range: then it says nothing. */
function toRange(element: string): Range | null {
  const [name = '', ...parameters] = cut(element, ';').map(trim);
  const [type = '', subtype = '', ...rest] = name.split('/');
  if (rest.length > 0 || !isToken(type) || !isToken(subtype)) {
    return null;
  }
  const range: Range = { type: type.toLowerCase(), subtype: subtype.toLowerCase(), weight: 1000, narrowed: false };
  let weighed = false;
  for (const parameter of parameters.filter((each) => each !== '')) {
    const equals = parameter.indexOf('=');
    const key = parameter.slice(0, equals);
    const value = parameter.slice(equals + 1);
    if (equals < 1 || /[\s;,"]/.test(key) || !isValue(value)) {
      return null;
    }
    if (weighed) {
      continue;
    }
    if (key.toLowerCase() === 'q') {
      const weight = toWeight(value);
      if (weight === undefined) {
        return null;
      }
      range.weight = weight;
      weighed = true;
    } else {
      range.narrowed = true;
    }
  }
  return range;
}

const offered: [choice: Exclude<Choice, 'none'>, type: string, subtype: string][] = [
  ['markdown', 'text', 'markdown'],
  ['html', 'text', 'html'],
  ['json', 'application', 'json'],
];

/** The choice for an Accept header by the rules. */
function oracle(accept: string): Choice {
  if (trim(accept) === '') {
    return 'html';
  }
  const ranges = cut(accept, ',')
    .map(trim)
    .map(toRange)
    .filter((range) => range !== null);
  const judged = offered.map(([choice, type, subtype]) => {
    const specificity = (range: Range): number =>
      range.type === type && range.subtype === subtype
        ? range.narrowed
          ? 3
          : 4
        : range.type === type && range.subtype === '*'
          ? 2
          : range.type === '*' && range.subtype === '*'
            ? 1
            : 0;
    let best: Range | undefined;
    for (const range of ranges) {
      if (specificity(range) > (best === undefined ? 0 : specificity(best))) {
        best = range;
      }
    }
    const named = best !== undefined && specificity(best) >= 3;
    return { choice, weight: best?.weight ?? 0, named, refused: named && best?.weight === 0 };
  });
  const order: Choice[] = ['markdown', 'html', 'json'];
  const unnamed: Choice[] = ['html', 'markdown', 'json'];
  const [winner] = judged
    .filter(({ weight }) => weight > 0)
    .sort(
      (one, other) =>
        other.weight - one.weight ||
        Number(other.named) - Number(one.named) ||
        (one.named
          ? order.indexOf(one.choice) - order.indexOf(other.choice)
          : unnamed.indexOf(one.choice) - unnamed.indexOf(other.choice)),
    );
  if (winner !== undefined) {
    return winner.choice;
  }
  return judged.some(({ choice, refused }) => choice === 'html' && refused) ? 'none' : 'html';
}

// biome-ignore format: one header and its answer a line
const byHand: [accept: string, choice: Choice][] = [
  ['', 'html'],
  [' ', 'html'],
  ['*/*', 'html'],
  ['text/html', 'html'],
  ['text/markdown', 'markdown'],
  ['application/json', 'json'],
  ['text/*', 'html'],
  ['application/*', 'json'],
  ['image/png', 'html'],
  ['image/*, audio/*;q=0.5', 'html'],
  // browsers
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7', 'html'],
  ['image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', 'html'],
  // coding agents
  ['text/markdown, text/html, */*', 'markdown'],
  ['text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.8,*/*;q=0.1', 'markdown'],
  ['text/html, text/markdown', 'markdown'],
  ['application/json, text/markdown, text/html', 'markdown'],
  ['application/json, text/html', 'html'],
  ['application/json, text/plain, */*', 'json'],
  ['application/json, */*;q=0.5', 'json'],
  // weights
  ['text/markdown;q=0.5, text/html', 'html'],
  ['text/markdown;q=0.9, text/html;q=0.8', 'markdown'],
  ['text/html;q=0.8, application/json;q=0.9', 'json'],
  ['text/html;q=0.801, application/json;q=0.802, text/markdown;q=0.8', 'json'],
  ['text/html;q=0.1, text/markdown;q=0.09', 'html'],
  ['text/html;q=1.000, text/markdown;q=1', 'markdown'],
  ['text/html;q=0.5, */*', 'markdown'],
  ['text/html;q=0.5, */*;q=0.5', 'html'],
  ['text/markdown;q=0.5, */*;q=0.5', 'markdown'],
  ['text/html;q=0.3, text/*;q=0.4', 'markdown'],
  ['text/*;q=0.3, application/*;q=0.4', 'json'],
  ['text/markdown;q=0.001', 'markdown'],
  // refusals
  ['text/html;q=0', 'none'],
  ['text/html;q=0.000', 'none'],
  ['text/html;q=0, image/png', 'none'],
  ['text/html;q=0, */*', 'markdown'],
  ['text/html;q=0, text/markdown;q=0, */*', 'json'],
  ['text/html;q=0, application/json', 'json'],
  ['text/html;q=0, text/markdown;q=0, application/json;q=0, */*', 'none'],
  ['text/markdown;q=0', 'html'],
  ['text/markdown;q=0, */*', 'html'],
  ['*/*;q=0', 'html'],
  ['text/*;q=0', 'html'],
  ['text/*;q=0, */*', 'json'],
  ['*/*;q=0, text/markdown', 'markdown'],
  // letters, spaces, lists
  ['TEXT/MARKDOWN', 'markdown'],
  ['Text/Html;Q=0.2, text/markdown;Q=0.3', 'markdown'],
  ['text/html ; q=0.2 , text/markdown ;q=0.1', 'html'],
  ['\ttext/markdown\t;\tq=0.5\t', 'markdown'],
  [',,text/markdown,,', 'markdown'],
  // parameters
  ['text/markdown;charset=utf-8', 'markdown'],
  ['text/markdown;variant=GFM;q=0.2, text/html;q=0.1', 'markdown'],
  ['text/html;level=1;q=0.1, text/html;q=0.9, text/markdown;q=0.5', 'html'],
  ['text/html;level=1, text/html;q=0', 'none'],
  ['text/markdown;q=0.7;later=1, text/html;q=0.6', 'markdown'],
  ['text/markdown;a="b, text/html;q=0";q=0.4, text/html;q=0.3', 'markdown'],
  ['text/markdown;a="\\"";q=0.4, text/html;q=0.3', 'markdown'],
  ['text/markdown;', 'markdown'],
  ['text/markdown;;q=0.4, text/html;q=0.3', 'markdown'],
  // what is no media range says nothing
  ['markdown', 'html'],
  ['text/markdown/x', 'html'],
  ['text /markdown', 'html'],
  ['text/markdown;q=2', 'html'],
  ['text/markdown;q=-1', 'html'],
  ['text/markdown;q=0.1234', 'html'],
  ['text/markdown;q=', 'html'],
  ['text/markdown;q=abc, application/json', 'json'],
  ['text/markdown;q =1', 'html'],
  ['text/markdown q=1', 'html'],
  ['*', 'html'],
  ['*/markdown', 'html'],
  ['text/markdownx', 'html'],
  ['xtext/markdown', 'html'],
  ['text/markdown;a="unclosed, application/json', 'html'],
  // the first of two that say different things of one type
  ['text/markdown;q=0.1, text/markdown;q=0.9, text/html;q=0.5', 'html'],
  ['text/markdown;q=0.9, text/markdown;q=0.1, text/html;q=0.5', 'markdown'],
  // long ones
  [`${'a/b;q=0.1, '.repeat(500)}text/markdown`, 'markdown'],
  [`text/markdown${';a=b'.repeat(1000)};q=0.4, text/html;q=0.3`, 'markdown'],
  [`text/markdown${' ; '.repeat(1000)}x`, 'html'],
  [`text/markdown;a="${'\\"'.repeat(2000)}`, 'html'],
];

/** Numbers between 0 and 1 that look random and are the same in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = createRandom(20_261_121);
const pick = (choices: readonly string[]): string => choices[Math.floor(random() * choices.length)] ?? '';
const often = ['text/html', 'text/markdown', 'application/json', 'text/*', 'application/*', '*/*'];
const seldom = [
  'image/png',
  'text/plain',
  'application/xhtml+xml',
  'TEXT/Markdown',
  'text/markdown+x',
  'a/b',
  '*/html',
  'text',
  '*',
  'text/',
  'text/markdown/html',
  'application/json5',
  'x-text/html',
];
const weights = [
  '',
  '',
  '',
  ';q=1',
  ';q=0',
  ';q=0.5',
  ';q=0.5',
  ';q=0.9',
  ';q=0.8',
  ';q=0.05',
  ';q=0.123',
  ';q=0.124',
  ';q=1.0',
  ';q=0.',
  ';q=0.000',
  '; q=0.3',
  ' ;Q=0.7',
  ';\tq=0.6',
];
const oddWeights = [
  ';q=1.1',
  ';q=.5',
  ';q=0.1234',
  ';q=5',
  ';q=',
  ';q',
  ';q= 0.5',
  ';q="0.5"',
  ';q=0,5',
  ';q=1.001',
  ';q=00.5',
];
const parameters = [
  '',
  '',
  '',
  '',
  '',
  ';charset=utf-8',
  ';a="b,c"',
  ';a="b;q=0"',
  ';a="\\"x"',
  ';level=1',
  ';',
  '; ',
  ';a',
  ';a="b',
  ';qq=0.1',
  ';a=;b=c',
];
const separators = [',', ', ', ' , ', ',,', ',\t'];

function generate(): string {
  let header = '';
  for (let left = 1 + Math.floor(random() * 6); left > 0; left -= 1) {
    const weight = random() < 0.08 ? pick(oddWeights) : pick(weights);
    header += `${pick(random() < 0.85 ? often : seldom)}${pick(parameters)}${weight}${random() < 0.05 ? pick(parameters) : ''}`;
    header += left > 1 ? pick(separators) : '';
  }
  return header;
}

const generated = new Set<string>();
while (generated.size < 800) {
  generated.add(generate());
}

const agent = new Agent({ keepAlive: true, maxSockets: 2 });
after(() => agent.destroy());

/** What nginx chooses, from the answer to a request for a page over a connection that is kept open. */
function askNginx(accept: string, userAgent: string): Promise<Choice | string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${nginxUrl}/about`,
      { agent, method: 'HEAD', headers: { Accept: accept, 'User-Agent': userAgent } },
      (response) => {
        response.resume();
        const [type = ''] = (response.headers['content-type'] ?? '').split(';');
        const choices: Record<string, Choice> = {
          'text/html': 'html',
          'text/markdown': 'markdown',
          'application/json': 'json',
        };
        response.on('end', () =>
          resolve(response.statusCode === 406 ? 'none' : (choices[type] ?? `${response.statusCode} ${type}`)),
        );
      },
    );
    sent.setTimeout(15_000, () => sent.destroy(new Error(`no answer to ${JSON.stringify(accept)} within 15 s`)));
    sent.on('error', reject);
    sent.end();
  });
}

/** Headers on which the function or nginx differs from what is right. */
async function disagreements(
  expected: Iterable<readonly [accept: string, choice: Choice]>,
  userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
): Promise<string[]> {
  const found: string[] = [];
  for (const [accept, choice] of expected) {
    const own = negotiateRepresentation(accept);
    const nginx = await askNginx(accept, userAgent);
    if (own !== choice || nginx !== choice) {
      found.push(`${JSON.stringify(accept.slice(0, 200))}: ${choice} is right, the sidecar has ${own}, nginx ${nginx}`);
    }
  }
  return found;
}

test('no Accept header at all', async () => {
  assert.equal(negotiateRepresentation(undefined), 'html');
});

test(`${byHand.length} headers by hand`, async () => {
  assert.ok(byHand.length >= 60);
  assert.deepEqual(
    byHand.filter(([accept, choice]) => oracle(accept) !== choice).map(([accept]) => `${accept}: ${oracle(accept)}`),
    [],
    'the oracle agrees',
  );
  assert.deepEqual(await disagreements(byHand), []);
});

test(`${generated.size} generated headers`, async () => {
  assert.deepEqual(await disagreements([...generated].map((accept) => [accept, oracle(accept)] as const)), []);
});

test('a client that says that it is an AI agent gets the same', async () => {
  assert.deepEqual(
    await disagreements(
      byHand.map(([accept]) => [accept, oracle(accept)] as const),
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)',
    ),
    [],
  );
});

test('the generated headers reach every choice often enough to prove something', () => {
  const counts = new Map<Choice, number>();
  for (const accept of generated) {
    const choice = oracle(accept);
    counts.set(choice, (counts.get(choice) ?? 0) + 1);
  }
  for (const choice of ['html', 'markdown', 'json', 'none'] as const) {
    assert.ok((counts.get(choice) ?? 0) >= 10, `${choice}: ${counts.get(choice) ?? 0} of ${generated.size}`);
  }
});
