import type { SiteResult } from '../audited-site.ts';
import type { Difference } from '../baseline.ts';
import { toFixesFormat } from './fixes.ts';
import { toJson } from './json.ts';
import { toJunit } from './junit.ts';
import { toMarkdown } from './markdown.ts';
import { toSarif } from './sarif.ts';
import { toText } from './text.ts';

/** What a format gets: the results in the order of the addresses, and how to write them. */
export interface FormatInput {
  results: readonly SiteResult[];
  differences: readonly Difference[];
  /** The lowest score that passes; 0 when none was asked for. */
  min: number;
  verbose: boolean;
  hasColours: boolean;
  version: string;
  platform: string | undefined;
}

export type Format = (input: FormatInput) => string;

/** Every format by its name. */
export const formats = {
  text: toText,
  json: toJson,
  markdown: toMarkdown,
  sarif: toSarif,
  junit: toJunit,
  fixes: toFixesFormat,
} as const satisfies Record<string, Format>;

export const formatNames = Object.keys(formats) as [keyof typeof formats, ...(keyof typeof formats)[]];
