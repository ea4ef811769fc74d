/** The decision in JavaScript, with exact weights (RFC 9110 section 12.5.1). Every JavaScript platform imports it. */
export const prefersMarkdown = `function qualityOf(ranges, type) {
  const [main] = type.split('/');
  for (const name of [type, \`\${main}/*\`, '*/*']) {
    if (ranges.has(name)) return ranges.get(name);
  }
  return 0;
}

/** True when markdown is named, allowed, and ranked at least as high as HTML. */
export function prefersMarkdown(accept) {
  const ranges = new Map();
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name, ...params] = part.split(';').map((piece) => piece.trim());
    if (params.some((param) => !param.startsWith('q='))) continue;
    const q = params.length > 0 ? Number(params[0].slice(2)) : 1;
    ranges.set(name, Number.isFinite(q) ? Math.min(Math.max(q, 0), 1) : 0);
  }
  const markdown = ranges.get('text/markdown') ?? 0;
  return markdown > 0 && markdown >= qualityOf(ranges, 'text/html');
}

/** The markdown file of a page: /about, /about.html -> /about.md; /docs/ -> /docs/index.md; null for other files. */
export function twinPath(path) {
  if (path.endsWith('/')) return \`\${path}index.md\`;
  if (/\\.html?$/i.test(path)) return path.replace(/\\.html?$/i, '.md');
  return /\\.[a-z0-9]{1,5}$/i.test(path) ? null : \`\${path}.md\`;
}
`;
