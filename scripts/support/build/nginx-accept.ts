import { aiAgentPattern } from '#api/http/agent-default.ts';
import { mediaTypes, negotiateRepresentation, type Representation, rank } from '#api/http/negotiate.ts';
import { map, quote } from './nginx-syntax.ts';

const short: Record<Representation, string> = { html: 'html', markdown: 'md', json: 'json' };

// The parts of an Accept header (RFC 9110 section 12.5.1) as PCRE. Possessive quantifiers keep it linear.
const space = '[ \\t]*+';
const emptyParameter = `${space};(?=${space}(?:[;,]|$))`;
const parameter = (notWeight: string): string =>
  `(?:${emptyParameter}|${space};${space}${notWeight}[^\\s;,="]++=(?:"(?:[^"\\\\]|\\\\.)*+"|[^\\s;,"]*+))`;
const earlierElements = '^(?:(?:[^",]++|"(?:[^"\\\\]|\\\\.)*+")*+,)*?';
const weight = '(?:0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?)';

/** Matches the first element that names a range, and takes its weight into a variable (empty when it has none). */
const rangePattern = (range: string, parameters: boolean, variable: string): string =>
  `~*${earlierElements}${space}${range}(?:${parameters ? parameter('(?!q=)') : emptyParameter})*+` +
  `(?:${space};${space}q=(?<${variable}>${weight})(?:${parameter('')})*+)?${space}(?:,|$)`;

const escaped = (text: string): string =>
  text.replace(/[.*+/]/g, (character) => (character === '/' ? '/' : `\\${character}`));

/** From a raw weight to five digits: the weight in thousandths and the rank at equal weights. */
function scoreEntries(tag: string, rankDigit: number, prefix: string): [string, string][] {
  const digit = (index: number): string => `(?<${prefix}${index}>\\d)`;
  const entries: [string, string][] = [
    [`~^${tag}:0(?:\\.0*)?$`, '00000'],
    [`~^${tag}:(?:1.*)?$`, `1000${rankDigit}`],
    [`~^${tag}:0\\.${digit(1)}$`, `0\${${prefix}1}00${rankDigit}`],
    [`~^${tag}:0\\.${digit(1)}${digit(2)}$`, `0\${${prefix}1}\${${prefix}2}0${rankDigit}`],
    [`~^${tag}:0\\.${digit(1)}${digit(2)}${digit(3)}$`, `0\${${prefix}1}\${${prefix}2}\${${prefix}3}${rankDigit}`],
  ];
  return entries.map(([key, value]) => [quote(key), `"${value}"`]);
}

/** Matches `A|B` where A and B are numbers of as many digits and A is the greater: a common start, then a higher digit. */
const greater = quote(
  `~^(\\d*)(?:${Array.from({ length: 9 }, (_, index) => `${index + 1}\\d*\\|\\g{1}[0-${index}]`).join('|')})`,
);

function mapsFor(representation: Representation): string[] {
  const name = short[representation];
  const type = mediaTypes[representation];
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  const variable = `porch_q_${name}`;
  return [
    ...map('$http_accept', `$porch_raw_${name}`, [
      ['default', '""'],
      [quote(rangePattern(escaped(type), false, variable)), `"n:$${variable}"`],
      [quote(rangePattern(escaped(type), true, variable)), `"n:$${variable}"`],
      [quote(rangePattern(escaped(family), true, variable)), `"w:$${variable}"`],
      [quote(rangePattern(escaped('*/*'), true, variable)), `"w:$${variable}"`],
    ]),
    ...map(`$porch_raw_${name}`, `$porch_${name}`, [
      ['default', '"00000"'],
      ...scoreEntries('n', rank[representation].named, `porch_${name}_n`),
      ...scoreEntries('w', rank[representation].wildcard, `porch_${name}_w`),
    ]),
  ];
}

/** What browsers, coding agents and HTTP libraries send: nginx looks these up and runs no expression. */
const usualAccepts: readonly string[] = [
  '*/*',
  'text/html',
  'text/markdown',
  'text/plain',
  'application/json',
  'text/html, */*',
  'text/html,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/png,image/svg+xml,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,image/apng,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.9',
  'text/markdown, text/html',
  'text/markdown,text/html',
  'text/markdown, text/html;q=0.9',
  'text/markdown, */*',
  'text/markdown, text/html, */*',
  'text/markdown,text/html,*/*',
  'text/markdown, text/html;q=0.9, */*;q=0.8',
  'text/markdown,text/html;q=0.9,*/*;q=0.8',
  'text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.8,*/*;q=0.1',
  'text/markdown,text/html;q=0.9,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8',
  'text/markdown, text/plain;q=0.9, */*;q=0.8',
  'application/json, text/plain, */*',
  'application/json, */*',
  'application/json, */*;q=0.5',
  'application/json,text/html',
];

/** The choice for a usual header; where the User-Agent decides it, the map that reads that. */
const choiceOf = (accept: string): string => {
  const choice = negotiateRepresentation(accept);
  return choice === negotiateRepresentation(accept, true) ? choice : '$porch_default';
};

/**
 * The maps that choose a representation as `negotiateRepresentation` does: `$porch_representation` is html, markdown,
 * json or none, and `$porch_ending` the ending of its file, which for none is the name of nothing.
 */
export const acceptMaps = (): string[] => [
  ...(['html', 'markdown', 'json'] as const).flatMap(mapsFor),
  ...map('"$porch_md|$porch_html"', '$porch_first', [
    ['default', 'html'],
    [greater, 'markdown'],
  ]),
  ...map('$porch_first', '$porch_first_score', [
    ['html', '$porch_html'],
    ['markdown', '$porch_md'],
  ]),
  ...map('"$porch_json|$porch_first_score"', '$porch_best', [
    ['default', '$porch_first'],
    [greater, 'json'],
  ]),
  // A client that states no preference and says that it is an AI agent gets the markdown.
  ...map('$http_user_agent', '$porch_default', [
    ['default', 'html'],
    [quote(`~*${aiAgentPattern}`), 'markdown'],
  ]),
  ...map('"$porch_best:$porch_raw_html:$porch_raw_md"', '$porch_preferred', [
    [quote('~^html:w:[^:]*:w:'), '$porch_default'],
    ['default', '$porch_best'],
  ]),
  ...map('"$http_accept|$porch_html$porch_md$porch_json:$porch_raw_html"', '$porch_negotiated', [
    [quote('~^[ \\t]*\\|'), '$porch_default'],
    [quote('~\\|0{15}:n:'), 'none'],
    [quote('~\\|0{15}:'), 'html'],
    ['default', '$porch_preferred'],
  ]),
  ...map('$http_accept', '$porch_representation', [
    ['default', '$porch_negotiated'],
    ['""', '$porch_default'],
    ...usualAccepts.map((accept): [string, string] => [quote(accept), choiceOf(accept)]),
  ]),
  ...map('$porch_representation', '$porch_ending', [
    ['default', '/-'],
    ['html', '.html'],
    ['markdown', '.md'],
    ['json', '.json'],
  ]),
  ...map('"$porch_representation:$porch_raw_html"', '$porch_wants_html', [
    ['default', '0'],
    [quote('~^html:n:'), '1'],
  ]),
];
