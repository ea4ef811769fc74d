import express, { type Request, type RequestHandler } from 'express';
import { Problem } from '../contract/problem.ts';
import { cleanText } from '../text/clean-text.ts';
import { keepRawBody, refuseOtherCharsets } from './raw-body.ts';

const formType = 'application/x-www-form-urlencoded';

/** Takes the body of a form; any other media type is refused with a word on where JSON goes, such as `POST /api/audit`. */
export const formBody = (jsonGoesTo: string): RequestHandler[] => [
  (request, _response, next) => {
    // Not `request.is`, which takes a form without fields for no body when it comes without Content-Length.
    if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== formType) {
      throw new Problem('unsupported-media-type', `Send the form as ${formType}. JSON goes to ${jsonGoesTo}.`);
    }
    next();
  },
  refuseOtherCharsets,
  keepRawBody,
  express.text({ limit: '16kb', type: formType }),
];

/** A field that a page shows again, without what people can't see. */
const shown = (text: string): string => cleanText(text, { characters: 4096 }).text;

/**
 * Reads the fields of a form, with line feeds as the visitor typed them: a browser sends CR LF for each. A missing field is
 * empty. `field` throws the Problem `invalid-fields` for one that comes twice; `typed` reads the first of them, cleaned,
 * to be shown again.
 */
export function readForm(request: Request): Record<'field' | 'typed', (name: string) => string> {
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  const first = (name: string): string => (form.get(name) ?? '').replaceAll('\r\n', '\n');
  return {
    typed: (name) => shown(first(name)),
    field: (name) => {
      const count = form.getAll(name).length;
      if (count > 1) {
        throw new Problem('invalid-fields', `The field ${name} came ${count} times. Send it once.`, {
          errors: [{ pointer: `/${name}`, detail: `comes ${count} times; send it once.` }],
        });
      }
      return first(name);
    },
  };
}
