import express, { type Request, type RequestHandler } from 'express';
import { Problem } from '../contract/problem.ts';
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

/**
 * Reads a field of the form, with line feeds as the visitor typed them: a browser sends CR LF for each. A field that is
 * missing is empty; one that comes twice is the Problem `invalid-fields`.
 */
export function readForm(request: Request): (name: string) => string {
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  return (name) => {
    const values = form.getAll(name);
    if (values.length > 1) {
      throw new Problem('invalid-fields', `The field ${name} came ${values.length} times. Send it once.`, {
        errors: [{ pointer: `/${name}`, detail: `comes ${values.length} times; send it once.` }],
      });
    }
    return (values[0] ?? '').replaceAll('\r\n', '\n');
  };
}
