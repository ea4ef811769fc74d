import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { datasets } from '#almanac/datasets/index.ts';
import { listedBots, listedBotsSource } from '#almanac/listed-bots.ts';
import { projectDir } from './support/build/stamp.ts';
import { projectManifest, startPackage } from './support/packages/npm-package.ts';
import { datasetTypes, moduleTypes } from './support/packages/package-types.ts';

const source = join(projectDir, 'scripts/support/almanac/package');

/** Packages whose code or data are in the package. */
const contained = ['ipaddr.js', 'crawler-user-agents'];

/** The modules whose declarations the package publishes. */
const published = [
  'almanac/identification.ts',
  ...['dataset', 'identify', 'index'].map((name) => `scripts/support/almanac/package/${name}.ts`),
];

const moduleOf = (name: string, value: unknown): string => `export const ${name} = ${JSON.stringify(value)};\n`;

/** Puts checked data in the place of the modules that check them, so that the package needs no schemas. */
const checkedData: Plugin = {
  name: 'checked-data',
  setup({ onLoad }) {
    onLoad({ filter: /\/almanac\/datasets\/[a-z]+\.ts$/ }, ({ path: file }) => {
      const dataset = datasets.find(({ path }) => path === basename(file, '.ts'));
      if (dataset === undefined) {
        throw new Error(`${file} is no dataset, and the package can't have it`);
      }
      const { id, path, title, description, updated, records } = dataset;
      const document = JSON.stringify({ id, title, description, updated, records });
      return {
        contents: `import { toDataset } from './dataset.ts';\nexport const ${path} = /* @__PURE__ */ toDataset(${document});\n`,
        resolveDir: source,
      };
    });
    onLoad({ filter: /\/almanac\/listed-bots\.ts$/ }, () => ({
      contents: moduleOf('listedBots', listedBots) + moduleOf('listedBotsSource', listedBotsSource),
    }));
  },
};

/** `major.minor` of the project and the day of the newest dataset: 0.1.20261121. */
function packageVersion(version: string, updated: string): string {
  const [major, minor] = version.split('.');
  return `${major}.${minor}.${updated.replaceAll('-', '')}`;
}

const exported = (name: string): { types: string; default: string } => ({
  types: `./${name}.d.ts`,
  default: `./${name}.js`,
});

/**
 * Makes the npm package of the almanac: the five datasets, their types and `identify`, as JavaScript for Node 20, newer ones
 * and browsers, with no dependency. Returns its folder, ready for `npm pack` or `npm publish`.
 */
export async function packageAlmanac(folder: string): Promise<string> {
  const { version } = await projectManifest();
  const updated =
    datasets
      .map((dataset) => dataset.updated)
      .toSorted()
      .at(-1) ?? '';
  const names = ['identify', ...datasets.map(({ path }) => path)];
  await startPackage(folder, join(source, 'README.md'), {
    name: '@porchlight/almanac',
    version: packageVersion(version, updated),
    description:
      'Crawlers, protocols, models, terms and statistics of the agentic web, each with its source, and identify(userAgent, ip)',
    keywords: ['ai-agents', 'crawlers', 'user-agent', 'gptbot', 'llm-models', 'mcp', 'dataset'],
    license: '(MIT AND CC-BY-4.0)',
    type: 'module',
    exports: { '.': exported('index'), ...Object.fromEntries(names.map((name) => [`./${name}`, exported(name)])) },
    types: './index.d.ts',
    engines: { node: '>=20' },
    sideEffects: false,
  });
  await build({
    entryPoints: {
      index: join(source, 'index.ts'),
      identify: join(source, 'identify.ts'),
      ...Object.fromEntries(datasets.map(({ path }) => [path, join(projectDir, `almanac/datasets/${path}.ts`)])),
    },
    bundle: true,
    splitting: true,
    outdir: folder,
    chunkNames: 'chunk-[hash]',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    format: 'esm',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [checkedData],
  });
  await Promise.all([
    ...datasets.map((dataset) => writeFile(join(folder, `${dataset.path}.d.ts`), datasetTypes(dataset))),
    ...published.map(async (path) => writeFile(join(folder, `${basename(path, '.ts')}.d.ts`), await moduleTypes(path))),
  ]);
  const notices = contained.map(
    async (name) => `${name}\n\n${await readFile(join(projectDir, 'node_modules', name, 'LICENSE'), 'utf8')}`,
  );
  await writeFile(join(folder, 'THIRD-PARTY.txt'), (await Promise.all(notices)).join('\n\n'));
  return folder;
}

if (import.meta.main) {
  console.log(await packageAlmanac(join(projectDir, 'dist/packages/almanac')));
}
