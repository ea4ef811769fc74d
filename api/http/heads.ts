import type { ContentCoding } from './negotiate.ts';
import type { Form } from './site-files.ts';

/** The headers of a form of a body, as they're sent with its bytes and in their place. */
interface Heads {
  form: Form;
  full: readonly string[];
  /** The same with the ETag, which only an answer of status 200 has. */
  tagged: readonly string[];
  notModified: readonly string[];
}

/** A body as its headers are made: those that all its forms have, and the form without a coding. */
interface Headed {
  headers: Readonly<Record<string, string>>;
  coded: { identity: Form };
}

type HeadsOfBodies = WeakMap<Headed, Partial<Record<ContentCoding, Heads>>>;

let heads: HeadsOfBodies = new WeakMap();
/** When the last of them were made; null when there are none. */
let madeAt: number | null = null;

/** The headers of a form of a body: made when it's first asked for, then the same lists each time. */
export function headsOf(body: Headed, form: Form, wanted: ContentCoding): Heads {
  const known = heads.get(body) ?? {};
  const there = known[wanted];
  if (there?.form === form) {
    return there;
  }
  // What was no shorter in the coding is sent without it.
  const isCoded = wanted !== 'identity' && form !== body.coded.identity;
  const tag = ['ETag', form.etag];
  const full = [
    ...Object.entries(body.headers).flat(),
    ...(isCoded ? ['Content-Encoding', wanted] : []),
    ...['Content-Length', String(form.length)],
  ];
  const made = {
    form,
    full,
    tagged: [...full, ...tag],
    notModified: [
      ...Object.entries(body.headers)
        .filter(([name]) => name !== 'Content-Type')
        .flat(),
      ...tag,
    ],
  };
  heads.set(body, { ...known, [wanted]: made });
  madeAt = performance.now();
  return made;
}

/** Drops the headers when none had to be made for this long; false when there were none to drop. */
export function forgetHeads(unusedMs: number): boolean {
  if (madeAt === null || performance.now() - madeAt < unusedMs) {
    return false;
  }
  heads = new WeakMap();
  madeAt = null;
  return true;
}
