import type { Request } from 'express';
import type { z } from 'zod';
import { type FieldError, Problem } from '../contract/problem.ts';
import type { SignatureReport } from '../contract/signature-report.ts';
import { type ParsedInput, pathParameters, type Tool, toInputSchema } from '../contract/tool.ts';
import { parseInput } from '../contract/tool-input.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
import type { SignatureVerifier } from '../identity/signatures/signature-verifier.ts';
import { isTracking, queryOf } from './query.ts';
import { announceLimit } from './rate-limit.ts';
import { rawBodyOf } from './raw-body.ts';
import { requestIdOf } from './request-context.ts';

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

/** Where a query is read: an endpoint refuses a parameter that it doesn't know, a page passes over it. */
type QueryReader = 'endpoint' | 'page';

/**
 * The input of a tool without a body: its query and the parameters in its path. A repeated parameter is refused. An endpoint that
 * takes no query passes over one.
 */
function readQuery(tool: Tool, request: Request, by: QueryReader): Record<string, unknown> {
  const inPath = pathParameters(tool);
  const isStrict = by === 'endpoint' && Object.keys(tool.input.shape).some((name) => !inPath.includes(name));
  const numeric = numericInputs(tool);
  // Without a prototype, so that a parameter called __proto__ is one like any other.
  const input: Record<string, unknown> = Object.create(null);
  const errors: FieldError[] = [];
  const query = queryOf(request);
  const names = [...new Set(query.keys())].filter(
    (name) => Object.hasOwn(tool.input.shape, name) || (isStrict && !isTracking(name)),
  );
  for (const name of names) {
    const values = query.getAll(name);
    if (values.length > 1) {
      errors.push({
        pointer: `?${name.slice(0, 100)}`,
        detail: `comes ${values.length} times; give it once. Where several values are allowed, separate them with commas.`,
      });
    }
    input[name] = numeric.has(name) && /^-?\d{1,15}$/.test(values[0] ?? '') ? Number(values[0]) : values[0];
  }
  if (errors.length > 0) {
    throw new Problem('invalid-query', 'A query parameter is repeated. Give each one once.', { errors });
  }
  for (const name of inPath) {
    input[name] = request.params[name];
  }
  return input;
}

/** The parsed input of a tool from its query and path, or from the JSON body; throws a Problem that names each error. */
export const readInput = <Input extends z.ZodObject>(
  tool: Tool<never, Input>,
  request: Request,
  by: QueryReader = 'endpoint',
): ParsedInput & z.output<Input> =>
  tool.method === 'POST' ? parseInput(tool, request.body) : parseInput(tool, readQuery(tool, request, by), true);

const reports = new WeakMap<Request, Promise<SignatureReport>>();

/** The verdict on the signature of a request, made when it's first asked for: a signature counts once. */
function signatureOf(request: Request, signatures: SignatureVerifier): Promise<SignatureReport> {
  const known = reports.get(request);
  if (known !== undefined) {
    return known;
  }
  const report = signatures.verifyRequest({
    method: request.method,
    targetUri: request.originalUrl,
    rawHeaders: request.rawHeaders,
    body: rawBodyOf(request),
  });
  reports.set(request, report);
  return report;
}

/** A signal that is aborted when the connection closes before the answer is sent. */
function disconnectSignalOf({ res: response }: Request): AbortSignal {
  const disconnect = new AbortController();
  response?.once('close', () => {
    if (!response.writableFinished) {
      disconnect.abort();
    }
  });
  return disconnect.signal;
}

/** What a tool may know of the request. Call it once the body is read, which a signature may cover. */
export const toToolRequest = (request: Request, { signatures }: { signatures: SignatureVerifier }): ToolRequest => ({
  method: request.method,
  target: request.originalUrl,
  httpVersion: request.httpVersion,
  headers: request.headers,
  rawHeaders: request.rawHeaders,
  isOverMcp: false,
  clientAddress: request.ip ?? '0.0.0.0',
  requestId: request.res === undefined ? 'none' : requestIdOf(request.res),
  disconnected: disconnectSignalOf(request),
  announce: ({ name, limit, windowSeconds }, { remaining, resets_at }) => {
    const seconds = Math.max(0, Math.ceil((Date.parse(resets_at) - Date.now()) / 1000));
    if (request.res !== undefined && !request.res.headersSent) {
      announceLimit(request.res, { name, limit, windowSeconds, remaining, seconds });
    }
  },
  signature: () => signatureOf(request, signatures),
});
