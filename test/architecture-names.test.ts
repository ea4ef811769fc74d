import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { datasets } from '#almanac/datasets/index.ts';
import { techniqueIds } from '#almanac/techniques.ts';
import { furtherTools, tools } from '#api/catalog/tools.ts';
import { configVariables } from '#api/config.ts';
import type { Tool } from '#api/contract/tool.ts';

const root = join(import.meta.dirname, '..');
const files = ['almanac', 'api', 'site', 'scripts', 'test']
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,astro}`, { cwd: root }))
  .sort();
const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');

test('the configuration is the only reader of the environment', () => {
  const readers = files.filter(
    (file) => /^(?:almanac|api|site)\//.test(file) && /\bprocess\.env\b|\bimport\.meta\.env\b/.test(sourceOf(file)),
  );
  assert.deepEqual(readers, ['api/config.ts']);
});

test('no alias but #almanac, #api and #site', () => {
  const aliases = files.flatMap((file) =>
    [...sourceOf(file).matchAll(/from '(#[^/']+)\//g)].map(([, alias]) => String(alias)),
  );
  assert.deepEqual([...new Set(aliases)].sort(), ['#almanac', '#api', '#site']);
});

/** The file of each tool, by its name: `api/guestbook/sign_guestbook.ts` holds the tool `sign_guestbook`. */
const toolFiles = new Map(
  files
    .filter((file) => /^api\/[\w-]+\/[a-z]+(?:_[a-z]+)+\.ts$/.test(file))
    .map((file) => [file, basename(file, '.ts')]),
);

test('names of files: kebab-case modules, PascalCase components, tools by their id', () => {
  const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:(?:\.(?:site|slow))?\.test|\.d)?\.ts$/;
  const wrong = files.filter((file) => {
    if (file.startsWith('site/pages/')) {
      return false;
    }
    if (file.endsWith('.astro')) {
      return !/^[A-Z][A-Za-z0-9]*\.astro$/.test(basename(file));
    }
    return !toolFiles.has(file) && !kebab.test(basename(file));
  });
  assert.deepEqual(wrong, []);
});

test('no file is named after what it happens to hold', () => {
  const vague = /^(?:utils?|helpers?|common|manager|types|constants|misc|shared)\.ts$/;
  assert.deepEqual(
    files.filter((file) => vague.test(basename(file))),
    [],
  );
});

test('exports have names: no default exports', () => {
  // Code that is shown or written for others is in template literals.
  const ownCode = (file: string): string => sourceOf(file).replace(/`(?:[^`\\]|\\.)*`/gs, '``');
  assert.deepEqual(
    files.filter((file) => file.endsWith('.ts') && /^export default\b/m.test(ownCode(file))),
    [],
  );
});

const stems = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending) && !name.startsWith('index.'))
    .map((name) => name.slice(0, -ending.length))
    .sort();

test('api/catalog/tools.ts lists every tool, each in a file of its name in the room of its feature', async () => {
  const all = [...tools, ...furtherTools];
  const listed = all.map(({ name }) => name);
  assert.deepEqual([...listed].sort(), [...toolFiles.values()].sort());
  assert.equal(new Set(listed).size, listed.length);
  for (const [file, name] of toolFiles) {
    const module = (await import(`#api/${file.slice('api/'.length)}`)) as Record<string, Tool>;
    assert.ok(
      Object.values(module).some((each) => each === all.find((tool) => tool.name === name)),
      `${file} exports the tool of its name`,
    );
  }
});

test('the list of datasets has every file of its folder, each with its records beside it', () => {
  const listed = datasets.map(({ path }) => path as string).sort();
  assert.deepEqual(stems('almanac/datasets', '.ts'), listed);
  assert.deepEqual(stems('almanac/datasets', '.json'), listed);
});

test('every technique has its text, and no text is left over', () => {
  assert.deepEqual(stems('site/content/techniques', '.md'), [...techniqueIds].sort());
});

test('tests lie where the code lies', () => {
  const folders = readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const known = new Set([
    // What has no folder of the same name: the service as a whole, the site in a browser, other people's auditors,
    // the questions that answers are measured by.
    ...['auditors', 'browser', 'fixtures', 'questions', 'service', 'site', 'support'],
    'almanac',
    'scripts',
    ...readdirSync(join(root, 'api'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
  ]);
  assert.deepEqual(
    folders.filter((name) => !known.has(name)),
    [],
  );
});

test('environment variables are written in capitals', () => {
  for (const name of Object.keys(configVariables)) {
    assert.match(name, /^[A-Z]+(?:_[A-Z]+)*$/);
  }
});
