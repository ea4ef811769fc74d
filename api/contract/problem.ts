import { type ProblemSlug, problemType } from './problem-types.ts';

/** One wrong field or parameter: a JSON Pointer (RFC 6901) into the body, or `?name` for a query parameter. */
export interface FieldError {
  pointer: string;
  detail: string;
}

interface ProblemOptions {
  errors?: FieldError[];
  /** Extra members of the body. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error that a caller may see, in the terms of RFC 9457. Tools and routes throw it; one handler sends it. */
export class Problem extends Error {
  readonly slug: ProblemSlug;
  readonly status: number;
  readonly title: string;
  readonly errors: FieldError[] | undefined;
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;

  /** `detail` says what happened in this case and what to do next. */
  constructor(slug: ProblemSlug, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    const type = problemType(slug);
    this.slug = slug;
    this.status = type.status;
    this.title = type.title;
    this.errors = options.errors;
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
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
