// node prove.mjs 01-llms-txt/nginx https://your-site.example: runs the proof of a recipe against your site, beside what it should look like.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [recipe, origin] = process.argv.slice(2);
if (recipe === undefined || !URL.canParse(origin ?? '')) {
  console.error(
    'Usage: node prove.mjs <folder of a recipe> <origin>, such as 01-llms-txt/nginx https://your-site.example',
  );
  process.exit(2);
}
const at = (name) => readFileSync(join(import.meta.dirname, recipe, name), 'utf8');
const { host } = new URL(origin);
const commands = at('prove.sh')
  .replaceAll('https://example.com', new URL(origin).origin)
  .replaceAll('example.com', host);
const { stdout, stderr } = spawnSync('bash', { input: commands, encoding: 'utf8' });
console.log(
  `Your site says:\n\n${stdout}${stderr}\nIt should look like this, with your own names and numbers:\n\n${at('expected.txt')}`,
);
