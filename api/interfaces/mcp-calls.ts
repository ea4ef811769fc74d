import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Request, RequestHandler, Response } from 'express';
import { formatKey } from '../catalog/to-mcp.ts';
import { echoedLine } from '../contract/echoed-line.ts';
import { Problem, type ProblemDocument } from '../contract/problem.ts';
import { type Tool, toAnswer } from '../contract/tool.ts';
import { parseInput } from '../contract/tool-input.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
import { toToolRequest } from '../http/tool-request.ts';
import type { SignatureVerifier } from '../identity/signatures/signature-verifier.ts';
import { toText } from './mcp-text.ts';

type Json = Record<string, unknown>;

/** Where x402's MCP transport has the payment of a call, and the settlement of its result. */
const paymentKey = 'x402/payment';
const settlementKey = 'x402/payment-response';

/** A call of a tool, as `tools/call` has it. */
export interface ToolCall {
  name: string;
  arguments?: Json | undefined;
  _meta?: Json | undefined;
}

export interface CallResult {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Json;
  isError?: boolean;
  _meta?: Json;
}

/** What serving calls needs, beyond what the tools need themselves. */
export interface CallContext<Context> {
  tools: readonly Tool<Context>[];
  context: Context & { signatures: SignatureVerifier };
  /** The allowances that a call of a tool counts against, beyond the one for reading. */
  limitsOf: (tool: Tool) => readonly RequestHandler[];
  toDocument: (problem: Problem, request: Request, response: Response) => ProblemDocument;
}

/** Runs a middleware as a step of a call: it passes, or throws what it would hand on. */
const pass = (handler: RequestHandler, request: Request, response: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    const next = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
    Promise.resolve(handler(request, response, next)).catch(reject);
  });

/** The request with the payment of the call, as if it had come in a header: the object of x402, or the string of pay_quote. */
function withPayment(request: ToolRequest, payment: unknown): ToolRequest {
  if (payment === undefined) {
    return request;
  }
  const value = typeof payment === 'string' ? payment : Buffer.from(JSON.stringify(payment)).toString('base64');
  return { ...request, headers: { ...request.headers, 'x-payment': undefined, 'payment-signature': value } };
}

/** How a payment that is due is made over MCP. */
const howToPay = (tool: string): string =>
  `Call pay_quote with this quote, then ${tool} again with \`payment\` of the answer as its argument or in _meta["${paymentKey}"].`;

/** The result of a call that failed: what happened and what to call next. */
function toFailure(tool: string, document: ProblemDocument): CallResult {
  if (document['x402Version'] !== undefined) {
    // x402's MCP transport wants the same document as text and as data.
    const { x402Version, error, resource, accepts, quote } = document;
    const due = { x402Version, error, resource, accepts, quote, how_to_pay: howToPay(tool) };
    return { content: [{ type: 'text', text: JSON.stringify(due) }], structuredContent: due, isError: true };
  }
  const errors = (document.errors ?? []).map(({ pointer, detail }) => `- ${pointer} ${detail}`);
  const text = [
    `${document.title}. ${document.detail}`,
    ...(document.errors === undefined || errors.length < 2 ? [] : errors),
  ];
  return { content: [{ type: 'text', text: text.join('\n') }], isError: true };
}

const fromHeader = (value: string | undefined): Json | null =>
  value === undefined ? null : (JSON.parse(Buffer.from(value, 'base64').toString('utf8')) as Json);

/** Serves `tools/call` for one HTTP request. Throws a ProtocolError for a tool that is none. */
export async function callTool<Context>(
  call: ToolCall,
  { tools, context, limitsOf, toDocument }: CallContext<Context>,
  request: Request,
  response: Response,
): Promise<CallResult> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ');
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `No tool is called ${echoedLine(call.name.slice(0, 100))}. There are: ${names}.`,
    );
  }
  const { payment, ...given } = call.arguments ?? {};
  const isPaid = takesPayment(tool);
  try {
    for (const limit of limitsOf(tool)) {
      await pass(limit, request, response);
    }
    const asked = isPaid || payment === undefined ? given : { payment, ...given };
    const input = parseInput(tool, { ...tool.overMcp, ...asked });
    const asking = { ...toToolRequest(request, context), isOverMcp: true };
    const paying = isPaid ? withPayment(asking, payment ?? call._meta?.[paymentKey]) : asking;
    const { output, headers } = toAnswer(await tool.run(input, context, paying));
    response.set(headers);
    const settlement = fromHeader(headers['PAYMENT-RESPONSE']);
    const isData = call._meta?.[formatKey] === 'json';
    return {
      content: [{ type: 'text', text: isData ? 'The data is in structuredContent.' : toText(tool.name, output) }],
      ...(isData ? { structuredContent: output as Json } : {}),
      ...(settlement === null ? {} : { _meta: { [settlementKey]: settlement } }),
    };
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    response.set(error.headers);
    return toFailure(tool.name, toDocument(error, request, response));
  }
}

/** Whether a tool takes a payment: by a header over HTTP, by an argument here. */
export const takesPayment = (tool: Tool): boolean => Object.hasOwn(tool.headers ?? {}, 'X-Payment');
