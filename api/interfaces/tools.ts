import express, { type RequestHandler, Router } from 'express';
import type { z } from 'zod';
import type { AppContext, ToolRequest } from '../context.ts';
import { type FieldError, Problem } from '../contract/problem.ts';
import { pathParameters, type Tool, toAnswer, toInputSchema } from '../contract/tool.ts';
import { keepRawBody, refuseOtherCharsets } from '../http/raw-body.ts';
import { requestIdOf } from '../http/request-context.ts';
import { signatureOf } from '../identity/request-signature.ts';
import type { SignatureVerifier } from '../identity/signatures/signature-verifier.ts';

const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Whether the input stands in the address; else it is the body. */
const isFromQuery = (tool: Tool): boolean => tool.method !== 'POST';

const quantity = (kind: string, isQuery: boolean): string =>
  kind === 'string'
    ? 'text'
    : kind === 'number' || kind === 'int'
      ? 'a whole number'
      : isQuery
        ? 'a value'
        : `a JSON ${kind}`;

const partsOf = (origin: string): string => (origin === 'string' ? 'characters' : 'members');

/** What stands at a path of the input, or undefined. */
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

const numericByTool = new WeakMap<Tool, Set<string>>();

/** The inputs of a tool that are whole numbers: in a query they come as digits. */
function numericInputs(tool: Tool): Set<string> {
  const known = numericByTool.get(tool);
  if (known !== undefined) {
    return known;
  }
  const { properties = {} } = toInputSchema(tool) as { properties?: Record<string, { type?: string }> };
  const names = new Set(Object.keys(properties).filter((name) => properties[name]?.type === 'integer'));
  numericByTool.set(tool, names);
  return names;
}

/** The input of a tool without a body: its query and the parameters in its path. A parameter that comes twice is refused. */
function readQuery(tool: Tool, request: Parameters<RequestHandler>[0]): Record<string, unknown> {
  const numeric = numericInputs(tool);
  // Without a prototype, so that a parameter called __proto__ is one like any other.
  const input: Record<string, unknown> = Object.create(null);
  const errors: FieldError[] = [];
  const query = new URL(request.originalUrl, 'http://localhost').searchParams;
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    if (values.length > 1) {
      errors.push({ pointer: `?${name.slice(0, 100)}`, detail: `comes ${values.length} times; give it once.` });
    }
    input[name] = numeric.has(name) && /^-?\d{1,15}$/.test(values[0] ?? '') ? Number(values[0]) : values[0];
  }
  if (errors.length > 0) {
    throw new Problem('invalid-query', 'A query parameter is repeated. Give each one once.', { errors });
  }
  for (const name of pathParameters(tool)) {
    input[name] = request.params[name];
  }
  return input;
}

/**
 * The input of a tool, checked; throws a Problem that names each fault, by pointers into an object or, for what came in
 * a query, by parameters.
 */
export function checkInput(tool: Tool, given: unknown, isQuery = false): Record<string, unknown> {
  const parsed = tool.input.safeParse(given);
  if (parsed.success) {
    return parsed.data;
  }
  const errors = toFieldErrors(parsed.error, tool, isQuery, given);
  const detail = `${tool.title}: correct what \`errors\` names. ${errors.map((error) => `${error.pointer || 'the body'} ${error.detail}`).join('; ')}`;
  throw new Problem(isQuery ? 'invalid-query' : 'invalid-fields', detail.slice(0, 1000), { errors });
}

/** The checked input of a tool from its query and path, or from the JSON body; throws a Problem that names each fault. */
export const readInput = (tool: Tool, request: Parameters<RequestHandler>[0]): Record<string, unknown> =>
  isFromQuery(tool) ? checkInput(tool, readQuery(tool, request), true) : checkInput(tool, request.body);

/** A signal that is aborted when the connection closes before the answer is out. */
function goneSignalOf({ res: response }: Parameters<RequestHandler>[0]): AbortSignal {
  const gone = new AbortController();
  response?.once('close', () => {
    if (!response.writableFinished) {
      gone.abort();
    }
  });
  return gone.signal;
}

/** What a tool may know of the request. */
export const toToolRequest = (
  request: Parameters<RequestHandler>[0],
  { signatures }: { signatures: SignatureVerifier },
): ToolRequest => ({
  method: request.method,
  target: request.originalUrl,
  httpVersion: request.httpVersion,
  headers: request.headers,
  rawHeaders: request.rawHeaders,
  clientAddress: request.ip ?? '0.0.0.0',
  requestId: request.res === undefined ? 'none' : requestIdOf(request.res),
  gone: goneSignalOf(request),
  signature: () => signatureOf(request, signatures),
});

/** Takes a JSON body; any other media type is refused (RFC 9110 section 15.5.16). */
export const jsonBody: RequestHandler[] = [
  (request, _response, next) => {
    if (!request.is('application/json')) {
      throw new Problem('unsupported-media-type', 'Send the body as JSON, with Content-Type: application/json.');
    }
    next();
  },
  refuseOtherCharsets,
  keepRawBody,
  express.json({ limit: '16kb', strict: false, type: 'application/json' }),
];

/** The HTTP twin of each tool, as one router. `limitWrites` counts what changes something, before the work is done. */
export function toolRoutes(
  tools: readonly Tool[],
  context: AppContext,
  limitWrites: readonly RequestHandler[],
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const tool of tools.filter((candidate) => candidate.routeOf === undefined)) {
    const path = tool.path.replace(/\{(\w+)\}/g, ':$1');
    const answer: RequestHandler = async (request, response) => {
      const result = await tool.run(readInput(tool, request), context, toToolRequest(request, context));
      const { output, status, headers, forms } = toAnswer(result);
      response.setHeader('Cache-Control', 'no-store');
      response.status(status).set(headers);
      const others = Object.keys(forms);
      if (others.length > 0) {
        response.vary('Accept');
      }
      const first = tool.firstType ?? 'application/json';
      const type = request.accepts(...new Set([first, 'application/json', ...others])) || first;
      const form = forms[type];
      if (form === undefined) {
        response.json(output);
      } else {
        response.type(type).send(form);
      }
    };
    const handlers = [
      ...(tool.limit === 'read' ? [] : limitWrites),
      ...(tool.method === 'POST' ? jsonBody : []),
      answer,
    ];
    if (tool.method === 'GET') {
      router.get(path, ...handlers);
    } else if (tool.method === 'DELETE') {
      router.delete(path, ...handlers);
    } else {
      router.post(path, ...handlers);
    }
  }
  return router;
}
