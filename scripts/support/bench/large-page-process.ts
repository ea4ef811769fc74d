// A site whose home page, and the markdown of it, are large: HOME is 'article' (long text with headings, tables, code and
// links, as documents of 2 MB are) or 'links' (nothing but links). It listens at PORT of 127.0.0.1 and says "up".
import { createServer } from 'node:http';
import { judgedSites } from '../../../test/audit/judged-sites.ts';

const { PORT, HOME } = process.env;
const { answer } = judgedSites['museum'] ?? {};
if (answer === undefined) {
  throw new Error('test/audit/judged-sites.ts has no museum');
}
const bytes = 2_000_000;
const sentence =
  'A lamp with the right oil burns with a steady flame and makes no smoke, so its keeper looks at the oil each week. ';

/** Sections as `write` gives them, as many as go into the page. */
function sections(write: (number: number) => string): string {
  const parts: string[] = [];
  for (let length = 0, number = 1; length < bytes; number += 1) {
    const part = write(number);
    parts.push(part);
    length += part.length;
  }
  return parts.join('\n').slice(0, bytes - 2000);
}

const rows = Array.from({ length: 12 }, (_, row) => [`Lamp ${row}`, '4.2', '1988', 'oil']);
const articleHtml = (number: number): string =>
  [
    `<h2 id="part-${number}">Part ${number}</h2>`,
    ...Array.from(
      { length: 8 },
      (_, paragraph) =>
        `<p>${sentence.repeat(4)}<a href="/about#p${number}-${paragraph}">More on part ${number}</a>. <em>${sentence}</em>${sentence.repeat(4)}</p>`,
    ),
    `<table><tr><th>Lamp</th><th>Height</th><th>Year</th><th>Burns</th></tr>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`,
    `<pre><code>${'lamp --light --oil 3\n'.repeat(10)}</code></pre>`,
    `<img src="/lamp-${number}.png" alt="Lamp ${number}">`,
  ].join('\n');
const articleMarkdown = (number: number): string =>
  [
    `## Part ${number}`,
    ...Array.from({ length: 8 }, () => sentence.repeat(9)),
    `| Lamp | Height | Year | Burns |\n|---|---|---|---|\n${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`,
    `\`\`\`\n${'lamp --light --oil 3\n'.repeat(10)}\`\`\``,
  ].join('\n\n');

const texts =
  HOME === 'links'
    ? {
        html: sections((number) => `<a href="/part/${number}">The part with the number ${number} of the list</a>`),
        markdown: sections((number) => `- [The part with the number ${number}](/part/${number})`),
      }
    : { html: sections(articleHtml), markdown: sections(articleMarkdown) };

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const { method = '', url: path = '', headers } = request;
  const asked = { method, path, accept: headers.accept ?? '', headers, body };
  const { status = 200, type = '', headers: own, body: text = '' } = answer(asked, `http://${headers.host}`);
  const isHome = path === '/' || path === '/index.md';
  const whole = !isHome
    ? text
    : type.startsWith('text/html')
      ? text.replace('</main>', () => `${texts.html}</main>`)
      : `${text}\n\n${texts.markdown}`;
  response.writeHead(status, { ...(type === '' ? {} : { 'Content-Type': type }), ...own });
  response.end(method === 'HEAD' ? '' : whole);
}).listen(Number(PORT), '127.0.0.1', () => console.log('up'));
