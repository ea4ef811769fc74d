import type { Intent } from '../intent.ts';
import { comparison } from './comparison.ts';
import { dates } from './dates.ts';
import { definitions } from './definition.ts';
import { documents } from './documents.ts';
import { list } from './list.ts';
import { makers } from './makers.ts';
import { modelFacts } from './model-facts.ts';
import { passage } from './passage.ts';
import { relations } from './relations.ts';
import { robotsRules } from './robots-rules.ts';
import { standing } from './standing.ts';
import { statistics } from './statistics.ts';
import { superlative } from './superlative.ts';
import { usage } from './usage.ts';
import { verification } from './verification.ts';

/** All kinds of question. Each reads every question; the best supported reading answers. Of equals the first wins. */
export const intents: readonly Intent[] = [
  ...robotsRules,
  ...verification,
  ...makers,
  ...dates,
  ...documents,
  ...modelFacts,
  ...standing,
  ...usage,
  comparison,
  superlative,
  list,
  relations,
  statistics,
  ...definitions,
  passage,
];
