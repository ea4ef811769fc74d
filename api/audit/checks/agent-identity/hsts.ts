import { defineCheck } from '../../check.ts';
import { headerOf } from '../../facts/headers.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { isLocal } from '../../judging/local.ts';
import { absent, fail, notApplicable, partial, pass, requireVisible } from '../../judging/verdicts.ts';

/** Whether clients are told to stay with https. */
export const hsts = defineCheck({
  id: 'hsts',
  technique: 'agent-identity',
  topic: 'Strict-Transport-Security',
  titles: {
    pass: 'Strict-Transport-Security is sent',
    partial: 'Strict-Transport-Security lasts less than half a year',
    fail: 'Strict-Transport-Security is missing',
  },
  causes: ['response-headers'],
  why: 'The header keeps later visits from beginning over plain http, where they could be led elsewhere.',
  reference: { title: 'RFC 6797: HTTP Strict Transport Security', url: 'https://www.rfc-editor.org/rfc/rfc6797' },
  fix: () => ({
    text: 'Send the header over https, with a lifetime of at least half a year.',
    snippet: 'add_header Strict-Transport-Security "max-age=31536000" always;',
    language: 'nginx',
  }),
  judge(evidence) {
    if (isLocal(evidence)) {
      return notApplicable(bareLine(evidence, 'The host is local: browsers ignore the header there.'));
    }
    const home = requireVisible(evidence, 'home');
    const line = (note: string) => lineOf(home, note, { header: 'strict-transport-security' });
    if (!home.url.startsWith('https:')) {
      return absent('https', line('Over plain http the header has no effect (RFC 6797 section 7.2).'));
    }
    const seconds = Number(
      /(?:^|;)\s*max-age\s*=\s*"?(\d+)/i.exec(headerOf(home, 'strict-transport-security') ?? '')?.[1] ?? 0,
    );
    if (seconds >= 15_552_000) {
      return pass(line('The lifetime is at least 180 days.'));
    }
    return seconds > 0
      ? partial(line('The lifetime is shorter than 180 days.'))
      : fail(line('The header is missing or says nothing.'));
  },
});
