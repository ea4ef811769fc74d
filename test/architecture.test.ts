import assert from 'node:assert/strict';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, test } from 'node:test';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import rules from '../.dependency-cruiser.mjs';

const root = join(import.meta.dirname, '..');
const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The code of an Astro component as a module: its front matter, and the scripts that it loads. */
function toModule(component: string): string {
  const code = /^---\n(.*?)^---$/ms.exec(component)?.[1] ?? '';
  const scripts = [...component.matchAll(/<script[^>]*\ssrc="(\.[^"]+)"/g)];
  return [code, ...scripts.map(([, src]) => `import '${src}';`)].join('\n');
}

/**
 * The imports of the repository by the rules of `.dependency-cruiser.mjs`. The cruiser reads no Astro components, so it
 * works on a copy of the site in which each of them is a module.
 */
async function cruiseRepository(): Promise<ICruiseResult> {
  const copy = mkdtempSync(join(tmpdir(), 'porchlight-imports-'));
  try {
    for (const linked of ['almanac', 'api', 'scripts', 'test', 'node_modules']) {
      symlinkSync(join(root, linked), join(copy, linked));
    }
    for (const file of globSync('site/**/*.*', { cwd: root })) {
      mkdirSync(join(copy, dirname(file)), { recursive: true });
      if (file.endsWith('.astro')) {
        writeFileSync(join(copy, `${file}.ts`), toModule(sourceOf(file)));
      } else {
        copyFileSync(join(root, file), join(copy, file));
      }
    }
    copyFileSync(join(root, 'package.json'), join(copy, 'package.json'));
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
        .map(({ from, to }) => `${from} imports ${to}`);
      assert.deepEqual(broken, []);
    });
  }
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
