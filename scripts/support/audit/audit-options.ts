import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { techniqueIds } from '#almanac/techniques.ts';
import { platformIds } from '#api/audit/fixes/platforms/index.ts';
import { weightedChecks } from '#api/audit/rubric.ts';
import { type parseCommandLine, UsageError } from '../command-line.ts';
import { formatNames } from './formats/index.ts';

/** The file that is read from the working folder when there is one. */
export const configFile = 'porchlight.config.json';

const score = z
  .int('is not a score from 0 to 100')
  .min(0, 'is not a score from 0 to 100')
  .max(100, 'is not a score from 0 to 100');
const pages = 'is not a number of pages from 1 to 50';

/** One of some names; a fault says which name it isn't, and what there is. */
const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, { error: ({ input }) => `${JSON.stringify(input)} is none of ${names.join(', ')}` });

const checkOrTechnique = z.enum([...weightedChecks, ...techniqueIds], {
  error: ({ input }) =>
    `${JSON.stringify(input)} is neither a check, such as ${weightedChecks[0]}, nor one of the techniques ${techniqueIds.join(', ')}; --verbose names the check of each finding`,
});

/** What a configuration file may hold, and every option of the command line. */
export const auditConfig = z.strictObject({
  $schema: z.string().optional(),
  urls: z.array(z.string().min(1)).optional().describe('The sites to audit when the command names none.'),
  min: score.optional().describe('The lowest score that passes.'),
  baseline: z.string().optional().describe('A JSON result to compare with: what got worse fails.'),
  ignore: z.array(checkOrTechnique).optional().describe('Checks or techniques that don’t count.'),
  only: z.array(checkOrTechnique).optional().describe('The only checks or techniques that count.'),
  pages: z
    .int(pages)
    .min(1, pages)
    .max(50, pages)
    .optional()
    .describe('How many pages to look at, the home page among them; 5 unless given.'),
  paths: z
    .array(z.string().startsWith('/', 'begins with /, such as /about'))
    .optional()
    .describe('Paths of pages to look at in any case.'),
  sitemap: z.string().optional().describe('Where the sitemap is, if robots.txt doesn’t say.'),
  format: oneOf(formatNames).optional().describe('How the result is printed; text unless given.'),
  platform: oneOf(platformIds).optional().describe('What fixes are written for, if the site doesn’t show it.'),
});
export type AuditConfig = z.infer<typeof auditConfig>;

/** The call as the command works with it. */
export interface AuditCall extends Omit<AuditConfig, '$schema'> {
  urls: string[];
  verbose: boolean;
  output: string | null;
  /** A folder to write the files of the fixes into. */
  fixes: string | null;
  recording: string | null;
  replay: string | null;
  /** Whether the home page is opened in a browser too. */
  browser: boolean;
}

/** The options of the command line. */
export const auditOptions = {
  min: { type: 'string' },
  baseline: { type: 'string' },
  ignore: { type: 'string', multiple: true },
  only: { type: 'string', multiple: true },
  pages: { type: 'string' },
  path: { type: 'string', multiple: true },
  sitemap: { type: 'string' },
  format: { type: 'string' },
  json: { type: 'boolean', default: false },
  platform: { type: 'string' },
  verbose: { type: 'boolean', short: 'v', default: false },
  output: { type: 'string', short: 'o' },
  fixes: { type: 'string' },
  recording: { type: 'string' },
  replay: { type: 'string' },
  browser: { type: 'boolean', default: false },
  config: { type: 'string', short: 'c' },
} as const;

const listOf = (given: string[] | undefined): string[] | undefined =>
  given
    ?.flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

/** Says of each fault which option or member it's in, what it is, and what would be right. */
function parseAs<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  { where = '', nameOf = (path) => path }: { where?: string; nameOf?: (path: string) => string },
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  const faults = result.error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    return issue.code === 'unrecognized_keys'
      ? `there is no ${issue.keys.join(', ')}; known are ${Object.keys(schema.shape)
          .filter((key) => key !== '$schema')
          .join(', ')}`
      : `${nameOf(path)}: ${issue.message}`;
  });
  throw new UsageError(`${where}${faults.join('; ')}.`);
}

/** What decides on the audit of one site. */
export const siteOptions = auditConfig.pick({ ignore: true, only: true, pages: true, paths: true, sitemap: true });
export type SiteConfig = z.infer<typeof siteOptions>;

/** Throws UsageError where options of a library call name what there isn't. */
export function checkSiteOptions(options: object): void {
  parseAs(siteOptions, options, {});
}

async function readConfigFile(file: string, cwd: string): Promise<AuditConfig> {
  const text = await readFile(resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} can't be read: ${error instanceof Error ? error.message : error}`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} isn't JSON: ${error instanceof Error ? error.message : error}`);
  }
  return parseAs(auditConfig, value, { where: `${file}: ` });
}

const optionNames: Record<string, string> = { paths: '--path' };

/** Reads the arguments and the configuration file, arguments first. Throws UsageError. */
export async function readAuditCall(
  { values, positionals }: ReturnType<typeof parseCommandLine<typeof auditOptions>>,
  cwd: string,
): Promise<AuditCall> {
  const fromFile =
    values.config !== undefined
      ? await readConfigFile(values.config, cwd)
      : existsSync(resolve(cwd, configFile))
        ? await readConfigFile(configFile, cwd)
        : {};
  const given = Object.fromEntries(
    Object.entries({
      urls: positionals.length > 0 ? positionals : undefined,
      min: numberOf(values.min),
      baseline: values.baseline,
      ignore: listOf(values.ignore),
      only: listOf(values.only),
      pages: numberOf(values.pages),
      paths: values.path,
      sitemap: values.sitemap,
      format: values.json ? 'json' : values.format,
      platform: values.platform,
    }).filter(([, value]) => value !== undefined),
  );
  const { $schema: _schema, ...merged } = {
    ...fromFile,
    ...parseAs(auditConfig, given, { nameOf: (path) => optionNames[path] ?? `--${path.replace(/\..*$/, '')}` }),
  };
  const urls = merged.urls ?? [];
  if (values.replay !== undefined && (positionals.length > 0 || values.recording !== undefined)) {
    throw new UsageError('--replay judges a recording: give neither an address nor --recording with it.');
  }
  if (values.replay !== undefined && values.browser) {
    throw new UsageError('--browser opens the site, and --replay asks it nothing: give one of them.');
  }
  if (urls.length === 0 && values.replay === undefined) {
    throw new UsageError('Give the address of a site, such as example.com.');
  }
  if (urls.length > 1 && values.recording !== undefined) {
    throw new UsageError('--recording keeps one site: give one address with it.');
  }
  return {
    ...merged,
    urls: values.replay === undefined ? urls : [],
    verbose: values.verbose,
    output: values.output ?? null,
    fixes: values.fixes ?? null,
    recording: values.recording ?? null,
    replay: values.replay ?? null,
    browser: values.browser,
  };
}
