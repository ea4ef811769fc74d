import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { isLocal } from '../../judging/local.ts';
import { fail, notApplicable, partial, pass, requireAnswer, unchecked } from '../../judging/verdicts.ts';

/** Whether the host proves who it is. */
export const https = defineCheck({
  id: 'https',
  technique: 'agent-identity',
  topic: 'HTTPS',
  titles: {
    pass: 'HTTPS with a valid certificate',
    partial: 'Pages are served over plain http as well',
    fail: 'No HTTPS with a valid certificate',
  },
  causes: ['no-https'],
  why: 'Without TLS anyone between can change what an agent reads, instructions included. Identity begins with the host that proves its own.',
  reference: {
    title: 'RFC 9110, section 4.3.4: https certificate verification',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-4.3.4',
  },
  fix: ({ origin }) => ({
    text: 'Get a certificate (free of charge by ACME), serve everything over https, and answer http with one redirect.',
    snippet: `# Caddy gets and renews the certificate itself\n${new URL(origin).hostname} {\n  root * /srv/www\n  file_server\n}`,
    language: 'text',
  }),
  judge(evidence) {
    if (isLocal(evidence)) {
      return notApplicable(
        bareLine(evidence, 'The host is local: nobody issues a certificate for it that everybody trusts.'),
      );
    }
    const first = evidence.exchanges['home'] ?? evidence.exchanges['robots'];
    if (first === undefined) {
      return unchecked(bareLine(evidence, 'Nothing was asked for.'));
    }
    if (first.tls?.ok === false) {
      return fail(lineOf(first, first.tls.error ?? 'The certificate does not verify.'));
    }
    if (!evidence.origin.startsWith('https:')) {
      return fail(lineOf(requireAnswer(evidence, 'home'), 'The page is served over plain http.'));
    }
    const home = requireAnswer(evidence, 'home');
    const plain = evidence.exchanges['home-http'];
    if (plain?.outcome === 'ok' && plain.url.startsWith('http:') && isSuccess(plain)) {
      return partial(
        lineOf(home, `The certificate verifies (${home.tls?.protocol ?? 'TLS'}).`),
        lineOf(plain, 'The same page is served over plain http, without a redirect.'),
      );
    }
    return pass(lineOf(home, `The certificate verifies (${home.tls?.protocol ?? 'TLS'}).`));
  },
});
