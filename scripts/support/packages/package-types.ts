import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import type { ZodType } from 'zod';
import { createAuxiliaryTypeStore, createTypeAlias, printNode, zodToTs } from 'zod-to-ts';
import type { AlmanacDataset } from '#almanac/datasets/index.ts';
import { projectDir } from '../build/stamp.ts';

/** What one record of each dataset is called, by the name of the dataset in paths. */
const recordTypes: Readonly<Record<string, string>> = {
  crawlers: 'Crawler',
  protocols: 'Protocol',
  models: 'Model',
  glossary: 'GlossaryTerm',
  state: 'Statement',
};

/** The declaration of a type under a name, read from its schema with the descriptions. */
export function schemaType(schema: ZodType, name: string): string {
  const { node } = zodToTs(schema, { auxiliaryTypeStore: createAuxiliaryTypeStore() });
  const alias = printNode(createTypeAlias(node, name));
  // A closed object is printed with a signature that no object fits.
  return `export ${alias.replace(/^ *\[x: string\]: never;\n/gm, '')}\n`;
}

/** The declarations of a dataset: the type of its records, read from their schema, and the dataset. */
export function datasetTypes({ path, record }: AlmanacDataset): string {
  const name = recordTypes[path];
  if (name === undefined) {
    throw new Error(`The package has no name for the records of ${path}: add one to recordTypes.`);
  }
  return [
    "import type { Dataset } from './dataset.js';\n",
    schemaType(record, name),
    `export declare const ${path}: Dataset<${name}>;\n`,
  ].join('');
}

/** The declarations of a module of ours, whose imports become those of the package: all its modules lie in one folder. */
export async function moduleTypes(path: string): Promise<string> {
  const source = await readFile(join(projectDir, path), 'utf8');
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  if (diagnostics.length > 0) {
    throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(diagnostics[0]?.messageText, '\n')}`);
  }
  return outputText.replace(/(from ['"])[^'"]*?([\w-]+)\.ts(['"])/g, '$1./$2.js$3');
}
