import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { editionsOf } from '#almanac/edition-list.ts';
import { projectDir } from '../../scripts/support/build/stamp.ts';
import { builtHtml, clientDir, siteUrl } from '../support/site-under-test.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const blocksOf = (file: string): Json[] =>
  [
    ...readFileSync(join(clientDir, file), 'utf8').matchAll(
      /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs,
    ),
  ].map(([, json]) => JSON.parse(String(json)) as Json);

const blocks = builtHtml()
  .filter((file) => file !== '404.html')
  .map((file) => ({ file, graphs: blocksOf(file) }));

/** What decides about the type of a document: its members, and the text of those that the vocabulary enumerates. */
const shapeOf = (value: Json): Json =>
  Array.isArray(value)
    ? [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))].sort()
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value).map(([key, each]) => [
            key,
            key.startsWith('@') && typeof each === 'string' ? each : shapeOf(each),
          ]),
        )
      : typeof value;

/** Without the constraints of potential actions (`query-input`), a notation of schema.org beside its vocabulary. */
const withoutConstraints = (json: Json): string =>
  JSON.stringify(json, (key, value: unknown) => (/-(?:input|output)$/.test(key) ? undefined : value));

/** Compiles documents against the types that schema-dts makes from the schema.org vocabulary; returns the complaints. */
async function compile(documents: Map<string, Json>): Promise<string[]> {
  // Inside the project, so that the compiler finds schema-dts.
  const folder = await mkdtemp(join(projectDir, 'node_modules', '.cache-json-ld-'));
  try {
    const file = join(folder, 'documents.ts');
    const lines = [...documents].map(([name, json]) => `/* ${name} */ (${withoutConstraints(json)}) satisfies Graph;`);
    await writeFile(file, ["import type { Graph } from 'schema-dts';", ...lines].join('\n'));
    const program = ts.createProgram([file], {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      types: [],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    });
    const names = [...documents.keys()];
    return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
      const line = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0;
      return `${names[line - 1]}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').slice(0, 400)}`;
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the JSON-LD of every page keeps the schema.org vocabulary', async (t) => {
  const byShape = new Map<string, [string, Json]>();
  for (const { file, graphs } of blocks) {
    assert.equal(graphs.length, 1, `${file} has ${graphs.length} blocks`);
    for (const graph of graphs) {
      byShape.set(JSON.stringify(shapeOf(graph)), [file, graph]);
    }
  }
  t.diagnostic(`${blocks.length} documents of ${byShape.size} shapes`);
  assert.deepEqual(await compile(new Map(byShape.values())), []);
});

test('a member or a type that schema.org does not have is found', async () => {
  const graph = (thing: Json): Json => ({ '@context': 'https://schema.org', '@graph': [thing] });
  const complaints = await compile(
    new Map([
      ['good', graph({ '@type': 'TechArticle', headline: 'A' })],
      ['member', graph({ '@type': 'TechArticle', colour: 'red' })],
      ['type', graph({ '@type': 'TechArticl', headline: 'A' })],
      ['context', { '@context': 'https://schema.example', '@graph': [] }],
    ]),
  );
  assert.deepEqual([...new Set(complaints.map((line) => line.split(':')[0]))], ['member', 'type', 'context']);
});

test('the JSON-LD says of a page what the page says of itself', () => {
  for (const { file, graphs } of blocks) {
    const html = readFileSync(join(clientDir, file), 'utf8');
    const canonical = /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1];
    const text = JSON.stringify(graphs);
    assert.ok(canonical !== undefined, file);
    const address = canonical === `${siteUrl}/` ? siteUrl : canonical;
    assert.ok(text.includes(`"${address}"`), `${file}: the statements are about ${address}`);
  }
});

test('each dataset and the glossary name the edition that the page cites', () => {
  const named = blocks.flatMap(({ file, graphs }) =>
    ['crawlers', 'protocols', 'models', 'glossary', 'state']
      .filter((path) => file === `${path}.html`)
      .map((path) => [path, editionsOf(path).at(-1)?.version, JSON.stringify(graphs)] as const),
  );
  assert.equal(named.length, 5);
  for (const [path, version, json] of named) {
    assert.match(json, new RegExp(`"@type":"(?:Dataset|DefinedTermSet)"[^{]*"version":"${version}"`), path);
  }
});
