import { z } from 'zod';
import type { ProblemSlug } from './problem-types.ts';
import type { ToolRequest } from './tool-request.ts';

/** How an HTTP client reaches a tool, as the tool registry shows it. */
export interface HttpTwin {
  method: Tool['method'];
  path: string;
  /** Names of the query parameters. */
  query?: string[];
  /** Names of the members of the JSON body. */
  body?: string[];
  note?: string;
  pricing?: string;
  withdraw?: string;
  read_one?: string;
  /** The tool's answer is one member of a list in the response: of which list, found by which input. */
  select?: { list: string; by: string };
}

/** Marks the schema of a query parameter of which several values are taken, with commas between them. */
export const severalKey = 'x-several';

declare const isParsed: unique symbol;

/** Input that the schema of a tool has parsed. Only `parseInput` of tool-input.ts makes one. */
export type ParsedInput = Record<string, unknown> & { readonly [isParsed]: true };

/**
 * A tool: one declaration that the HTTP route, the registry, the manifest, OpenAPI and the in-page tools are made from.
 * `Context` is the part of the service that it needs. Code that only reads declarations takes a `Tool` of any context.
 */
export interface Tool<in Context = never, Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** RFC 6570 level 1 path template; `{name}` is a member of the input. */
  path: string;
  /** `open` needs nothing; `paid` answers 402 until it is paid for. */
  access: 'open' | 'paid';
  /** Which allowance a call counts against. */
  limit: 'read' | 'write' | 'audit';
  /** A further allowance of the client network that a call takes from; its policy has this name in the RateLimit headers. */
  allowance?: 'audit' | 'join';
  readOnly: boolean;
  /** Set when a call makes something new, which is answered with 201. `unless` says what a 200 is then for. */
  creates?: { unless: string };
  /** Set when the answer has an entity tag, so that a conditional request can be answered with 304 or 412: the whole list, or every answer. */
  hasEntityTag?: 'whole' | 'always';
  /** Request headers that `run` reads. */
  headers?: Readonly<Record<string, { description: string; required: boolean }>>;
  /** Errors beyond those that follow from the method, the path and the limit. */
  problems?: readonly ProblemSlug[];
  input: Input;
  output: z.ZodType;
  /** Input that a call over MCP has unless it says otherwise: there an answer is read by a model, by the token. */
  overMcp?: Readonly<Record<string, unknown>>;
  /** Media types besides JSON that the answer is available in, by Accept. */
  alsoAs?: readonly string[];
  /** The one of them that is sent in place of JSON when the client prefers none. */
  firstType?: string;
  example?: Record<string, unknown>;
  /** What the registry says of the HTTP twin beyond method, path and parameters. */
  notes?: Pick<HttpTwin, 'note' | 'pricing' | 'withdraw' | 'read_one' | 'select'>;
  /** The tool whose HTTP route serves this one too; it then has no route of its own. */
  routeOf?: string;
  /** Returns the output, or a ToolAnswer; throws a Problem. */
  run: (input: ParsedInput, context: Context, request: ToolRequest) => unknown;
}

type Definition<Context, Input extends z.ZodObject, Output extends z.ZodType> = Omit<
  Tool,
  'input' | 'output' | 'run' | 'example'
> & {
  input: Input;
  output: Output;
  example?: z.input<Input>;
  run(
    input: z.output<Input>,
    context: Context,
    request: ToolRequest,
  ): z.input<Output> | ToolAnswer<z.input<Output>> | Promise<z.input<Output> | ToolAnswer<z.input<Output>>>;
};

/** What `run` returns when the answer over HTTP has a status or headers of its own. */
export class ToolAnswer<Output> {
  readonly output: Output;
  readonly status: 200 | 201;
  readonly headers: Readonly<Record<string, string>>;
  /** The answer in other media types, for who asks for one by Accept; what takes work is made when it's asked for. */
  readonly forms: Readonly<Record<string, string | (() => string | Uint8Array)>>;
  /** The media type that the input asked for; it goes before Accept. */
  readonly type: string | undefined;

  constructor(
    output: Output,
    options: {
      status?: 200 | 201;
      headers?: Record<string, string>;
      forms?: Record<string, string | (() => string | Uint8Array)>;
      type?: string | undefined;
    } = {},
  ) {
    this.type = options.type;
    this.output = output;
    this.status = options.status ?? 200;
    this.headers = options.headers ?? {};
    this.forms = options.forms ?? {};
  }
}

/** What `run` returned, as an answer: a plain output has status 200 and no headers. */
export const toAnswer = (result: unknown): ToolAnswer<unknown> =>
  result instanceof ToolAnswer ? result : new ToolAnswer(result);

/**
 * Declares a tool. The types of the input and the output of `run` follow from their schemas; the type of its context is
 * the one that the parameter is declared with.
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType, Context = unknown>(
  definition: Definition<Context, Input, Output>,
): Tool<Context, Input> {
  return {
    ...definition,
    example: definition.example as Record<string, unknown> | undefined,
    run: (input, context, request) => definition.run(input as z.output<Input>, context, request),
  };
}

/** The members of a tool's input that are part of its path. */
export const pathParameters = (tool: Pick<Tool, 'path'>): string[] =>
  [...tool.path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));

/** The HTTP twin of a tool as the registry shows it. */
export function toHttpTwin(tool: Tool): HttpTwin {
  const inPath = new Set(pathParameters(tool));
  const rest = tool.routeOf === undefined ? Object.keys(tool.input.shape).filter((name) => !inPath.has(name)) : [];
  return {
    method: tool.method,
    path: tool.path,
    ...(rest.length > 0 && tool.method === 'GET' ? { query: rest } : {}),
    ...(rest.length > 0 && tool.method === 'POST' ? { body: rest } : {}),
    ...tool.notes,
  };
}

/** JSON Schema 2020-12 of a tool's input, without the dialect marker that every reader of the registry would repeat. */
export function toInputSchema(tool: Tool): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, { io: 'input' });
  return schema;
}
