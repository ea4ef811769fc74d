import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { isHtml } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { fail, partial, pass, requireFile } from '../../judging/verdicts.ts';

/** 300 days: RFC 9116 recommends less than a year. */
const lifetimeMs = 300 * 86_400_000;

/** Whether there is an address for reports. */
export const securityTxt = defineCheck({
  id: 'security-txt',
  technique: 'ax-trust',
  topic: 'security.txt',
  titles: {
    pass: 'security.txt says whom to tell',
    partial: 'security.txt has expired or has no expiry date',
    fail: 'There is no valid security.txt',
  },
  causes: ['no-security-txt'],
  why: 'Whoever finds a fault, person or agent, knows where to report it.',
  reference: { title: 'RFC 9116: security.txt', url: 'https://www.rfc-editor.org/rfc/rfc9116' },
  fix: ({ origin, startedAt }) => ({
    text: 'Serve /.well-known/security.txt as text/plain, with a day of expiry less than a year away.',
    snippet: `Contact: mailto:security@${new URL(origin).hostname}\nExpires: ${new Date(Date.parse(startedAt) + lifetimeMs).toISOString()}\nPreferred-Languages: en\nCanonical: ${origin}/.well-known/security.txt`,
    language: 'text',
  }),
  judge(evidence) {
    const file = requireFile(evidence, 'security-txt');
    const line = (note: string) =>
      lineOf(file, note, { header: 'content-type', excerpt: isSuccess(file) ? file.body.slice(0, 200) : undefined });
    if (!isSuccess(file) || isHtml(file)) {
      return fail(line('There is no security.txt.'));
    }
    const contact = /^contact:\s*(?:mailto:|https:|tel:)\S+/im.test(file.body);
    const expires = /^expires:\s*(\S+)/im.exec(file.body)?.[1];
    if (!contact) {
      return fail(line('There is no Contact line with an address.'));
    }
    if (expires === undefined || Number.isNaN(Date.parse(expires))) {
      return partial(line('There is no Expires line with a time (RFC 9116 section 2.5.5).'));
    }
    return Date.parse(expires) < Date.parse(evidence.startedAt)
      ? partial(line('The file has expired.'))
      : pass(line('Contact and Expires are there.'));
  },
});
