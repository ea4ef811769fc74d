import type { Request } from 'express';
import { echoedLine } from '../contract/echoed-line.ts';
import { toFieldSentences } from '../contract/form-problem.ts';
import type { Problem } from '../contract/problem.ts';
import { queryOf } from '../http/query.ts';
import type { QueryRefusal } from './page-data.ts';

/** What a person is shown whose query can't be answered: the form with what was typed, and the reason. */
export const toQueryRefusal = (
  problem: Problem,
  request: Request,
  { name, called }: { name: string; called: Readonly<Record<string, string>> },
): QueryRefusal => ({
  given: echoedLine(queryOf(request).get(name) ?? ''),
  problem: { slug: problem.slug, detail: toFieldSentences(problem, called), due: null },
});
