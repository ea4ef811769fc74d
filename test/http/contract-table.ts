import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ProblemSlug } from '#api/contract/problem-types.ts';
import type { RawRequest, RawResponse } from '../support/raw-http.ts';
import { clientDir, siteUrl } from '../support/site-under-test.ts';

export type Front = 'sidecar' | 'nginx' | 'edge';
type Coding = 'br' | 'gzip';
type Representation = 'html' | 'markdown' | 'json';

/** What a response must be. What is left out is not looked at, except that it is the same from all fronts. */
export interface Expected {
  status: number;
  /** Exact value of Content-Type; null when the header must be missing. */
  type?: string | null;
  /** Members of Vary, in any order. */
  vary?: string[];
  coding?: Coding | null;
  /** File of the build, without the ending of its coding, whose bytes are the body. */
  file?: string;
  /** The page whose twin this is: X-Bytes-Saved and X-Markdown-Tokens follow from the files on disk; null: neither header. */
  saved?: string | null;
  /** Relations of the Link header, sorted; empty when there must be none. */
  links?: string[];
  etag?: boolean;
  allow?: string;
  cache?: string;
  location?: string;
  /** The body is this problem. */
  problem?: ProblemSlug;
  empty?: boolean;
}

export interface Row {
  name: string;
  request: RawRequest;
  expected: Expected;
  /** Sent as If-None-Match: made from the ETag of the same request without it. */
  ifNoneMatch?: (etag: string) => string;
  ifMatch?: (etag: string) => string;
  /** Where one front differs and HTTP leaves it free to; the reason stands beside the row. */
  differs?: Partial<Record<Front, Expected>>;
}

const types: Record<Representation, string> = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
};
const endings: Record<Representation, string> = { html: 'html', markdown: 'md', json: 'json' };
const htmlLinks = [
  'ai-catalog',
  'alternate',
  'alternate',
  'api-catalog',
  'ard',
  'describedby',
  'service-desc',
  'service-doc',
];
const twinLinks = ['canonical', 'describedby'];

/** What a negotiated response depends on. */
const negotiated = ['Accept', 'Accept-Encoding'];

/** A page or a twin, prebuilt: bytes from disk. */
export const page = (path: string, representation: Representation, coding: Coding | null = null): Expected => ({
  ...livePage(representation, coding),
  cache: 'public, max-age=300',
  file: `${path.slice(1)}.${endings[representation]}`,
  saved: representation === 'markdown' ? path.slice(1) : null,
});

/** A page that the sidecar renders: the same from both fronts, whatever it holds now. */
const livePage = (representation: Representation, coding: Coding | null = null): Expected => ({
  status: 200,
  type: types[representation],
  vary: negotiated,
  coding,
  links: representation === 'html' ? htmlLinks : twinLinks,
  etag: true,
});

/** A file that is served as it is. */
const file = (path: string, type: string, coding: Coding | null = null): Expected => ({
  status: 200,
  type,
  vary: ['Accept-Encoding'],
  coding,
  file: path.slice(1),
  saved: null,
  links: [],
  etag: true,
  cache: 'public, max-age=300',
});

const problem = (status: number, slug: ProblemSlug, more: Partial<Expected> = {}): Expected => ({
  status,
  type: 'application/problem+json',
  coding: null,
  cache: 'no-store',
  problem: slug,
  etag: false,
  links: [],
  ...more,
});

export const missing = (representation: 'html' | 'markdown', coding: Coding | null = null): Expected => ({
  status: 404,
  type: types[representation],
  vary: negotiated,
  coding,
  file: `404.${endings[representation]}`,
  saved: representation === 'markdown' ? '404' : null,
  links: [],
  etag: false,
  cache: 'no-store',
});

/** A list of the API that's kept ready. */
const readyList: Expected = {
  status: 200,
  type: 'application/json; charset=utf-8',
  cache: 'no-cache',
  vary: ['Accept-Encoding'],
  etag: true,
  links: [],
};
const notModified: Expected = {
  status: 304,
  type: null,
  vary: negotiated,
  etag: true,
  empty: true,
  cache: 'public, max-age=300',
};

/** A problem that is told before the request is read: no representation is chosen, so nothing varies. */
const unread = (status: number, slug: ProblemSlug): Expected => problem(status, slug);

const get = (target: string, headers: Record<string, string> = {}, method = 'GET'): RawRequest => ({
  method,
  target,
  headers: Object.entries(headers),
});
const raw = (...lines: string[]): RawRequest => ({ bytes: `${lines.join('\r\n')}\r\n\r\n` });

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const aiAgent = 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)';
const markdown = { Accept: 'text/markdown' };
const json = { Accept: 'application/json' };
const br = { 'Accept-Encoding': 'br' };
const gzip = { 'Accept-Encoding': 'gzip' };
const skill = '/.well-known/agent-skills/read-this-site/SKILL.md';
const apiProblem = { vary: ['Accept', 'Accept-Encoding'] };
const stylesheet = /href="(\/assets\/[^"]+\.css)"/.exec(readFileSync(join(clientDir, 'about.html'), 'utf8'))?.[1] ?? '';

// biome-ignore format: a row of the table is a line of its own
export const rows: Row[] = [
  // A page in its representations and codings.
  { name: 'no Accept', request: get('/about'), expected: page('/about', 'html') },
  { name: 'a browser', request: get('/about', { Accept: browser, 'Accept-Encoding': 'gzip, deflate, br, zstd' }), expected: page('/about', 'html', 'br') },
  { name: 'HTML, brotli', request: get('/about', { Accept: 'text/html', ...br }), expected: page('/about', 'html', 'br') },
  { name: 'HTML, gzip', request: get('/about', { Accept: 'text/html', ...gzip }), expected: page('/about', 'html', 'gzip') },
  { name: 'markdown', request: get('/about', markdown), expected: page('/about', 'markdown') },
  { name: 'markdown, brotli', request: get('/about', { ...markdown, ...br }), expected: page('/about', 'markdown', 'br') },
  { name: 'markdown, gzip', request: get('/about', { ...markdown, ...gzip }), expected: page('/about', 'markdown', 'gzip') },
  { name: 'JSON', request: get('/about', json), expected: page('/about', 'json') },
  { name: 'JSON, brotli', request: get('/about', { ...json, ...br }), expected: page('/about', 'json', 'br') },
  { name: 'JSON, gzip', request: get('/about', { ...json, ...gzip }), expected: page('/about', 'json', 'gzip') },
  { name: 'a coding agent', request: get('/about', { Accept: 'text/markdown, text/html, */*' }), expected: page('/about', 'markdown') },
  { name: 'weights decide', request: get('/about', { Accept: 'text/markdown;q=0.5, text/html' }), expected: page('/about', 'html') },
  { name: 'anything', request: get('/about', { Accept: '*/*' }), expected: page('/about', 'html') },
  { name: 'an empty Accept', request: get('/about', { Accept: '' }), expected: page('/about', 'html') },
  { name: 'another type gets the HTML', request: get('/about', { Accept: 'image/png' }), expected: page('/about', 'html') },
  { name: 'HTML refused, the rest allowed', request: get('/about', { Accept: 'text/html;q=0, */*' }), expected: page('/about', 'markdown') },
  { name: 'garbage in Accept', request: get('/about', { Accept: ';;;,,,q=1,"' }), expected: page('/about', 'html') },
  { name: 'a control character in Accept', request: get('/about', { Accept: 'text/markdown\t' }), expected: page('/about', 'markdown') },
  { name: 'bytes beyond ASCII in Accept', request: get('/about', { Accept: 'text/markdown, té/xt' }), expected: page('/about', 'markdown') },
  { name: 'an Accept of 6 KB', request: get('/about', { Accept: `${'a/b, '.repeat(1200)}text/markdown` }), expected: page('/about', 'markdown') },
  { name: 'a query changes nothing', request: get('/about?utm_source=x', markdown), expected: page('/about', 'markdown') },
  { name: 'a section', request: get('/developers.md?section=limits'), expected: livePage('markdown') },
  { name: 'a section, by Accept at the address of the page, gzip', request: get('/developers?section=limits', { ...markdown, ...gzip }), expected: livePage('markdown', 'gzip') },
  { name: 'a section of a page that takes a form', request: get('/playbook?section=chapters', markdown), expected: { status: 404, vary: ['Accept'] } },
  { name: 'a section of a live page, HEAD', request: get('/guestbook.md?section=none', json, 'HEAD'), expected: problem(404, 'not-found', { vary: ['Accept'], empty: true }) },
  { name: 'a section is of the markdown alone', request: get('/developers?section=limits'), expected: page('/developers', 'html') },
  { name: 'no such section', request: get('/developers.md?section=none', json), expected: problem(404, 'not-found', { vary: ['Accept'] }) },
  { name: 'a section, with a method that does not read', request: get('/developers.md?section=limits', json, 'PUT'), expected: { status: 405, allow: 'GET, HEAD' } },
  { name: 'a nested page', request: get('/techniques/llms-txt', { ...markdown, ...br }), expected: page('/techniques/llms-txt', 'markdown', 'br') },
  { name: 'the page of an error type', request: get('/problems/not-found', json), expected: page('/problems/not-found', 'json') },
  { name: 'a path in other letters', request: get('/About'), expected: redirect('/about') },
  { name: 'a record in other letters, with a query', request: get('/crawlers/GPTBot?a=1'), expected: redirect('/crawlers/gptbot?a=1') },
  { name: 'a twin in other letters', request: get('/crawlers/GPTBot.md'), expected: redirect('/crawlers/gptbot.md') },
  { name: 'nothing, in other letters', request: get('/Nothing-Here'), expected: missing('html') },
  { name: 'a percent-encoded letter', request: get('/%61bout', markdown), expected: page('/about', 'markdown') },

  // What a client calls itself selects nothing.
  { name: 'an AI agent without Accept', request: get('/about', { 'User-Agent': aiAgent }), expected: page('/about', 'html') },
  { name: 'an AI agent that takes anything', request: get('/about', { 'User-Agent': aiAgent, Accept: '*/*', ...br }), expected: page('/about', 'html', 'br') },
  { name: 'an AI agent that names markdown', request: get('/about', { 'User-Agent': aiAgent, ...markdown }), expected: page('/about', 'markdown') },
  { name: 'an AI agent that refuses markdown', request: get('/about', { 'User-Agent': aiAgent, Accept: 'text/markdown;q=0, */*' }), expected: page('/about', 'html') },
  { name: 'an AI agent at the address of nothing', request: get('/nothing-here', { 'User-Agent': aiAgent }), expected: missing('html') },
  { name: 'an AI agent at the home page', request: get('/', { 'User-Agent': aiAgent }), expected: livePage('html') },

  // Content codings.
  { name: 'gzip before brotli in the list', request: get('/about', { 'Accept-Encoding': 'gzip, br' }), expected: page('/about', 'html', 'br') },
  { name: 'brotli refused', request: get('/about', { 'Accept-Encoding': 'br;q=0, gzip' }), expected: page('/about', 'html', 'gzip') },
  { name: 'both refused', request: get('/about', { 'Accept-Encoding': 'br;q=0, gzip;q=0' }), expected: page('/about', 'html') },
  { name: 'identity', request: get('/about', { 'Accept-Encoding': 'identity' }), expected: page('/about', 'html') },
  { name: 'any coding is no wish for one', request: get('/about', { 'Accept-Encoding': '*' }), expected: page('/about', 'html') },
  { name: 'unknown codings', request: get('/about', { 'Accept-Encoding': 'zstd, compress' }), expected: page('/about', 'html') },
  { name: 'a coding with a small weight', request: get('/about', { 'Accept-Encoding': 'gzip;q=0.1' }), expected: page('/about', 'html', 'gzip') },

  // HEAD.
  { name: 'HEAD, HTML', request: get('/about', {}, 'HEAD'), expected: page('/about', 'html') },
  { name: 'HEAD, markdown, brotli', request: get('/about', { ...markdown, ...br }, 'HEAD'), expected: page('/about', 'markdown', 'br') },
  { name: 'HEAD, JSON, gzip', request: get('/about', { ...json, ...gzip }, 'HEAD'), expected: page('/about', 'json', 'gzip') },
  { name: 'HEAD, a live page', request: get('/', {}, 'HEAD'), expected: { ...livePage('html'), empty: true } },
  { name: 'HEAD, a file', request: get('/llms.txt', {}, 'HEAD'), expected: file('/llms.txt', 'text/markdown; charset=utf-8') },
  { name: 'HEAD, nothing there', request: get('/nothing-here', {}, 'HEAD'), expected: missing('html') },

  // Conditional requests.
  { name: 'If-None-Match, hit', request: get('/about'), ifNoneMatch: (etag) => etag, expected: { ...notModified, links: htmlLinks } },
  { name: 'If-None-Match, miss', request: get('/about'), ifNoneMatch: () => '"another"', expected: page('/about', 'html') },
  { name: 'If-None-Match, weak', request: get('/about', markdown), ifNoneMatch: (etag) => `W/${etag}`, expected: { ...notModified, saved: 'about' } },
  { name: 'If-None-Match, a list', request: get('/about', json), ifNoneMatch: (etag) => `"a", W/"b", ${etag}`, expected: notModified },
  { name: 'If-None-Match, any', request: get('/about', br), ifNoneMatch: () => '*', expected: notModified },
  { name: 'If-None-Match, HEAD', request: get('/about', br, 'HEAD'), ifNoneMatch: (etag) => etag, expected: notModified },
  { name: 'If-None-Match, a file', request: get('/openapi.json', gzip), ifNoneMatch: (etag) => etag, expected: { ...notModified, vary: ['Accept-Encoding'], links: [] } },
  { name: 'If-None-Match, a live page', request: get('/', markdown), ifNoneMatch: (etag) => etag, expected: { status: 304, type: null, vary: negotiated, empty: true, etag: true } },
  { name: 'If-None-Match without quotes', request: get('/about'), ifNoneMatch: (etag) => etag.slice(1, -1), expected: page('/about', 'html') },
  { name: 'If-None-Match of a missing page', request: get('/nothing-here'), ifNoneMatch: () => '*', expected: missing('html') },
  { name: 'If-Match, hit', request: get('/about'), ifMatch: (etag) => etag, expected: page('/about', 'html') },
  { name: 'If-Match, any', request: get('/about'), ifMatch: () => '*', expected: page('/about', 'html') },
  { name: 'If-Match, miss', request: get('/about'), ifMatch: () => '"another"', expected: problem(412, 'precondition-failed', { vary: ['Accept'] }) },
  { name: 'If-Modified-Since means nothing here: no response has a date of change', request: get('/about', { 'If-Modified-Since': 'Sat, 29 Oct 2044 19:43:31 GMT' }), expected: page('/about', 'html') },
  // The resource has no date of change, so the header is to be ignored (RFC 9110 section 13.1.4). nginx compares it with
  // the time of the file, which is a hash here, and has no switch for it. Only clients that resume a download send it.
  { name: 'If-Unmodified-Since', request: get('/about', { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:01 GMT' }), expected: page('/about', 'html'), differs: { nginx: problem(412, 'precondition-failed', { vary: ['Accept'] }) } },
  { name: 'a range of bytes is not cut', request: get('/about', { Range: 'bytes=0-9' }), expected: page('/about', 'html') },

  // The twins' own addresses: the representation is in the address, whatever Accept says.
  { name: 'markdown twin', request: get('/about.md'), expected: page('/about', 'markdown') },
  { name: 'markdown twin, brotli', request: get('/about.md', br), expected: page('/about', 'markdown', 'br') },
  { name: 'markdown twin for a browser', request: get('/about.md', { Accept: browser }), expected: page('/about', 'markdown') },
  { name: 'JSON twin', request: get('/about.json'), expected: page('/about', 'json') },
  { name: 'JSON twin, gzip', request: get('/about.json', { Accept: 'text/html;q=0', ...gzip }), expected: page('/about', 'json', 'gzip') },
  { name: 'a twin whose page has a dot in its name', request: get('/models/gpt-4.1.md'), expected: page('/models/gpt-4.1', 'markdown') },
  { name: 'the page with the dot', request: get('/models/gpt-4.1', json), expected: page('/models/gpt-4.1', 'json') },
  { name: 'a twin of nothing is answered in its representation', request: get('/nothing-here.md'), expected: missing('markdown') },
  { name: 'a twin of nothing, to a browser', request: get('/nothing-here.md', { Accept: browser }), expected: missing('markdown') },
  { name: 'a twin of nothing, JSON preferred', request: get('/nothing-here.md', { Accept: 'application/json, */*;q=0.1' }), expected: missing('markdown') },
  { name: 'a twin of nothing, markdown not accepted', request: get('/nothing-here.md', { Accept: 'text/html' }), expected: missing('html') },
  { name: 'a twin of nothing, markdown refused', request: get('/nothing-here.md', { Accept: 'text/markdown;q=0, */*' }), expected: missing('html') },
  { name: 'a twin of nothing, JSON alone', request: get('/nothing-here.md', json), expected: problem(404, 'not-found', { vary: ['Accept'] }) },
  { name: 'a twin of nothing, an empty Accept', request: get('/nothing-here.md', { Accept: ' ' }), expected: missing('markdown') },
  { name: 'a text of nothing', request: get('/nothing/here.txt'), expected: missing('markdown') },
  { name: 'a JSON twin of nothing is a problem', request: get('/nothing-here.json'), expected: problem(404, 'not-found', { vary: ['Accept'] }) },
  { name: 'a JSON twin of nothing, to a browser', request: get('/nothing-here.json', { Accept: browser }), expected: problem(404, 'not-found', { vary: ['Accept'] }) },
  { name: 'a JSON twin of nothing, to an AI agent', request: get('/nothing-here.json', { 'User-Agent': aiAgent, Accept: '*/*' }), expected: problem(404, 'not-found', { vary: ['Accept'] }) },
  { name: 'a JSON twin of nothing, to POST', request: get('/nothing-here.json', {}, 'POST'), expected: problem(404, 'not-found', { vary: ['Accept'] }) },
  { name: 'a JSON twin of nothing, an empty Accept', request: get('/nothing-here.json', { Accept: '' }), expected: problem(404, 'not-found', { vary: ['Accept'] }) },
  { name: 'a JSON twin of nothing, markdown alone', request: get('/nothing-here.json', markdown), expected: missing('markdown') },
  { name: 'a JSON twin of nothing, JSON of no weight', request: get('/nothing-here.json', { Accept: 'application/json;q=0.000, */*' }), expected: missing('html') },
  { name: 'another ending speaks of nothing', request: get('/nothing-here.jsonl'), expected: missing('html') },
  { name: 'an ending before a line break', request: get('/nothing-here.md%0a'), expected: missing('html') },

  // Live pages.
  { name: 'home page', request: get('/'), expected: livePage('html') },
  { name: 'home page, brotli', request: get('/', br), expected: livePage('html', 'br') },
  { name: 'home page, markdown', request: get('/', markdown), expected: livePage('markdown') },
  { name: 'home page, JSON, gzip', request: get('/', { ...json, ...gzip }), expected: livePage('json', 'gzip') },
  { name: 'home page, markdown twin', request: get('/index.md'), expected: livePage('markdown') },
  { name: 'home page, JSON twin', request: get('/index.json'), expected: livePage('json') },
  { name: 'home page, nothing acceptable', request: get('/', { Accept: 'text/html;q=0' }), expected: problem(406, 'not-acceptable', { vary: ['Accept'] }) },
  { name: 'home page, POST', request: get('/', {}, 'POST'), expected: problem(405, 'method-not-allowed', { allow: 'GET, HEAD' }) },

  { name: 'the audit', request: get('/audit'), expected: livePage('html') },
  { name: 'the audit, markdown, brotli', request: get('/audit', { ...markdown, ...br }), expected: livePage('markdown', 'br') },
  { name: 'the audit, JSON twin', request: get('/audit.json'), expected: livePage('json') },
  { name: 'the audit, a site without a report', request: get('/audit?url=https://example.com/'), expected: { ...livePage('html'), status: 404, etag: false, cache: 'no-cache' } },
  { name: 'the audit, a site without a report, JSON twin', request: get('/audit.json?url=https://example.com/'), expected: { ...livePage('json'), status: 404, etag: false, cache: 'no-cache' } },
  { name: 'the page of the audit, an address that may not be fetched', request: get('/audit?url=http://10.0.0.1/', json), expected: problem(422, 'audit-target-refused', { vary: ['Accept'] }) },
  { name: 'the page of questions, a parameter from elsewhere', request: get('/ask?utm_source=chatgpt.com'), expected: livePage('html') },
  { name: 'an answer, with a parameter from elsewhere', request: get('/ask?q=What%20is%20MCP&utm_source=chatgpt.com'), expected: { ...livePage('html'), etag: true, cache: 'public, max-age=60' } },
  { name: 'the audit, a parameter from elsewhere', request: get('/audit?utm_source=chatgpt.com'), expected: livePage('html') },
  { name: 'the audit, a site and a parameter from elsewhere', request: get('/audit?utm_source=x&url=https://example.com/'), expected: { ...livePage('html'), status: 404, etag: false, cache: 'no-cache' } },
  { name: 'the form of the audit, an address that may not be fetched', request: { method: 'POST', target: '/audit', headers: [['Content-Type', 'application/x-www-form-urlencoded']], body: 'url=http://10.0.0.1/' }, expected: problem(422, 'audit-target-refused', { vary: ['Accept'] }) },
  { name: 'the form of the audit, JSON', request: { method: 'POST', target: '/audit', headers: [['Content-Type', 'application/json']], body: '{}' }, expected: problem(415, 'unsupported-media-type', { vary: ['Accept'] }) },
  { name: 'the audit, PUT', request: get('/audit', {}, 'PUT'), expected: problem(405, 'method-not-allowed', { vary: ['Accept'], allow: 'GET, HEAD, POST, OPTIONS' }) },

  // Files with types of their own.
  { name: 'llms.txt', request: get('/llms.txt'), expected: file('/llms.txt', 'text/markdown; charset=utf-8') },
  { name: 'llms.txt, brotli', request: get('/llms.txt', br), expected: file('/llms.txt', 'text/markdown; charset=utf-8', 'br') },
  { name: 'llms-full.txt, gzip', request: get('/llms-full.txt', gzip), expected: file('/llms-full.txt', 'text/markdown; charset=utf-8', 'gzip') },
  { name: 'robots.txt', request: get('/robots.txt'), expected: file('/robots.txt', 'text/plain; charset=utf-8') },
  { name: 'sitemap.xml', request: get('/sitemap.xml'), expected: file('/sitemap.xml', 'application/xml; charset=utf-8') },
  { name: 'sitemap.md', request: get('/sitemap.md'), expected: file('/sitemap.md', 'text/markdown; charset=utf-8') },
  { name: 'feed.atom', request: get('/feed.atom', gzip), expected: file('/feed.atom', 'application/atom+xml; charset=utf-8', 'gzip') },
  { name: 'openapi.json', request: get('/openapi.json'), expected: file('/openapi.json', 'application/vnd.oai.openapi+json;version=3.1') },
  { name: 'openapi.json, brotli', request: get('/openapi.json', br), expected: file('/openapi.json', 'application/vnd.oai.openapi+json;version=3.1', 'br') },
  { name: 'agents.json', request: get('/.well-known/agents.json'), expected: file('/.well-known/agents.json', 'application/json') },
  { name: 'agents.json, whatever is accepted', request: get('/.well-known/agents.json', { Accept: 'text/html' }), expected: file('/.well-known/agents.json', 'application/json') },
  { name: 'api-catalog', request: get('/.well-known/api-catalog'), expected: { ...file('/.well-known/api-catalog', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'), links: ['api-catalog'] } },
  { name: 'api-catalog, HEAD', request: get('/.well-known/api-catalog', gzip, 'HEAD'), expected: { ...file('/.well-known/api-catalog', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"', 'gzip'), links: ['api-catalog'] } },
  { name: 'ai-catalog.json', request: get('/.well-known/ai-catalog.json'), expected: file('/.well-known/ai-catalog.json', 'application/ai-catalog+json') },
  { name: 'security.txt', request: get('/.well-known/security.txt'), expected: file('/.well-known/security.txt', 'text/plain; charset=utf-8') },
  { name: 'SKILL.md', request: get(skill), expected: file(skill, 'text/markdown; charset=utf-8') },
  { name: 'the index of skills', request: get('/.well-known/agent-skills/index.json', br), expected: file('/.well-known/agent-skills/index.json', 'application/json', 'br') },
  { name: 'the schema of the manifest', request: get('/schemas/agents.json'), expected: file('/schemas/agents.json', 'application/schema+json') },
  { name: 'a dataset as CSV', request: get('/glossary.csv', gzip), expected: file('/glossary.csv', 'text/csv; charset=utf-8; header=present', 'gzip') },
  { name: 'a dataset as JSON Lines', request: get('/glossary.jsonl'), expected: file('/glossary.jsonl', 'application/jsonl; charset=utf-8') },
  { name: 'favicon.svg', request: get('/favicon.svg'), expected: file('/favicon.svg', 'image/svg+xml') },
  { name: 'a stylesheet is kept for a year', request: get(stylesheet, br), expected: { ...file(stylesheet, 'text/css; charset=utf-8', 'br'), cache: 'public, max-age=31536000, immutable' } },
  { name: 'the coded form of a page has no address', request: get('/about.html.br'), expected: missing('html') },
  { name: 'the coded form of a stylesheet has no address', request: get(`${stylesheet}.gz`), expected: missing('html') },
  { name: 'what static hosts read is not served', request: get('/_headers'), expected: missing('html') },
  { name: 'a folder is no address', request: get('/assets/'), expected: missing('html') },

  // Redirects. nginx writes a body of its own; the sidecar writes none.
  { name: 'a slash at the end', request: get('/about/'), expected: redirect('/about') },
  { name: 'an ending', request: get('/about.html'), expected: redirect('/about') },
  { name: 'a redirect keeps the query', request: get('/techniques/?a=b&c=%20'), expected: redirect('/techniques?a=b&c=%20') },
  { name: 'index.html', request: get('/index.html'), expected: redirect('/') },
  { name: 'a redirect of HEAD', request: get('/about/', {}, 'HEAD'), expected: redirect('/about') },
  { name: 'a redirect keeps the method, so POST is told too', request: get('/about/', {}, 'POST'), expected: redirect('/about') },
  { name: 'two slashes at the end', request: get('/about//'), expected: missing('html') },
  { name: 'two slashes in front: no redirect to another host', request: get('//evil.example/'), expected: missing('html') },

  // Nothing there, in the representation asked for.
  { name: '404 as HTML', request: get('/nothing-here', { Accept: browser }), expected: missing('html') },
  { name: '404 as HTML, gzip', request: get('/nothing-here', gzip), expected: missing('html', 'gzip') },
  { name: '404 as markdown', request: get('/nothing-here', markdown), expected: missing('markdown') },
  { name: '404 as markdown, brotli', request: get('/nothing/here', { ...markdown, ...br }), expected: missing('markdown', 'br') },
  { name: '404 as JSON is a problem', request: get('/nothing-here', json), expected: problem(404, 'not-found', { vary: ['Accept'] }) },
  { name: '404 although HTML is refused', request: get('/nothing-here', { Accept: 'text/html;q=0' }), expected: missing('html') },
  { name: '404 to POST', request: get('/nothing-here', {}, 'POST'), expected: missing('html') },
  { name: '404 to DELETE, JSON', request: get('/nothing-here', json, 'DELETE'), expected: problem(404, 'not-found', { vary: ['Accept'] }) },
  { name: 'the 404 page has no address of its own', request: get('/404', markdown), expected: missing('markdown') },
  { name: 'the file of the 404 page has none either', request: get('/404.html'), expected: missing('html') },
  { name: 'nor has its JSON twin', request: get('/404.json'), expected: problem(404, 'not-found', { vary: ['Accept'] }) },
  { name: 'what nginx calls its own is closed', request: get('/__problem/not-found'), expected: missing('html') },
  { name: 'and so are its files', request: get('/__page/about.html'), expected: missing('html') },

  // Nothing acceptable, methods.
  { name: '406', request: get('/about', { Accept: 'text/html;q=0' }), expected: problem(406, 'not-acceptable', { vary: ['Accept'] }) },
  { name: '406 with all refused', request: get('/about', { Accept: 'text/html;q=0, */*;q=0' }), expected: problem(406, 'not-acceptable', { vary: ['Accept'] }) },
  { name: 'POST', request: get('/about', {}, 'POST'), expected: problem(405, 'method-not-allowed', { allow: 'GET, HEAD' }) },
  { name: 'PUT', request: get('/llms.txt', json, 'PUT'), expected: problem(405, 'method-not-allowed', { allow: 'GET, HEAD' }) },
  { name: 'DELETE of a twin', request: get('/about.md', {}, 'DELETE'), expected: problem(405, 'method-not-allowed', { allow: 'GET, HEAD' }) },
  { name: 'PATCH of a file with a type of its own', request: get('/feed.atom', {}, 'PATCH'), expected: problem(405, 'method-not-allowed', { allow: 'GET, HEAD' }) },
  { name: 'OPTIONS of a page', request: get('/about', {}, 'OPTIONS'), expected: problem(405, 'method-not-allowed', { allow: 'GET, HEAD' }) },
  { name: 'TRACE of a page', request: get('/about', {}, 'TRACE'), expected: problem(405, 'method-not-allowed', { allow: 'GET, HEAD' }) },
  { name: '405 as a page', request: get('/about', { Accept: browser }, 'DELETE'), expected: { status: 405, type: types.html, allow: 'GET, HEAD', cache: 'no-store', etag: false, links: [] } },
  { name: 'CONNECT is no method of a site', request: get('/about', {}, 'CONNECT'), expected: problem(405, 'method-not-allowed', { allow: 'GET, HEAD' }) },
  // A method that nobody knows: nginx reads the request and refuses the method, Node's parser does not read it. RFC 9110
  // section 9.1 asks for a 4xx or 501.
  { name: 'an unknown method', request: get('/about', {}, 'GREET'), expected: problem(405, 'method-not-allowed', { allow: 'GET, HEAD' }), differs: { sidecar: unread(400, 'invalid-request') } },

  // The API: nginx hands it on.
  { name: 'API', request: get('/api/techniques'), expected: { status: 200, type: 'application/json; charset=utf-8', cache: 'no-store', links: [] } },
  { name: 'API, brotli', request: get('/api/techniques', { 'Accept-Encoding': 'gzip, br' }), expected: { status: 200, type: 'application/json; charset=utf-8', vary: ['Accept-Encoding'], coding: 'br' } },
  { name: 'API, gzip', request: get('/api/techniques', gzip), expected: { status: 200, type: 'application/json; charset=utf-8', vary: ['Accept-Encoding'], coding: 'gzip' } },
  { name: 'API, HEAD', request: get('/api/techniques', {}, 'HEAD'), expected: { status: 200, type: 'application/json; charset=utf-8', empty: true } },
  { name: 'API, unknown endpoint', request: get('/api/nothing-here'), expected: problem(404, 'not-found', apiProblem) },
  { name: 'API, unknown endpoint, as a page', request: get('/api/nothing-here', { Accept: browser }), expected: { status: 404, type: types.html, vary: ['Accept', 'Accept-Encoding'], cache: 'no-store' } },
  { name: 'API, a parameter from elsewhere', request: get('/api/techniques?utm_source=chatgpt.com'), expected: { status: 200, type: 'application/json; charset=utf-8', cache: 'no-store' } },
  { name: 'API, a list with parameters from elsewhere', request: get('/api/crawlers?utm_source=a&fbclid=b'), expected: { status: 200, type: 'application/json; charset=utf-8', cache: 'no-store' } },
  { name: 'API, a record with a parameter from elsewhere', request: get('/api/protocols/mcp?utm_source=a'), expected: { status: 200, type: 'application/json; charset=utf-8', cache: 'no-store' } },
  { name: 'API, a list with an unknown filter', request: get('/api/crawlers?x=1'), expected: problem(400, 'invalid-query', apiProblem) },
  { name: 'MCP', request: { method: 'POST', target: '/mcp', headers: [['Content-Type', 'application/json']], body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }, expected: { status: 200, type: 'application/json; charset=utf-8', cache: 'no-store' } },
  { name: 'MCP, no JSON', request: { method: 'POST', target: '/mcp', headers: [['Content-Type', 'application/json']], body: '{' }, expected: { status: 400, type: 'application/json; charset=utf-8', cache: 'no-store' } },
  { name: 'MCP, GET', request: get('/mcp'), expected: problem(405, 'method-not-allowed', { allow: 'POST, OPTIONS' }) },
  { name: 'MCP, a long body', request: { method: 'POST', target: '/mcp', headers: [['Content-Type', 'application/json']], body: 'a'.repeat(20_000) }, expected: problem(413, 'body-too-large') },
  { name: 'the server card of MCP', request: get('/mcp/server-card', gzip), expected: file('/mcp/server-card', 'application/mcp-server-card+json', 'gzip') },
  { name: 'API, POST to a read', request: get('/api/techniques', {}, 'POST'), expected: problem(405, 'method-not-allowed', { ...apiProblem, allow: 'GET, HEAD, OPTIONS' }) },
  { name: 'API, OPTIONS', request: get('/api/techniques', {}, 'OPTIONS'), expected: { status: 204, allow: 'GET, HEAD, OPTIONS', empty: true } },
  // nginx refuses TRACE before it knows whose address it is; the methods that it names are allowed, one is left out.
  { name: 'API, TRACE', request: get('/api/techniques', {}, 'TRACE'), expected: problem(405, 'method-not-allowed', { ...apiProblem, allow: 'GET, HEAD, OPTIONS' }), differs: { nginx: problem(405, 'method-not-allowed', { vary: ['Accept'], allow: 'GET, HEAD' }) } },
  { name: 'API, a broken parameter in the path', request: get('/api/crawlers/%ff'), expected: problem(400, 'invalid-request', apiProblem) },
  { name: 'API, a path that ends in a slash', request: get('/api/techniques/'), expected: { status: 308, location: '/api/techniques' } },
  { name: 'the audit, GET', request: get('/api/audit'), expected: problem(405, 'method-not-allowed', { ...apiProblem, allow: 'POST, OPTIONS' }) },
  { name: 'the audit, a body without a type', request: { method: 'POST', target: '/api/audit', body: '{}' }, expected: problem(415, 'unsupported-media-type', apiProblem) },
  { name: 'the audit, an address that may not be fetched', request: { method: 'POST', target: '/api/audit', headers: [['Content-Type', 'application/json']], body: '{"url":"http://10.0.0.1/"}' }, expected: problem(422, 'audit-target-refused', apiProblem) },
  { name: 'the list of the guestbook', request: get('/api/guestbook'), expected: readyList },
  { name: 'the list of the guestbook, whatever is accepted', request: get('/api/guestbook', { Accept: 'text/html', 'Accept-Encoding': 'gzip;q=0' }), expected: readyList },
  { name: 'the list of the guestbook, HEAD', request: get('/api/guestbook', {}, 'HEAD'), expected: readyList },
  { name: 'the list of the guestbook, to a client that has it', request: get('/api/guestbook'), ifNoneMatch: (etag) => etag, expected: { status: 304, cache: 'no-cache', vary: ['Accept-Encoding'], etag: true, links: [] } },
  { name: 'the list of the guestbook, If-Match, hit', request: get('/api/guestbook'), ifMatch: (etag) => etag, expected: readyList },
  { name: 'the list of the guestbook, If-Match, any', request: get('/api/guestbook'), ifMatch: () => '*', expected: readyList },
  { name: 'the list of the guestbook, If-Match, weak: the comparison is strong', request: get('/api/guestbook'), ifMatch: (etag) => `W/${etag}`, expected: problem(412, 'precondition-failed', { vary: ['Accept'] }) },
  { name: 'the list of the guestbook, If-Match, miss', request: get('/api/guestbook'), ifMatch: () => '"another"', expected: problem(412, 'precondition-failed', { vary: ['Accept'] }) },
  { name: 'the list of the guestbook, narrowed, has no entity tag that If-Match could miss', request: get('/api/guestbook?limit=1'), ifMatch: () => '"another"', expected: { status: 200, type: 'application/json; charset=utf-8', etag: false } },
  { name: 'the directory', request: get('/api/directory'), expected: readyList },
  { name: 'the page of the directory', request: get('/directory', { Accept: 'text/html' }), expected: livePage('html') },
  { name: 'the page of the directory with an address filled in', request: get('/directory?url=https%3A%2F%2Fexample.com', { Accept: 'text/html' }), expected: livePage('html') },
  { name: 'the form of the directory, of another type', request: { method: 'POST', target: '/directory', headers: [['Content-Type', 'application/json']], body: '{}' }, expected: problem(415, 'unsupported-media-type', { vary: ['Accept'] }) },
  { name: 'the page of the directory, DELETE', request: get('/directory', {}, 'DELETE'), expected: problem(405, 'method-not-allowed', { vary: ['Accept'], allow: 'GET, HEAD, POST, OPTIONS' }) },
  { name: 'the page of the playbook', request: get('/playbook', { Accept: 'text/html' }), expected: page('/playbook', 'html') },
  { name: 'the page of the playbook, as markdown', request: get('/playbook', { Accept: 'text/markdown' }), expected: page('/playbook', 'markdown') },
  { name: 'the page of the playbook, HEAD', request: get('/playbook', { Accept: 'text/html' }, 'HEAD'), expected: { ...livePage('html'), empty: true } },
  { name: 'the page of the playbook, refused', request: get('/playbook', { Accept: 'text/html;q=0' }), expected: problem(406, 'not-acceptable') },
  { name: 'the page of the playbook with a slash', request: get('/playbook/', { Accept: 'text/html' }), expected: { status: 308, location: '/playbook' } },
  { name: 'the form of the playbook, a quote that was made up', request: { method: 'POST', target: '/playbook', headers: [['Content-Type', 'application/x-www-form-urlencoded']], body: 'quote=x' }, expected: problem(422, 'quote-not-valid', { vary: ['Accept', 'Accept-Encoding'] }) },
  { name: 'the page of the playbook, DELETE', request: get('/playbook', {}, 'DELETE'), expected: problem(405, 'method-not-allowed', { vary: ['Accept'], allow: 'GET, HEAD, POST, OPTIONS' }) },
  { name: 'the directory, DELETE', request: get('/api/directory', {}, 'DELETE'), expected: problem(405, 'method-not-allowed', { ...apiProblem, allow: 'GET, HEAD, POST, OPTIONS' }) },
  { name: 'the badge of a score', request: get('/badge.svg?score=85'), expected: { status: 200, type: 'image/svg+xml; charset=utf-8', cache: 'public, max-age=86400', etag: true, links: [] } },
  { name: 'the badge of a score, again', request: get('/badge.svg?score=85'), ifNoneMatch: (etag) => etag, expected: { status: 304, type: null, cache: 'public, max-age=86400', etag: true, empty: true } },
  { name: 'the badge of a score, HEAD', request: get('/badge.svg?score=85', {}, 'HEAD'), expected: { status: 200, type: 'image/svg+xml; charset=utf-8', etag: true, empty: true } },
  { name: 'the badge of no score', request: get('/badge.svg'), expected: problem(400, 'invalid-query', { vary: ['Accept'] }) },
  { name: 'the badge of a site that is not listed', request: get('/badge/0123456789ab.svg'), expected: { status: 200, type: 'image/svg+xml; charset=utf-8', cache: 'public, max-age=300', etag: true } },
  { name: 'the badge of a site, POST', request: get('/badge/0123456789ab.svg', {}, 'POST'), expected: problem(405, 'method-not-allowed', { vary: ['Accept'], allow: 'GET, HEAD, OPTIONS' }) },

  // Bodies over 16 KiB.
  { name: 'a long body to a page', request: { method: 'POST', target: '/about', body: 'a'.repeat(16_385) }, expected: problem(413, 'body-too-large') },
  { name: 'a long body with GET', request: { method: 'GET', target: '/about', body: 'a'.repeat(16_385) }, expected: problem(413, 'body-too-large') },
  { name: 'a long body to the API', request: { method: 'POST', target: '/api/techniques', body: 'a'.repeat(20_000) }, expected: problem(413, 'body-too-large') },
  { name: 'a long body to nobody', request: { method: 'POST', target: '/nothing-here', body: 'a'.repeat(20_000) }, expected: problem(413, 'body-too-large') },
  { name: 'a body of 16 KiB is read away', request: { method: 'GET', target: '/about', body: 'a'.repeat(16_384) }, expected: page('/about', 'html') },
  { name: 'a body that is only announced', request: get('/about', { 'Content-Length': '99999999999' }, 'POST'), expected: problem(413, 'body-too-large') },

  // Long lines.
  { name: 'a URL of 8 KiB', request: get(`/about?${'a'.repeat(8192 - 7)}`), expected: page('/about', 'html') },
  { name: 'a URL of 8 KiB and a byte', request: get(`/about?${'a'.repeat(8192 - 6)}`), expected: problem(414, 'uri-too-long') },
  { name: 'a path of 9 KB', request: get(`/${'a'.repeat(9000)}`), expected: problem(414, 'uri-too-long') },
  { name: 'a query of 9 KB to the API', request: get(`/api/techniques?${'a'.repeat(9000)}`), expected: problem(414, 'uri-too-long') },
  { name: 'a query of 9 KB to a file', request: get(`/feed.atom?${'a'.repeat(9000)}`), expected: problem(414, 'uri-too-long') },
  // Node counts the request line among the headers and cannot tell which of them is too long.
  { name: 'a URL of 100 KB', request: get(`/${'a'.repeat(100_000)}`), expected: problem(414, 'uri-too-long'), differs: { sidecar: unread(431, 'headers-too-large') } },
  { name: 'a header of 9 KB is taken', request: get('/about', { 'X-Long': 'a'.repeat(9000) }), expected: page('/about', 'html') },
  { name: '16 KiB of headers are taken', request: get('/about', Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`X-Long-${index}`, 'a'.repeat(1000)]))), expected: page('/about', 'html') },
  { name: 'a header of 100 KB', request: get('/about', { 'X-Long': 'a'.repeat(100_000) }), expected: unread(431, 'headers-too-large') },
  { name: 'headers of 100 KB in all', request: get('/about', Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`X-Long-${index}`, 'a'.repeat(1000)]))), expected: unread(431, 'headers-too-large') },
  { name: '9,000 headers', request: get('/about', Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`X-${index}`, 'a']))), expected: unread(431, 'headers-too-large') },

  // Paths that try to leave the folder. nginx resolves dot segments, encoded ones too, as RFC 3986 section 5.2.4 has it,
  // and refuses a path that climbs above the root; at the edge the URL standard resolves them; the sidecar compares paths as
  // they are. Nobody gets out either way.
  { name: 'traversal', request: get('/../../etc/passwd'), expected: missing('html'), differs: { nginx: problem(400, 'invalid-request') } },
  { name: 'traversal, encoded dots', request: get('/%2e%2e/%2e%2e/etc/passwd'), expected: missing('html'), differs: { nginx: problem(400, 'invalid-request') } },
  { name: 'traversal, encoded dots and slash', request: get('/%2e%2e%2fetc%2fpasswd'), expected: missing('html'), differs: { nginx: problem(400, 'invalid-request') } },
  { name: 'traversal, encoded slash', request: get('/..%2f..%2fetc/passwd'), expected: missing('html'), differs: { nginx: problem(400, 'invalid-request') } },
  { name: 'traversal out of a folder', request: get('/assets/../../build.json'), expected: problem(404, 'not-found', { vary: ['Accept'] }), differs: { nginx: problem(400, 'invalid-request'), edge: problem(404, 'not-found', { vary: ['Accept'] }) } },
  { name: 'dot segments within the site', request: get('/about/../trust'), expected: missing('html'), differs: { nginx: page('/trust', 'html'), edge: page('/trust', 'html') } },
  { name: 'a dot segment', request: get('/./about'), expected: missing('html'), differs: { nginx: page('/about', 'html'), edge: page('/about', 'html') } },
  { name: 'traversal, encoded twice', request: get('/%252e%252e%252fetc/passwd'), expected: missing('html') },
  { name: 'traversal with backslashes', request: get('/..%5c..%5cetc%5cpasswd'), expected: missing('html') },
  { name: 'a backslash as it is', request: get('/..\\..\\etc\\passwd'), expected: missing('html') },
  { name: 'traversal, over-long UTF-8', request: get('/%c0%ae%c0%ae/etc/passwd'), expected: missing('html') },
  { name: 'NUL', request: get('/about%00'), expected: problem(400, 'invalid-request') },
  { name: 'NUL before an ending', request: get('/about%00.md'), expected: problem(400, 'invalid-request') },
  { name: 'a broken percent-encoding', request: get('/%zz'), expected: problem(400, 'invalid-request') },
  { name: 'a percent sign at the end', request: get('/about%'), expected: problem(400, 'invalid-request') },
  { name: 'half a percent-encoding', request: get('/about%6'), expected: problem(400, 'invalid-request') },
  { name: 'a path that is not UTF-8', request: get('/%ff%fe'), expected: missing('html') },
  { name: 'line breaks in a path do not reach the headers', request: get('/about%0d%0aSet-Cookie:%20a=b/'), expected: missing('html') },
  { name: 'line breaks in a redirect do not reach the headers', request: get('/about/?%0d%0aSet-Cookie:%20a=b'), expected: redirect('/about?%0d%0aSet-Cookie:%20a=b') },

  // Broken requests.
  { name: 'no request at all', request: raw('GARBAGE'), expected: unread(400, 'invalid-request') },
  { name: 'the start of a TLS handshake', request: { bytes: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n' }, expected: unread(400, 'invalid-request') },
  { name: 'a method in small letters', request: raw('get /about HTTP/1.1', 'Host: localhost'), expected: unread(400, 'invalid-request') },
  { name: 'a target without a slash', request: raw('GET about HTTP/1.1', 'Host: localhost'), expected: unread(400, 'invalid-request') },
  { name: 'a version that does not exist', request: raw('GET /about HTTP/9.9', 'Host: localhost'), expected: unread(400, 'invalid-request') },
  { name: 'the target *', request: get('*', {}, 'OPTIONS'), expected: problem(400, 'invalid-request') },
  { name: 'no Host', request: raw('GET /about HTTP/1.1', 'Connection: close'), expected: problem(400, 'invalid-request') },
  { name: 'two Hosts', request: raw('GET /about HTTP/1.1', 'Host: a', 'Host: b', 'Connection: close'), expected: problem(400, 'invalid-request') },
  { name: 'a Host that is none', request: raw('GET /about HTTP/1.1', 'Host: a b', 'Connection: close'), expected: problem(400, 'invalid-request') },
  // Here private hosts may be audited, so the server answers to its own names alone; nginx answers from its files.
  { name: 'another Host is nobody else', request: get('/about', { Host: 'evil.example' }), expected: page('/about', 'html') },
  { name: 'a space in a header name', request: raw('GET /about HTTP/1.1', 'Host: localhost', 'Bad Name: 1', 'Connection: close'), expected: unread(400, 'invalid-request') },
  { name: 'a Content-Length that is no number', request: raw('POST /about HTTP/1.1', 'Host: localhost', 'Content-Length: ten', 'Connection: close'), expected: unread(400, 'invalid-request') },
  { name: 'two lengths: no request is smuggled', request: raw('POST /about HTTP/1.1', 'Host: localhost', 'Content-Length: 5', 'Transfer-Encoding: chunked', 'Connection: close', '', '0'), expected: unread(400, 'invalid-request') },
  { name: 'a transfer coding that nobody knows', request: raw('POST /about HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: brotli', 'Connection: close'), expected: unread(400, 'invalid-request') },
  { name: 'HTTP/1.0 without a Host', request: raw('GET /about HTTP/1.0'), expected: page('/about', 'html') },
  { name: 'HTTP/1.0, markdown', request: raw('GET /about HTTP/1.0', 'Accept: text/markdown'), expected: page('/about', 'markdown') },
  { name: 'HTTP/1.0, the API', request: raw('GET /api/health HTTP/1.0', 'Connection: close'), expected: { status: 200, type: 'application/json; charset=utf-8', cache: 'no-store' } },
  { name: 'the absolute form of a target', request: raw('GET http://localhost/about HTTP/1.1', 'Host: localhost', 'Connection: close'), expected: page('/about', 'html') },
  // HTTP/0.9 has no status. nginx answers in kind, with the body alone; Node reads it as a request without a Host.
  { name: 'HTTP/0.9', request: { bytes: 'GET /about\r\n\r\n' }, expected: { status: 0, file: 'about.html' }, differs: { sidecar: problem(400, 'invalid-request') } },
  { name: 'two spaces in the request line', request: raw('GET  /about HTTP/1.1', 'Host: localhost', 'Connection: close'), expected: page('/about', 'html') },
];

/** A permanent redirect within the site. */
function redirect(location: string): Expected {
  return { status: 308, location, vary: [], cache: 'public, max-age=300', etag: false, links: [], coding: null };
}

const codingEnding: Record<Coding, string> = { br: '.br', gzip: '.gz' };
export const members = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')
    .sort();
const size = (name: string): number => statSync(join(clientDir, name)).size;
const relations = (link: string | undefined): string[] =>
  [...(link ?? '').matchAll(/\brel="([^"]+)"/g)].map(([, relation]) => String(relation)).sort();

function checkProblem(response: RawResponse, slug: ProblemSlug, status: number): void {
  const document = JSON.parse(response.body.toString('utf8')) as Record<string, unknown>;
  assert.equal(document['type'], `${siteUrl}/problems/${slug}`);
  assert.equal(document['status'], status);
  for (const member of ['title', 'detail', 'instance', 'request_id']) {
    assert.equal(typeof document[member], 'string', member);
    assert.notEqual(document[member], '', member);
  }
  const requestId = response.header('x-request-id');
  assert.equal(document['request_id'], requestId ?? 'unread');
  assert.ok(existsSync(join(clientDir, 'problems', `${slug}.html`)), `no page describes ${slug}`);
}

export function check(response: RawResponse, expected: Expected, method: string | undefined): void {
  assert.equal(response.status, expected.status, `status; body: ${response.body.toString('utf8').slice(0, 200)}`);
  if (response.version === '') {
    assert.deepEqual(response.body, readFileSync(join(clientDir, expected.file ?? '')));
    return;
  }
  assert.ok(response.status < 500, 'bad input gives no 5xx');
  assert.equal(response.header('x-agent-welcome'), `${siteUrl}/llms.txt`);
  assert.equal(response.header('x-powered-by'), undefined);
  assert.doesNotMatch(response.header('server') ?? '', /\d/, 'the version of a server is not told');
  assert.equal(response.header('set-cookie'), undefined);
  if (expected.type !== undefined) {
    assert.equal(response.header('content-type') ?? null, expected.type, 'Content-Type');
  }
  if (expected.vary !== undefined) {
    assert.deepEqual(members(response.header('vary')), [...expected.vary].sort(), 'Vary');
  }
  if (expected.coding !== undefined) {
    assert.equal(response.header('content-encoding') ?? null, expected.coding, 'Content-Encoding');
  }
  if (expected.etag !== undefined) {
    assert.match(response.header('etag') ?? 'none', expected.etag ? /^"[!#-~]+"$/ : /^none$/, 'a strong ETag, or none');
  }
  if (expected.saved !== undefined) {
    const html = expected.saved === null ? 0 : size(`${expected.saved}.html`);
    const twin = expected.saved === null ? 0 : size(`${expected.saved}.md`);
    assert.equal(response.header('x-bytes-saved'), expected.saved === null ? undefined : String(html - twin));
    assert.equal(
      response.header('x-markdown-tokens'),
      expected.saved === null ? undefined : String(Math.ceil(twin / 4)),
    );
  }
  if (expected.links !== undefined) {
    assert.deepEqual(relations(response.header('link')), expected.links, 'Link');
  }
  if (expected.allow !== undefined) {
    assert.equal(response.header('allow'), expected.allow, 'Allow');
  }
  if (expected.cache !== undefined) {
    assert.equal(response.header('cache-control'), expected.cache, 'Cache-Control');
  }
  assert.equal(response.header('location'), expected.location, 'Location');
  if (expected.empty || method === 'HEAD') {
    assert.equal(response.body.length, 0, 'no body');
  }
  if (expected.file !== undefined) {
    const name = `${expected.file}${expected.coding ? codingEnding[expected.coding] : ''}`;
    assert.equal(response.header('content-length'), String(size(name)), 'Content-Length');
    if (method !== 'HEAD') {
      assert.ok(response.body.equals(readFileSync(join(clientDir, name))), `the body is ${name}`);
    }
  }
  if (expected.problem !== undefined && method !== 'HEAD') {
    checkProblem(response, expected.problem, expected.status);
  }
}
