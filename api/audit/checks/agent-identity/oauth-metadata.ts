import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck, type Verdict } from '../../check.ts';
import type { Evidence } from '../../evidence.ts';
import { authChallengesOf } from '../../facts/challenges.ts';
import { isSuccess } from '../../facts/headers.ts';
import { find, findStrings, jsonOf } from '../../facts/json.ts';
import { claimOf, isObject, notServed } from '../../judging/claims.ts';
import { lineOf } from '../../judging/lines.ts';
import { fail, partial, pass, requireFile, unchecked } from '../../judging/verdicts.ts';

const callable = ['mcp-initialize', 'mcp-discover', 'agent-card-endpoint', 'priced:1', 'priced:2', 'home'] as const;

/** The first answer that wants an OAuth token. */
function wantingToken({ exchanges }: Evidence): Exchange | null {
  const answers = callable.map((name) => exchanges[name]).filter((exchange) => exchange !== undefined);
  return (
    answers.find(
      (exchange) =>
        exchange.status === 401 &&
        authChallengesOf(exchange).some(({ scheme }) => scheme === 'bearer' || scheme === 'dpop'),
    ) ?? null
  );
}

function judgeServer(evidence: Evidence, issuer: string, resource: ReturnType<typeof lineOf>): Verdict {
  if (evidence.exchanges['oauth-server'] === undefined) {
    return pass(resource);
  }
  const server = requireFile(evidence, 'oauth-server');
  const { value, problem } = jsonOf(server);
  const line = (note: string) => lineOf(server, note, { header: 'content-type', excerpt: server.body.slice(0, 160) });
  if (!isSuccess(server) || problem !== null) {
    return partial(
      resource,
      line(`The metadata of the authorization server are not there: ${problem ?? `status ${server.status}`}`),
    );
  }
  const named = findStrings(value, 'issuer')[0];
  if (named !== issuer) {
    return partial(
      resource,
      line(`The issuer is "${(named ?? '').slice(0, 100)}" here, and "${issuer.slice(0, 100)}" at the resource.`),
    );
  }
  const isUsable = ['token_endpoint', 'authorization_endpoint', 'jwks_uri'].some((key) => find(value, key).length > 0);
  return isUsable
    ? pass(resource, line('The authorization server says where tokens are had.'))
    : partial(resource, line('The metadata name no endpoint.'));
}

function judgeResource(evidence: Evidence, exchange: Exchange): Verdict {
  const { value, problem } = jsonOf(exchange);
  const line = (note: string) =>
    lineOf(exchange, note, { header: 'content-type', excerpt: exchange.body.slice(0, 160) });
  const resource = findStrings(value, 'resource')[0];
  if (problem !== null || !isObject(value) || resource === undefined || !URL.canParse(resource)) {
    return fail(line(problem ?? 'The metadata have no "resource" that is an address (RFC 9728 section 2).'));
  }
  if (new URL(resource).origin !== new URL(exchange.url).origin) {
    return fail(
      line(
        `The metadata are of another resource, ${resource.slice(0, 100)}: a client has to refuse them (RFC 9728 section 3.3).`,
      ),
    );
  }
  const issuer = findStrings(value, 'authorization_servers', '0')[0];
  return issuer === undefined
    ? partial(line('The metadata name no authorization server: an agent does not learn whom to ask.'))
    : judgeServer(evidence, issuer, line(`Tokens come from ${issuer.slice(0, 100)}.`));
}

/** Whether an agent that is asked for a token learns where to get one. */
export const oauthMetadata = defineCheck({
  id: 'oauth-metadata',
  technique: 'agent-identity',
  topic: 'OAuth metadata',
  titles: {
    pass: 'Who wants a token says where to get one',
    partial: 'The way to a token is described in part',
    fail: 'A token is required, and nothing says where to get one',
  },
  causes: ['oauth'],
  why: 'An agent that meets "401 Bearer" can go on by itself only when the answer leads to the server that gives tokens.',
  reference: {
    title: 'RFC 9728: OAuth 2.0 Protected Resource Metadata',
    url: 'https://www.rfc-editor.org/rfc/rfc9728#section-5.1',
  },
  fix: ({ origin }) => ({
    text: 'Name the metadata of the resource in the challenge of the 401, and the authorization server in the metadata.',
    snippet: `HTTP/1.1 401 Unauthorized\nWWW-Authenticate: Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"\n\nGET /.well-known/oauth-protected-resource\n{\n  "resource": "${origin}/",\n  "authorization_servers": ["https://auth.example.com"]\n}`,
    language: 'http',
  }),
  judge(evidence) {
    const wanting = wantingToken(evidence);
    const asked =
      wanting === null ? [] : [lineOf(wanting, 'This answer wants a token.', { header: 'www-authenticate' })];
    const withAnswer = (verdict: Verdict): Verdict => ({ ...verdict, evidence: [...asked, ...verdict.evidence] });
    if (evidence.exchanges['oauth-resource:named'] !== undefined) {
      const named = requireFile(evidence, 'oauth-resource:named');
      return withAnswer(
        isSuccess(named)
          ? judgeResource(evidence, named)
          : fail(lineOf(named, 'The metadata that the challenge names are not there.')),
      );
    }
    const claim = claimOf(evidence, 'oauth-resource');
    if (claim.state === 'served') {
      return withAnswer(judgeResource(evidence, claim.exchange));
    }
    if (wanting === null) {
      return notServed(claim, 'A token of OAuth');
    }
    const elsewhere = authChallengesOf(wanting).some(({ parameters }) => parameters.has('resource_metadata'));
    return withAnswer(
      elsewhere
        ? unchecked(lineOf(wanting, 'Its metadata are on another host, which is not spoken to.'))
        : fail(lineOf(claim.exchange, 'Neither the challenge nor the customary address leads to metadata.')),
    );
  },
});
