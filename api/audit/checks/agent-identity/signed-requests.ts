import { defineCheck } from '../../check.ts';
import { headerOf } from '../../facts/headers.ts';
import { find } from '../../facts/json.ts';
import { answersNamedBy, isGone } from '../../judging/advertisements.ts';
import { documentOf } from '../../judging/claims.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { fail, notApplicable, partial, pass, requireAnswer, requireFile } from '../../judging/verdicts.ts';

const places = [
  ['web_bot_auth'],
  ['identity'],
  ['interfaces', 'identity'],
  ['interfaces', 'web_bot_auth'],
  ['capabilities', 'identity'],
];
const namesScheme = /9421|http[- ]message[- ]signature|web[- _]bot[- _]auth/i;

/** Whether a site that says it knows signed agents says how, and has something to show for it. */
export const signedRequests = defineCheck({
  id: 'signed-requests',
  technique: 'agent-identity',
  topic: 'Signed requests',
  titles: {
    pass: 'Signed requests: the scheme is named and answers',
    partial: 'Signed requests are announced without proof',
    fail: 'Signed requests are announced, and nothing answers',
  },
  causes: ['signing'],
  why: 'An agent that can prove who it is must learn that proof is taken, and in which form.',
  reference: { title: 'RFC 9421: HTTP Message Signatures', url: 'https://www.rfc-editor.org/rfc/rfc9421' },
  contested:
    'Web Bot Auth is an IETF draft over RFC 9421, and its forms of Signature-Agent and of the key id have changed. We ask that the scheme is named and leave the form to the site.',
  fix: ({ origin }) => ({
    text: 'Say in the manifest which scheme is taken and what to cover, and name an address where a signature can be tried.',
    snippet: `"identity": {\n  "scheme": "RFC 9421 HTTP Message Signatures, Ed25519, tag web-bot-auth",\n  "cover": ["@method", "@authority", "@path"],\n  "directory": "${origin}/.well-known/http-message-signatures-directory"\n}`,
    language: 'json',
  }),
  judge(evidence) {
    const home = evidence.exchanges['home'] ?? null;
    if (home !== null && headerOf(home, 'accept-signature') !== null) {
      return pass(
        lineOf(home, 'The site asks for signatures by header (RFC 9421 section 5.1).', { header: 'accept-signature' }),
      );
    }
    const manifest = documentOf(evidence, 'agents-json');
    const claims = places
      .flatMap((path) => find(manifest, ...path))
      .filter((value) => value !== null && value !== false);
    if (claims.length === 0) {
      requireFile(evidence, 'agents-json');
      return notApplicable(bareLine(evidence, 'Neither a header nor the manifest speaks of signed requests.'));
    }
    const exchange = requireAnswer(evidence, 'agents-json');
    const text = JSON.stringify(claims).slice(0, 20_000);
    const line = lineOf(exchange, 'The manifest speaks of identity.', { excerpt: text });
    const named = answersNamedBy(evidence, exchange).filter((one) => text.includes(new URL(one.request.url).pathname));
    const dead = named.find(isGone);
    if (dead !== undefined) {
      return fail(line, lineOf(dead, 'An address that it names for this is not there.'));
    }
    const directory = evidence.exchanges['signature-directory'];
    const live =
      named[0] ?? (find(documentOf(evidence, 'signature-directory'), 'keys', '*').length > 0 ? directory : undefined);
    if (!namesScheme.test(text)) {
      return partial(line, lineOf(exchange, 'It does not say which scheme is taken.'));
    }
    return live === undefined
      ? partial(line, bareLine(evidence, 'Nothing that we asked for shows it at work: declared only.'))
      : pass(line, lineOf(live, 'The scheme is named, and this answers for it.'));
  },
});
