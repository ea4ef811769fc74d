import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, it, test } from 'node:test';
import { datasets } from '#almanac/datasets/index.ts';
import { techniqueIds } from '#almanac/techniques.ts';
import { tools } from '#api/catalog/tools.ts';
import { configVariables } from '#api/config.ts';
import type { Tool } from '#api/contract/tool.ts';

const root = join(import.meta.dirname, '..');
const files = ['almanac', 'api', 'site', 'scripts', 'test']
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,astro}`, { cwd: root }))
  .sort();
const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** One import of one file: what it names, as a path below the root where it is ours, else the package. */
interface Import {
  from: string;
  target: string;
  isOurs: boolean;
  /** Nothing of it is there at run time. */
  isType: boolean;
}

const statement =
  /^[ \t]*(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|<script[^>]*\ssrc="(\.[^"]+)"/gm;

function importsOf(file: string): Import[] {
  return [...sourceOf(file).matchAll(statement)].flatMap(([, type, names, plain, dynamic, script]) => {
    const specifier = plain ?? dynamic ?? script ?? '';
    // Code that is shown to the reader of a page is not the page's own.
    if (specifier === '' || (plain !== undefined && names === undefined && !/\.(?:ts|css)$/.test(plain))) {
      return [];
    }
    const isOurs = /^[.#]/.test(specifier);
    const target = specifier.startsWith('#')
      ? specifier.slice(1)
      : isOurs
        ? relative(root, join(root, dirname(file), specifier))
        : specifier;
    const everyName = (names ?? '')
      .replace(/[{}]/g, '')
      .split(',')
      .filter((name) => name.trim() !== '');
    const isType =
      type !== undefined ||
      file.endsWith('.d.ts') ||
      (everyName.length > 0 && (names ?? '').startsWith('{') && everyName.every((name) => /^\s*type\s/.test(name)));
    return [{ from: file, target: target.replace(/\?.*$/, ''), isOurs, isType }];
  });
}

const imports = files.flatMap(importsOf);

const leaves = ['audit', 'badge', 'signatures', 'payments', 'pages', 'stores', 'text'];
const leafFiles = new RegExp(`^api/(${leaves.join('|')})/`);

/**
 * Who may import whom: the first rule whose files match counts. `types` may be imported as types alone. Everything
 * points one way: site and scripts on top, then api, then almanac; within api from the server down to the leaves.
 */
const rules: { files: RegExp; may: RegExp; types?: RegExp; why: string }[] = [
  { files: /^almanac\//, may: /^almanac\//, why: 'almanac imports nothing of ours' },
  { files: /^site\/client\//, may: /^site\/client\//, why: 'browser scripts import nothing from outside their folder' },
  {
    files: /^site\/site\.ts$/,
    may: /^(?:site\/|api\/config\.ts$)/,
    why: 'the settings of the site come from the one configuration',
  },
  {
    files: /^site\//,
    // Of the stores and of the text rules it knows the limits and the names of the signals, which it shows.
    may: /^(?:site|almanac|api\/registry)\/|^api\/context\.ts$|^api\/stores\/guestbook-entry\.ts$|^api\/text\/signals\.ts$/,
    types: /^api\/(?:stores\/|pages\/live-data\.ts$|routes\/guestbook-ready\.ts$)/,
    why: 'the site knows the almanac and what the API declares, and nothing of how the API works',
  },
  { files: /^api\/config\.ts$/, may: /^$/, why: 'the configuration stands alone' },
  { files: /^api\/problem\.ts$/, may: /^api\/registry\/problem-types\.ts$/, why: 'a problem knows the list of types' },
  {
    files: /^api\/context\.ts$/,
    may: /^$/,
    types: /^(?:almanac|api)\//,
    why: 'the context is made of types',
  },
  { files: /^api\/server\.ts$/, may: /^(?:almanac|api)\//, why: 'the server puts everything together' },
  {
    files: /^api\/app\.ts$/,
    may: /^(?:almanac|api)\/(?!server\.ts$)/,
    why: 'the application imports downwards',
  },
  {
    files: /^api\/[\w-]+\.ts$/,
    may: /^almanac\/|^api\/(?:config|context|problem)\.ts$|^api\/(?:registry|audit-service|audit|badge|signatures|payments|pages|stores|text)\//,
    why: 'what is made at the start imports downwards',
  },
  {
    files: /^api\/routes\//,
    may: /^almanac\/|^api\/(?:config|context|problem)\.ts$|^api\/(?:routes|http|registry|audit-service|audit|badge|signatures|payments|pages|stores|text)\//,
    types: /^api\/state\.ts$/,
    why: 'routes import downwards',
  },
  {
    files: /^api\/http\//,
    may: /^almanac\/|^api\/(?:config|context|problem|turns)\.ts$|^api\/(?:http|registry|audit-service|audit|badge|signatures|payments|pages|stores|text)\//,
    why: 'middleware imports downwards',
  },
  {
    files: /^api\/registry\//,
    may: /^almanac\/|^api\/problem\.ts$|^api\/(?:registry|audit-service|audit|badge|signatures|payments|pages|stores|text)\//,
    types: /^api\/(?:config|context|state)\.ts$/,
    why: 'the registry imports downwards',
  },
  {
    files: /^api\/audit-service\//,
    may: /^almanac\/|^api\/turns\.ts$|^api\/(?:audit-service|audit|signatures|stores)\//,
    why: 'the audit service runs the audit, signs its requests and keeps its reports',
  },
  ...leaves.map((leaf) => ({
    files: new RegExp(`^api/${leaf}/`),
    may: new RegExp(`^(?:almanac|api/${leaf})/`),
    why: 'a leaf imports its own folder and the almanac, no sibling',
  })),
  { files: /^(?:scripts|test)\//, may: /./, why: 'scripts and tests import anything' },
];

test('the imports are found', () => {
  assert.ok(imports.filter(({ isOurs }) => isOurs).length > 300);
  assert.ok(imports.some(({ from, target }) => from === 'site/site.ts' && target === 'api/config.ts'));
  assert.ok(imports.some(({ from, target }) => from === 'api/app.ts' && target === 'express'));
});

describe('who may import whom', () => {
  for (const rule of rules) {
    it(`${rule.files.source}: ${rule.why}`, () => {
      const broken = imports.filter(
        ({ from, target, isOurs, isType }) =>
          isOurs &&
          rules.find(({ files: pattern }) => pattern.test(from)) === rule &&
          !rule.may.test(target) &&
          !(isType && rule.types?.test(target)),
      );
      assert.deepEqual(
        broken.map(({ from, target }) => `${from} imports ${target}`),
        [],
      );
    });
  }

  it('nothing imports scripts or tests but scripts and tests', () => {
    const broken = imports.filter(
      ({ from, target, isOurs }) => isOurs && /^(?:scripts|test)\//.test(target) && !/^(?:scripts|test)\//.test(from),
    );
    assert.deepEqual(broken, []);
  });

  it('every file of ours falls under a rule', () => {
    assert.deepEqual(
      files.filter((file) => !rules.some(({ files: pattern }) => pattern.test(file))),
      [],
    );
  });
});

test('leaf code and the almanac know no Express', () => {
  const broken = imports.filter(
    ({ from, target }) => (leafFiles.test(from) || from.startsWith('almanac/')) && /^express\b/.test(target),
  );
  assert.deepEqual(broken, []);
});

test('the configuration is the only reader of the environment', () => {
  const readers = files.filter(
    (file) => /^(?:almanac|api|site)\//.test(file) && /\bprocess\.env\b|\bimport\.meta\.env\b/.test(sourceOf(file)),
  );
  assert.deepEqual(readers, ['api/config.ts']);
});

test('modules of ours are imported by the name of their file', () => {
  const broken = imports.filter(
    ({ target, isOurs }) => isOurs && !/\.(?:ts|astro|css|json|woff2)$|^site\/content\//.test(target),
  );
  assert.deepEqual(broken, []);
});

test('one sheet holds all styles: the frame imports it, it imports the others, and it alone sets the order of the layers', () => {
  const sheets = globSync('site/styles/*.css', { cwd: root }).sort();
  const importers = imports.filter(({ target }) => target.endsWith('.css'));
  assert.deepEqual(
    importers.map(({ from, target }) => `${from} imports ${target}`),
    ['site/layouts/Page.astro imports site/styles/index.css'],
  );
  const contents = new Map(sheets.map((sheet) => [sheet, readFileSync(join(root, sheet), 'utf8')]));
  const listed = [...(contents.get('site/styles/index.css') ?? '').matchAll(/@import "\.\/([^"]+)"/g)];
  assert.deepEqual(
    ['site/styles/index.css', ...listed.map(([, name]) => `site/styles/${name}`)].sort(),
    sheets,
    'index.css imports every other sheet once',
  );
  const ordering = sheets.filter((sheet) => /@layer [\w, ]+;/.test(contents.get(sheet) ?? ''));
  assert.deepEqual(ordering, ['site/styles/index.css']);
  const unlayered = sheets.filter((sheet) => !/^\s*(?:\/\*[\s\S]*?\*\/\s*)?@layer /.test(contents.get(sheet) ?? ''));
  assert.deepEqual(unlayered, [], 'a rule outside the layers would win over all of them');
});

test('no alias but #almanac, #api and #site', () => {
  const aliases = files.flatMap((file) =>
    [...sourceOf(file).matchAll(/from '(#[^/']+)\//g)].map(([, alias]) => String(alias)),
  );
  assert.deepEqual([...new Set(aliases)].sort(), ['#almanac', '#api', '#site']);
});

test('names of files: kebab-case modules, PascalCase components, tools by their id', () => {
  const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|d))?\.ts$/;
  const wrong = files.filter((file) => {
    if (file.startsWith('site/pages/')) {
      return false;
    }
    if (file.endsWith('.astro')) {
      return !/^[A-Z][A-Za-z0-9]*\.astro$/.test(basename(file));
    }
    if (dirname(file) === 'api/registry/tools') {
      return !/^(?:index|[a-z]+(?:_[a-z]+)*)\.ts$/.test(basename(file));
    }
    return !kebab.test(basename(file));
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
  assert.deepEqual(
    files.filter((file) => file.endsWith('.ts') && /^export default\b/m.test(sourceOf(file))),
    [],
  );
});

const stems = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(ending) && !name.startsWith('index.'))
    .map((name) => name.slice(0, -ending.length))
    .sort();

test('the list of tools has every file of its folder, each named after its tool', async () => {
  const listed = tools.map(({ name }) => name);
  assert.deepEqual([...listed].sort(), stems('api/registry/tools', '.ts'));
  assert.equal(new Set(listed).size, listed.length);
  for (const name of listed) {
    const module = (await import(`#api/registry/tools/${name}.ts`)) as Record<string, Tool>;
    assert.ok(
      Object.values(module).some((each) => each === tools.find((tool) => tool.name === name)),
      `${name}.ts exports the tool of its name`,
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

test('tests stand where the code stands', () => {
  const folders = readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const known = new Set([
    // What has no folder of the same name: the service as a whole, the site in a browser, other people's auditors.
    ...['api', 'auditors', 'browser', 'fixtures', 'service', 'site', 'support'],
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
