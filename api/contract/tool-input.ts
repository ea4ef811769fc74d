import type { z } from 'zod';
import { type FieldError, Problem } from './problem.ts';
import type { ParsedInput, Tool } from './tool.ts';

const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const quantity = (kind: string, isQuery: boolean): string =>
  kind === 'string'
    ? 'text'
    : kind === 'number' || kind === 'int'
      ? 'a whole number'
      : isQuery
        ? 'a value'
        : `a JSON ${kind}`;

const partsOf = (origin: string): string => (origin === 'string' ? 'characters' : 'members');

/** The value at a path of the input, or undefined. */
function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined,
    given,
  );
}

/**
 * What a schema found in the input, as the end of a sentence that begins with the name of the field. A message that a
 * schema of ours brings with it is such an end already; those of the validator are put into words here.
 */
function toDetail(issue: z.core.$ZodIssue, isQuery: boolean, given: unknown): string {
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid')) {
    const values = issue.values.map(String).join(', ');
    return valueAt(given, issue.path) === undefined
      ? `is missing: one of ${values} is expected`
      : `is not one of ${values}`;
  }
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    const expected = quantity(issue.expected, isQuery);
    const received = / received (\w+)$/.exec(issue.message)?.[1];
    if (received === 'undefined') {
      return `is missing: ${expected} is expected`;
    }
    return isQuery || received === undefined
      ? `is not ${expected}`
      : `is ${received === 'null' ? 'null' : received === 'number' ? 'a number' : quantity(received, false)} where ${expected} is expected`;
  }
  if (issue.code === 'too_small' && issue.origin === 'number' && issue.message.startsWith('Too small')) {
    return `is less than ${issue.minimum}`;
  }
  if (issue.code === 'too_big' && issue.origin === 'number' && issue.message.startsWith('Too big')) {
    return `is more than ${issue.maximum}`;
  }
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) {
    return `is too short: at least ${issue.minimum} ${partsOf(issue.origin)} are expected`;
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    return `is too long: at most ${issue.maximum} ${partsOf(issue.origin)} are accepted`;
  }
  if (issue.code === 'invalid_format' && issue.message.startsWith('Invalid')) {
    return issue.format === 'regex' ? 'does not have the expected form' : `is not of the form ${issue.format}`;
  }
  return issue.message.startsWith('Invalid') ? 'has a value that is not accepted here' : issue.message;
}

/** The errors of a schema, as pointers: into the body, or at query and path parameters by name. */
function toFieldErrors(error: z.ZodError, tool: Tool, isQuery: boolean, given: unknown): FieldError[] {
  return error.issues.flatMap((issue): FieldError[] => {
    if (issue.code === 'unrecognized_keys') {
      const known = Object.keys(tool.input.shape);
      const accepted = known.length > 0 ? `Accepted here: ${known.join(', ')}.` : 'Nothing is taken here.';
      return issue.keys.map((key) => ({
        pointer: isQuery ? `?${key.slice(0, 100)}` : toPointer([key.slice(0, 100)]),
        detail: `is not known. ${accepted}`,
      }));
    }
    const pointer = isQuery ? `?${String(issue.path[0] ?? '')}` : toPointer(issue.path);
    return [{ pointer, detail: toDetail(issue, isQuery, given) }];
  });
}

/**
 * Parses the input of a tool, once for the whole call. Throws a Problem that names each error, by pointers into an object
 * or, for input from a query, by parameters.
 */
export function parseInput<Input extends z.ZodObject>(
  tool: Tool<never, Input>,
  given: unknown,
  isQuery = false,
): ParsedInput & z.output<Input> {
  const parsed = tool.input.safeParse(given);
  if (parsed.success) {
    return parsed.data as ParsedInput & z.output<Input>;
  }
  const errors = toFieldErrors(parsed.error, tool, isQuery, given);
  const detail = `${tool.title}: correct this. ${errors.map((error) => `${error.pointer || 'the body'} ${error.detail}`).join('; ')}`;
  throw new Problem(isQuery ? 'invalid-query' : 'invalid-fields', detail.slice(0, 1000), { errors });
}
