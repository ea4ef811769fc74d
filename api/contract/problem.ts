import { cleanText } from '../text/clean-text.ts';
import { type ProblemSlug, problemType } from './problem-types.ts';

/** One wrong field or parameter: a JSON Pointer (RFC 6901) into the body, or `?name` for a query parameter. */
export interface FieldError {
  pointer: string;
  detail: string;
}

/** A form of one button: where it goes, its hidden fields, and what is on the button. */
export interface ProblemForm {
  action: string;
  fields: Readonly<Record<string, string>>;
  button: string;
}

interface ProblemOptions {
  errors?: FieldError[];
  /** Extra members of the body. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** The form by which a reader of the page gets on from here. */
  form?: ProblemForm;
  /** What a person reads in place of a detail that is for programs. */
  plain?: string;
  cause?: unknown;
}

/** A text of an error, without the invisible characters that a value of the caller brings along. */
const visible = (text: string): string => cleanText(text, { characters: 4000 }).text;

/** An error that a caller may see, in the terms of RFC 9457. Tools and routes throw it; one handler sends it. */
export class Problem extends Error {
  readonly slug: ProblemSlug;
  readonly status: number;
  readonly title: string;
  readonly errors: FieldError[] | undefined;
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly form: ProblemForm | undefined;
  /** What happened and what to do next, for a person who sent a form. */
  readonly plain: string;

  /** `detail` says what happened in this case and what to do next. */
  constructor(slug: ProblemSlug, detail: string, options: ProblemOptions = {}) {
    super(visible(detail), { cause: options.cause });
    const type = problemType(slug);
    this.slug = slug;
    this.status = type.status;
    this.title = type.title;
    this.errors = options.errors?.map((error) => ({ pointer: visible(error.pointer), detail: visible(error.detail) }));
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
    this.form = options.form;
    this.plain = visible(options.plain ?? detail);
  }
}

/** The body of an error response: RFC 9457 section 3, with `request_id` and `errors` as extension members. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  request_id: string;
  errors?: FieldError[];
  [member: string]: unknown;
}

/**
 * The body of an answer to a request that the application never saw: its type is all that is known of it. `instance` and
 * `requestId` are what the answering server knows of the request.
 */
export function toUnreadDocument(
  slug: ProblemSlug,
  request: { baseUrl: string; instance: string; requestId: string },
): ProblemDocument {
  const { title, status, when, remedy } = problemType(slug);
  return {
    type: `${request.baseUrl}/problems/${slug}`,
    title,
    status,
    detail: `${when} ${remedy}`,
    instance: request.instance,
    request_id: request.requestId,
  };
}

/** Writes a problem down for one request. `instance` is the path of the request, without its query. */
export function toProblemDocument(
  problem: Problem,
  request: { baseUrl: string; path: string; requestId: string },
): ProblemDocument {
  return {
    type: `${request.baseUrl}/problems/${problem.slug}`,
    title: problem.title,
    status: problem.status,
    detail: problem.message,
    instance: request.path,
    request_id: request.requestId,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    ...problem.members,
  };
}
