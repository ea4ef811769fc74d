import { z } from 'zod';
import { identifyUserAgent } from '#almanac/identify.ts';
import type { Config } from '../config.ts';
import { SignatureReport } from '../contract/signature-report.ts';
import { defineTool } from '../contract/tool.ts';
import { HowToSign, howToSign } from './how-to-sign.ts';

const VisitorEcho = z.object({
  greeting: z.string(),
  verdict: z.object({
    isLikelyAgent: z.boolean().describe('Advisory: whether the caller looks like an agent.'),
    matchedSignature: z.string().optional().describe('Id of the crawler record that the User-Agent matched.'),
    hints: z.array(z.string()).describe('What the verdict rests on.'),
    note: z.string(),
    how_to_prove: z
      .looseObject({ method: z.string() })
      .optional()
      .describe('Present when a known crawler is claimed: what would prove it.'),
  }),
  signature: z
    .object({ present: z.boolean(), note: z.string(), ...SignatureReport.omit({ present: true }).partial().shape })
    .describe('What was made of the signature. Without one, only `present` and `note` are there.'),
  request: z.object({
    method: z.string(),
    path: z.string(),
    httpVersion: z.string(),
    headers: z
      .record(z.string(), z.string())
      .describe('Every header received, names in lower case; the values of secrets are left out.'),
  }),
  how_to_sign: HowToSign,
  next_steps: z.array(z.string()),
});

/** Headers whose values are secrets, of the visitor or of a proxy that adds them: the echo says only that they came. */
const secret = /^(?:authorization|cookie|proxy-authorization|payment-signature|x-payment)$|token|secret|api-?key/;

/** Every header received, names in lower case; lines of one name are joined by a comma (RFC 9110 section 5.3). */
function echoHeaders(rawHeaders: string[]): Record<string, string> {
  const echo: Record<string, string> = Object.create(null);
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase();
    const value = secret.test(name) ? '(not repeated)' : String(rawHeaders[index + 1]);
    const earlier = echo[name];
    echo[name] = earlier === undefined ? value : `${earlier}, ${value}`;
  }
  return { ...echo };
}

export const getVisitorInfo = defineTool({
  name: 'get_visitor_info',
  title: 'See your own request',
  description:
    'Echoes the request that reached the site and says whether it looks like an agent, whether it was signed, and how to sign it. The verdict is advisory.',
  method: 'GET',
  path: '/api/whoami',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({}),
  output: VisitorEcho,
  example: {},
  run: async (_input, context: { config: Pick<Config, 'baseUrl'> }, request) => {
    const { baseUrl } = context.config;
    const userAgent = request.headers['user-agent'];
    const verdict = identifyUserAgent(userAgent ?? '');
    const isUnnamed = (userAgent ?? '').trim() === '';
    const signatureAgent = request.headers['signature-agent'];
    const signature = await request.signature();
    const signed = signature.present;
    const accept = request.headers.accept ?? '';
    const hints: string[] = [];
    if (isUnnamed) {
      hints.push('No User-Agent was sent; browsers send one.');
    } else if (verdict.crawler !== null) {
      hints.push(
        `The User-Agent contains "${verdict.matched}", which ${verdict.crawler.operator} documents for ${verdict.crawler.name}.`,
      );
    } else if (verdict.kind === 'http-library') {
      hints.push(`The User-Agent names an HTTP client (${verdict.matched}), not a browser.`);
    } else if (verdict.isLikelyAgent) {
      hints.push(`The User-Agent names a program (${verdict.matched}), not a browser.`);
    }
    if (request.isOverMcp) {
      hints.push('The request is a call over MCP, which agents speak.');
    }
    if (signatureAgent !== undefined) {
      hints.push(`A Signature-Agent header was sent (${signatureAgent}): agents that sign their requests send it.`);
    }
    if (signed) {
      hints.push(
        signature.verified
          ? 'The request carries an HTTP message signature, and it verifies.'
          : 'The request carries an HTTP message signature, and it does not verify.',
      );
    }
    if (/text\/markdown/i.test(accept)) {
      hints.push('The Accept header names text/markdown, which browsers do not.');
    }
    const isLikelyAgent = hints.length > 0;
    return {
      greeting: isLikelyAgent
        ? `Welcome, agent. The light is on: ${baseUrl}/llms.txt is the index, ${baseUrl}/sitemap.md lists every page.`
        : 'Welcome. The light is on for you as well as for the agents you send.',
      verdict: {
        isLikelyAgent,
        ...(verdict.crawler === null
          ? {}
          : { matchedSignature: verdict.crawler.id, how_to_prove: { ...verdict.how_to_prove } }),
        hints,
        note: 'Detection is hospitality, not security. A User-Agent is a claim that anyone can make; nothing here is granted or refused by it.',
      },
      signature: signed
        ? {
            ...signature,
            note: signature.verified
              ? 'The signature verifies: it ties the request to the key, and the key to what it signed before.'
              : 'A signature came and does not count; detail says why, and what to do.',
          }
        : { present: false, note: `${signature.detail} how_to_sign says how it is done.` },
      request: {
        method: request.method,
        path: request.target,
        httpVersion: request.httpVersion,
        headers: echoHeaders(request.rawHeaders),
      },
      how_to_sign: howToSign(baseUrl),
      next_steps: [
        `Ask a question: GET ${baseUrl}/api/ask?q=What%20is%20MCP`,
        `Read the index: GET ${baseUrl}/llms.txt`,
        `Read the home page as markdown: GET ${baseUrl}/ with Accept: text/markdown`,
        `Sign the guestbook: POST ${baseUrl}/api/guestbook with {"name", "message", "model"}`,
      ],
    };
  },
});
