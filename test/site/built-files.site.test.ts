import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formTools } from '#api/catalog/form-tools.ts';
import { trapField } from '#api/guestbook/form.ts';

const root = join(import.meta.dirname, '../..');
const distDir = process.env['DIST_DIR'] ?? join(root, 'dist');

test('docs/rooms.md names what the build makes', () => {
  const row = /^\| `dist\/` \| (.+) \|$/m.exec(readFileSync(join(root, 'docs/rooms.md'), 'utf8'))?.[1] ?? '';
  const named = [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  assert.ok(named.length >= 4);
  assert.deepEqual(
    named.filter((name) => !existsSync(join(distDir, name))),
    [],
  );
});

test('the bill of materials names what runs in production, each with its licence, and nothing else', () => {
  const { bomFormat, metadata, components } = JSON.parse(readFileSync(join(distDir, 'sbom.json'), 'utf8')) as {
    bomFormat: string;
    metadata: { component: { name: string } };
    components: { name: string; version: string; licenses?: unknown[] }[];
  };
  assert.deepEqual([bomFormat, metadata.component.name], ['CycloneDX', 'porchlight']);
  const names = new Set(components.map(({ name }) => name));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => !names.has(name)),
    [],
  );
  assert.ok(names.has('micromark') && names.has('qs'), 'what those need, though development needs it too');
  assert.ok(!names.has('playwright-core') && 'playwright-core' in devDependencies);
  assert.ok(components.filter(({ licenses }) => licenses !== undefined).length > 0.9 * components.length);
});

test('the forms that are tools are the ones of the registry, on its pages, and none has the trap', () => {
  const clientDir = join(distDir, 'client');
  const found = globSync('**/*.html', { cwd: clientDir }).flatMap((file) => {
    const page = `/${file.replace(/(^|\/)index\.html$|\.html$/, '')}`;
    return [
      ...readFileSync(join(clientDir, file), 'utf8').matchAll(/<form\b[^>]*\btoolname="([^"]+)".*?<\/form>/gs),
    ].map(([form, name = '']) => {
      assert.ok(!form.includes(`name="${trapField}"`), page);
      return `${page} ${name}`;
    });
  });
  assert.deepEqual(found.sort(), formTools.flatMap(({ name, pages }) => pages.map((page) => `${page} ${name}`)).sort());
});
