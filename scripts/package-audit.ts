import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { z } from 'zod';
import { auditReport } from '#api/audit/report.ts';
import { auditConfig, siteOptions } from './support/audit/audit-options.ts';
import { projectDir } from './support/build/stamp.ts';
import { projectManifest, startPackage } from './support/packages/npm-package.ts';
import { moduleTypes, schemaType } from './support/packages/package-types.ts';

const source = join(projectDir, 'scripts/support/audit/package');

/** What newer Nodes have and Node 20 lacks, as far as the code uses it. */
const forNode20 = `
if (!RegExp.escape) RegExp.escape = (text) => text.replace(/[\\\\^$.*+?()[\\]{}|\\/-]/g, '\\\\$&');
if (!URL.parse) URL.parse = (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
`;

/** The declarations of the library, by file: what its schemas and its own module say. */
const declarations = async (): Promise<Record<string, string>> => ({
  'index.d.ts': `${await moduleTypes('scripts/support/audit/package/index.ts')}export * from './report.js';\n`,
  'audit-options.d.ts': schemaType(siteOptions, 'SiteConfig'),
  'report.d.ts': `${schemaType(auditReport, 'AuditReport')}
export type CheckResult = AuditReport['checks'][number];
export type CheckStatus = CheckResult['status'];
export type EvidenceLine = CheckResult['evidence'][number];
export type PlanStep = AuditReport['plan'][number];
`,
});

/**
 * Makes the npm package of the audit: JavaScript for Node 20 and later in a few files, with no dependency. Returns its
 * folder, ready for `npm pack` or `npm publish`.
 */
export async function packageAudit(folder: string): Promise<string> {
  const { version, license } = await projectManifest();
  await startPackage(folder, join(source, 'README.md'), {
    name: 'porchlight',
    version,
    description:
      'Audits websites for agent-readiness: what an AI agent can read, find and use, and how to fix the rest',
    keywords: ['audit', 'ai-agents', 'agent-readiness', 'llms.txt', 'cli'],
    license,
    type: 'module',
    bin: { porchlight: 'porchlight.js' },
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './config.schema.json': './config.schema.json' },
    types: './index.d.ts',
    engines: { node: '>=20' },
    peerDependencies: { 'playwright-core': '>=1.55' },
    peerDependenciesMeta: { 'playwright-core': { optional: true } },
    sideEffects: false,
  });
  await build({
    entryPoints: { index: join(source, 'index.ts'), command: join(source, 'command.ts') },
    bundle: true,
    splitting: true,
    outdir: folder,
    chunkNames: 'chunk-[hash]',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    // Only `--browser` needs it; its users install it themselves.
    external: ['playwright-core'],
    // The newest undici needs a newer Node.
    alias: { undici: 'undici-node20' },
    define: { packageVersion: JSON.stringify(version) },
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);${forNode20}`,
    },
  });
  await writeFile(join(folder, 'porchlight.js'), "#!/usr/bin/env node\nimport './command.js';\n", { mode: 0o755 });
  await cp(join(projectDir, 'api/audit/fixes/make-twins.mjs'), join(folder, 'make-twins.mjs'));
  for (const [name, text] of Object.entries(await declarations())) {
    await writeFile(join(folder, name), text);
  }
  const schema = z.toJSONSchema(auditConfig, { io: 'input' });
  await writeFile(join(folder, 'config.schema.json'), `${JSON.stringify(schema, null, 2)}\n`);
  return folder;
}

if (import.meta.main) {
  console.log(await packageAudit(join(projectDir, 'dist/packages/porchlight')));
}
