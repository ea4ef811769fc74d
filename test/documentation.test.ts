import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, test } from 'node:test';
import { furtherTools, tools } from '#api/catalog/tools.ts';
import { configVariables } from '#api/config.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const readme = read('README.md');
/** Every document for people who run or change the project. */
const documents = ['*.md', 'docs/**/*.md', 'almanac/README.md'].flatMap((pattern) => globSync(pattern, { cwd: root }));
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const codeSpans = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => String(span));
const linesOf = (text: string): number => text.trimEnd().split('\n').length;

test('README.md fits on a few screens, AGENTS.md on one', () => {
  assert.ok(linesOf(readme) < 150);
  assert.ok(linesOf(read('AGENTS.md')) <= 40);
});

test('README.md names every tool', () => {
  const named = codeSpans(readme);
  assert.deepEqual(
    [...tools, ...furtherTools].filter(({ name }) => !named.includes(name)).map(({ name }) => name),
    [],
  );
});

test('links in the documents lead to files', () => {
  const dead = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(root, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  );
  assert.deepEqual(dead, []);
});

test('every decision is in the index', () => {
  const index = read('docs/decisions/README.md');
  assert.deepEqual(
    readdirSync(join(root, 'docs/decisions')).filter((name) => name !== 'README.md' && !index.includes(`](${name})`)),
    [],
  );
});

test('nobody is told to run or install a package of ours from a registry: only what is installed, and files', () => {
  const told = [...documents, 'action.yml', ...globSync('scripts/support/*/package/README.md', { cwd: root })];
  const names = String.raw`@?porchlight\b(?![-\w]*\*?\.tgz)`;
  const command = new RegExp(String.raw`(?:npx|npm (?:exec|install|i)) (?:-\S+ )*(?:"|'|)${names}`, 'g');
  const broken = told.flatMap((file) =>
    [...read(file).matchAll(command)]
      .filter(([line]) => !line.startsWith('npx --no '))
      .map(([line]) => `${file}: ${line}`),
  );
  assert.ok(told.length > 20);
  assert.deepEqual(broken, []);
});

describe('environment variables (docs/configuration.md)', () => {
  const rows = new Map(
    [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+?) \|$/gm)].map(
      ([, name = '', fallback = '']) => [name, fallback],
    ),
  );

  it('each one has a row in the table, and each row is one', () => {
    assert.deepEqual([...rows.keys()].sort(), Object.keys(configVariables).sort());
  });

  it('the defaults are those of the code', () => {
    for (const [name, fallback] of Object.entries(configVariables)) {
      assert.equal(rows.get(name), fallback === '' ? 'none' : `\`${fallback}\``, name);
    }
  });
});

describe('npm scripts (docs/commands.md)', () => {
  const allSpans = codeSpans(read('docs/commands.md'));
  const commandOf = (name: string): string => (['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`);

  it('each one is named', () => {
    const isNamed = (name: string): boolean =>
      allSpans.some((span) => span === commandOf(name) || span.startsWith(`${commandOf(name)} `));
    assert.deepEqual(
      Object.keys(scripts).filter((name) => !isNamed(name)),
      [],
    );
  });

  it('each one that is named exists', () => {
    const missing = documents.flatMap((file) =>
      [...read(file).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)]
        .map(([, run, plain]) => String(run ?? plain))
        .filter((name) => scripts[name] === undefined)
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });

  it('each one runs a file that exists', () => {
    for (const [name, command] of Object.entries(scripts)) {
      for (const [, file] of command.matchAll(/\bnode ([\w./-]+\.ts)/g)) {
        assert.ok(existsSync(join(root, String(file))), `${name}: ${file}`);
      }
    }
  });
});

describe('the list of rooms (docs/rooms.md)', () => {
  const map = read('docs/rooms.md');
  const rows = [...map.matchAll(/^\| (`.+?) \| (.+?) \|$/gm)].map(([, paths = '', text = '']) => ({
    paths: codeSpans(paths),
    inside: codeSpans(text),
  }));
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.trim().replace(/^\//, ''))
    .filter((line) => line !== '');
  const isIgnored = (name: string): boolean =>
    ignored.some((pattern) =>
      pattern.startsWith('*')
        ? name.endsWith(pattern.slice(1))
        : [name, `${name}/`].includes(pattern.replace(/^\//, '')),
    );
  const listed = new Set(rows.flatMap(({ paths }) => paths));
  /** What the build makes; test/site/built-files.site.test.ts looks at it. */
  const generated = new Set(['dist/']);

  /** Names in the text of a row that are paths below the row's own path, or from the root. */
  const pathsInside = rows.flatMap(({ paths: [path = ''], inside }) =>
    inside.filter((span) => /^[\w.-]+(?:\/[\w.-]*)*$/.test(span) && /[/.]/.test(span)).map((span) => ({ path, span })),
  );

  it('is there', () => {
    assert.ok(rows.length >= 8);
  });

  it('names every entry of the top folder', () => {
    const entries = readdirSync(root, { withFileTypes: true })
      .filter(({ name }) => name !== '.git' && name !== 'README.md' && !isIgnored(name))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    assert.deepEqual(
      entries.filter((name) => !listed.has(name)),
      [],
    );
  });

  it('names every folder of the code', () => {
    const folders = ['almanac', 'api', 'site', 'scripts', 'test'].flatMap((top) =>
      readdirSync(join(root, top), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => ({ top: `${top}/`, name: `${name}/` })),
    );
    const mirrored = new Set(
      ['.', 'api'].flatMap((folder) =>
        readdirSync(join(root, folder), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => `${name}/`),
      ),
    );
    const isNamed = (top: string, name: string): boolean =>
      listed.has(`${top}${name}`) ||
      pathsInside.some(({ path, span }) => span === `${top}${name}` || (path === top && span.startsWith(name)));
    // The folders of the tests mirror those of the code; only what has no mirror image is named.
    const missing = folders.filter(({ top, name }) => !isNamed(top, name) && !(top === 'test/' && mirrored.has(name)));
    assert.deepEqual(
      missing.map(({ top, name }) => `${top}${name}`),
      [],
    );
  });

  it('names nothing that does not exist', () => {
    const isThere = (path: string): boolean => existsSync(join(root, path));
    const lost = [...listed].filter((path) => !isThere(path) && !isIgnored(path.replace(/\/$/, '')));
    const lostInside = pathsInside.filter(
      ({ path, span }) => !generated.has(path) && !isThere(join(path, span)) && !isThere(span),
    );
    assert.deepEqual([...lost, ...lostInside.map(({ path, span }) => `${span} (at ${path})`)], []);
  });
});

test('nothing in the documents points outside the project', () => {
  for (const file of documents) {
    assert.doesNotMatch(read(file), /\/(?:work|home|tmp|root)\/|localhost:(?!4321\b)\d+/, file);
  }
});
