import assert from 'node:assert/strict';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, it, test } from 'node:test';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { datasets } from '#almanac/datasets/index.ts';
import { techniqueIds } from '#almanac/techniques.ts';
import { furtherTools, tools } from '#api/catalog/tools.ts';
import { configVariables } from '#api/config.ts';
import type { Tool } from '#api/contract/tool.ts';
import rules from '../.dependency-cruiser.mjs';

const root = join(import.meta.dirname, '..');
const files = ['almanac', 'api', 'site', 'scripts', 'test']
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,astro}`, { cwd: root }))
  .sort();
const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The code of an Astro component as a module: its front matter, and the scripts that it loads. */
function toModule(component: string): string {
  const code = /^---\n(.*?)^---$/ms.exec(component)?.[1] ?? '';
  const scripts = [...component.matchAll(/<script[^>]*\ssrc="(\.[^"]+)"/g)];
  return [code, ...scripts.map(([, src]) => `import '${src}';`)].join('\n');
}

/**
 * The imports of the repository by the rules of `.dependency-cruiser.mjs`. The cruiser reads no Astro components, so it
 * works on a copy in which each of them is a module.
 */
async function cruiseRepository(): Promise<ICruiseResult> {
  const copy = mkdtempSync(join(tmpdir(), 'porchlight-imports-'));
  try {
    for (const file of globSync('{almanac,api,scripts,site,test}/**/*.*', { cwd: root })) {
      mkdirSync(join(copy, dirname(file)), { recursive: true });
      if (file.endsWith('.astro')) {
        writeFileSync(join(copy, `${file}.ts`), toModule(sourceOf(file)));
      } else {
        copyFileSync(join(root, file), join(copy, file));
      }
    }
    copyFileSync(join(root, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const { output } = await cruise(['api', 'almanac', 'site', 'scripts'], {
      ...rules.options,
      baseDir: copy,
      preserveSymlinks: true,
      validate: true,
      ruleSet: { forbidden: rules.forbidden },
    });
    assert.ok(typeof output === 'object');
    return output;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Imports that still break a rule, until the code that needs them is cut. */
const known = /^scripts\/.* imports (?:scripts\/build\.ts|node_modules\/vite\/.*)$/;

const { modules, summary } = await cruiseRepository();

test('the imports are found, those of components too', () => {
  const isFound = (from: string, to: string): boolean =>
    modules.some(({ source, dependencies }) => source === from && dependencies.some(({ resolved }) => resolved === to));
  assert.ok(modules.length > 300);
  assert.ok(isFound('site/site.ts', 'api/config.ts'));
  assert.ok(isFound('site/components/GuestbookForm.astro.ts', 'site/client/sign.ts'));
  assert.ok(
    modules.some(
      ({ source, dependencies }) => source === 'api/app.ts' && dependencies.some(({ module }) => module === 'express'),
    ),
  );
});

describe('who may import whom', () => {
  for (const { name, comment } of rules.forbidden) {
    it(`${name}: ${comment}`, () => {
      const broken = summary.violations
        .filter(({ rule }) => rule.name === name)
        .map(({ from, to }) => `${from} imports ${to}`)
        .filter((broken) => !known.test(broken));
      assert.deepEqual(broken, []);
    });
  }
});

test('the configuration is the only reader of the environment', () => {
  const readers = files.filter(
    (file) => /^(?:almanac|api|site)\//.test(file) && /\bprocess\.env\b|\bimport\.meta\.env\b/.test(sourceOf(file)),
  );
  assert.deepEqual(readers, ['api/config.ts']);
});

test('modules of ours are imported by the name of their file', () => {
  const broken = modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ module }) => /^[.#]/.test(module) && !/\.\w+(?:\?(?:raw|url))?$/.test(module))
      .map(({ module }) => `${source} imports ${module}`),
  );
  assert.deepEqual(broken, []);
});

test('two sheets hold all styles: the frame imports them, they import the others, and both begin with the one order of the layers', () => {
  const sheets = globSync('site/styles/*.css', { cwd: root }).sort();
  const importers = modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ resolved }) => resolved.endsWith('.css') && !resolved.startsWith('node_modules/'))
      .map(({ resolved }) => `${source} imports ${resolved}`),
  );
  const order = 'site/styles/order.css';
  const entries = ['site/styles/index.css', 'site/styles/inner.css'];
  // Loaded by a script, when what they style is first opened.
  const later = ['site/styles/agent-pane.css', 'site/styles/palette.css'];
  assert.deepEqual(importers.sort(), [
    'site/client/palette.ts imports site/styles/palette.css',
    'site/client/views.ts imports site/styles/agent-pane.css',
    ...entries.map((sheet) => `site/layouts/Page.astro.ts imports ${sheet}`),
  ]);
  const contents = new Map(sheets.map((sheet) => [sheet, readFileSync(join(root, sheet), 'utf8')]));
  const [common, inner] = entries.map((entry) =>
    [...(contents.get(entry) ?? '').matchAll(/@import "\.\/([^"]+)"/g)].map(([, name]) => `site/styles/${name}`),
  );
  assert.ok(common !== undefined && inner !== undefined);
  assert.deepEqual([common.shift(), inner.shift()], [order, order], 'each begins with the order of the layers');
  assert.deepEqual(
    [...entries, order, ...common, ...inner, ...later].sort(),
    sheets,
    'every other sheet is imported once',
  );
  const ordering = sheets.filter((sheet) => /@layer [\w, ]+;/.test(contents.get(sheet) ?? ''));
  assert.deepEqual(ordering, [order]);
  const unlayered = sheets.filter(
    (sheet) => !entries.includes(sheet) && !/^\s*(?:\/\*[\s\S]*?\*\/\s*)?@layer /.test(contents.get(sheet) ?? ''),
  );
  assert.deepEqual(unlayered, [], 'a rule outside the layers would win over all of them');
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
