import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const page = (title: string, body: string, others: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Otter Boats</title>
<meta name="description" content="${title} of Otter Boats, who build wooden rowing boats in Leith.">
</head>
<body>
<header><nav aria-label="Main">${others}</nav></header>
<main>
<h1>${title}</h1>
${body}
</main>
<footer><a href="/about.html">About us</a> <a href="mailto:hello@otter-boats.example">Contact</a></footer>
</body>
</html>
`;

const words = (about: string): string =>
  Array.from(
    { length: 6 },
    (_, index) =>
      `<p>${about} Part ${index + 1}: each hull is planked in larch over oak frames, fastened with copper and finished with three coats of varnish. A boat takes eleven weeks from the first frame to the launch.</p>`,
  ).join('\n');

const table = '<table><tr><th>Boat</th><th>Length</th></tr><tr><td>Heron</td><td>4.2 m</td></tr></table>';

const pages: Record<string, [title: string, body: string]> = {
  'index.html': ['Wooden boats', words('We build rowing boats to order.')],
  'about.html': ['About the yard', words('The yard was founded in 1988.')],
  'prices.html': ['Prices', `${words('Prices include oars and a cover.')}${table}`],
  'boats/index.html': ['Boats', words('Three boats are built as stock.')],
  'boats/heron.html': [
    'The Heron',
    `${words('The Heron is a double scull.')}<pre><code>length 4.2\nbeam 1.3</code></pre>`,
  ],
};

const menu = Object.entries(pages)
  .map(([path, [title]]) => `<a href="/${path.replace(/index\.html$/, '')}">${title}</a>`)
  .join(' ');

/**
 * Writes a plain site as a small business has it: readable pages with a menu, a style sheet, and nothing for agents.
 * It is nobody's: the yard is invented.
 */
export async function writePlainSite(folder: string): Promise<void> {
  for (const [path, [title, body]] of Object.entries(pages)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), page(title, body, menu));
  }
  await writeFile(join(folder, 'site.css'), 'body { max-width: 40em; margin: auto }\n');
  await writeFile(
    join(folder, '404.html'),
    page('Page not found', '<p>There is nothing here. <a href="/">Go to the home page</a>.</p>', menu),
  );
}
