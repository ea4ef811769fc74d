import { generateKeyPairSync } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { readConfig } from '#api/config.ts';
import { createSigner } from '#api/identity/signatures/signer.ts';
import { startService } from '#api/server.ts';
import { judgedSites } from '../../../test/audit/judged-sites.ts';
import { bareSite, openSite } from '../../../test/audit/sites.ts';
import { buildWhenNeeded } from '../build/build-when-needed.ts';
import { projectDir } from '../build/stamp.ts';
import { freePort } from '../ports.ts';
import { browserArguments, findChromium } from '../requirements.ts';

type Json = Record<string, unknown>;

/** What the same twelve jobs took on 2026-11-21, done by agents that knew nothing but the address. Tokens are bytes / 4. */
const recorded = { requests: 102, tokens: 245_800 };

/** An agent at its work: each request counts, and so does each byte that it has to read. */
class Visit {
  requests = 0;
  bytes = 0;
  readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Reads an address. What is not answered as expected ends the benchmark: a job that fails is not cheap. */
  async read(path: string, request: RequestInit = {}, status = 200): Promise<string> {
    const response = await fetch(this.origin + path, request);
    const body = await response.text();
    this.requests += 1;
    this.bytes += Buffer.byteLength(body);
    if (response.status !== status) {
      throw new Error(`${path} was answered with ${response.status}: ${body.slice(0, 300)}`);
    }
    return body;
  }

  /** Sends JSON. */
  async send(path: string, body: object, { headers = {}, status = 200 }: Sending = {}): Promise<Json> {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    return JSON.parse(await this.read(path, request, status)) as Json;
  }

  /** Calls a tool over MCP; its text. */
  async call(name: string, given: Json): Promise<string> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const { result } = (await this.send('/mcp', message)) as {
      result: { content: { text: string }[]; isError?: boolean };
    };
    if (result.isError === true) {
      throw new Error(`${name}: ${result.content[0]?.text}`);
    }
    return result.content[0]?.text ?? '';
  }
}

interface Sending {
  headers?: Record<string, string>;
  status?: number;
}

/** Whether a text holds what the job is after. */
function has(text: string, ...wanted: RegExp[]): void {
  for (const each of wanted) {
    if (!each.test(text)) {
      throw new Error(`${each} is not in ${JSON.stringify(text.slice(0, 400))}`);
    }
  }
}

interface Sites {
  poor: string;
  good: string;
}

interface Job {
  title: string;
  run(visit: Visit, sites: Sites): Promise<void>;
}

const ask = (visit: Visit, question: string): Promise<string> =>
  visit.read(`/api/ask?${new URLSearchParams({ q: question })}`);

/** Signs a request with a key of the agent's own. */
const newSigner = (origin: string) => {
  const { privateKey } = generateKeyPairSync('ed25519');
  return (method: string, path: string, body?: string): Record<string, string> =>
    createSigner({ privateKey }).sign({
      method,
      targetUri: origin + path,
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
};

/** The jobs in order. The index that the first one reads is what the agent knows in all others. */
const jobs: readonly Job[] = [
  {
    title: 'what is this site',
    run: async (visit) => has(await visit.read('/llms.txt'), /audit/i, /\/mcp/, /api\/ask/),
  },
  {
    title: 'does GPTBot respect robots.txt, and how is it verified',
    run: async (visit) => {
      const question = 'Is GPTBot respecting robots.txt, and how can I verify a request that claims to be GPTBot?';
      has(await ask(visit, question), /GPTBot follows robots\.txt/, /openai\.com\/gptbot\.json/, /"unanswered":\[\]/);
    },
  },
  {
    title: 'a robots.txt: no training, search yes',
    run: async (visit) =>
      has(
        await visit.read('/api/robots?training=no&search=yes&user=yes'),
        /User-agent: GPTBot\n/,
        /Google-Extended/,
        /CCBot/,
        /Disallow: \//,
      ),
  },
  {
    title: 'what is new in MCP, and six protocols compared',
    run: async (visit) => {
      has(await visit.read('/api/search?q=MCP+2026-07-28+sessions+removed&limit=3'), /2026-07-28/);
      const compared = await ask(visit, 'Compare MCP, A2A, WebMCP, ACP, AP2 and x402');
      has(compared, /"answered":true/, /MCP: /, /A2A: /, /WebMCP: /, /ACP: /, /AP2: /, /x402/);
    },
  },
  {
    title: 'open-weights models by context and license',
    run: async (visit) => {
      const longest = 'Which open-weights model has the longest context window, and what is its licence?';
      has(await ask(visit, longest), /Llama 4 Scout, with 10,000,000/, /Llama 4 Community License/);
      const apache = 'Which open weights models under Apache 2.0 have at least 256k context?';
      has(await ask(visit, apache), /Apache 2\.0 in their license/, /Mistral/);
    },
  },
  {
    title: 'who are these four User-Agents',
    run: async (visit) => {
      for (const [ua, wanted] of [
        ['Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)', /Anthropic/],
        [
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0',
          /browser/,
        ],
        ['meta-externalagent/1.1', /Meta/],
        ['Mozilla/5.0 (compatible; GPTBotX/1.0)', /bot/],
      ] as const) {
        has(await visit.call('identify_user_agent', { ua }), wanted);
      }
    },
  },
  {
    title: 'sign the guestbook with a key, and withdraw',
    run: async (visit) => {
      has(await visit.read('/developers/signing.md?section=sign-body'), /Content-Digest/);
      const sign = newSigner(visit.origin);
      const entry = { name: 'Bench', message: 'Signed with a key.' };
      const headers = sign('POST', '/api/guestbook', JSON.stringify(entry));
      const { id } = await visit.send('/api/guestbook', entry, { headers, status: 201 });
      const path = `/api/guestbook/${id}`;
      await visit.read(path, { method: 'DELETE', headers: sign('DELETE', path) });
    },
  },
  {
    title: 'audit a site, pay for a chapter of the playbook',
    run: async (visit, { poor }) => {
      const { plan } = await visit.send('/api/audit', { url: poor, view: 'summary' });
      has(JSON.stringify(plan), /"points":\d/);
      const chapter = '/api/premium/playbook?chapter=llms-txt';
      const { quote } = JSON.parse(await visit.read(chapter, {}, 402)) as { quote: string };
      const { payment } = await visit.send('/api/pay', { quote });
      const headers = { 'x-payment': String(payment), accept: 'text/markdown' };
      has(await visit.read(chapter, { headers }), /llms\.txt/);
    },
  },
  {
    title: 'join the directory, with the badge',
    run: async (visit, { good }) => {
      const joined = await visit.send('/api/directory', { url: good }, { status: 201 });
      has(JSON.stringify(joined), /badge\/[0-9a-f]{12}\.svg/);
    },
  },
  {
    title: 'the same over MCP: identify, sign, withdraw',
    run: async (visit) => {
      has(
        JSON.stringify(await visit.send('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })),
        /withdraw_guestbook_entry/,
      );
      has(await visit.call('identify_user_agent', { ua: 'GPTBot/1.3' }), /OpenAI/);
      const receipt = await visit.call('sign_guestbook', { name: 'Bench', message: 'Over MCP.' });
      const [, id = ''] = /\b([0-9a-f]{12})\b/.exec(receipt) ?? [];
      const [, token = ''] = /withdrawal_token:? *"?([\w-]{43})/.exec(receipt) ?? [];
      await visit.call('withdraw_guestbook_entry', { id, token });
    },
  },
  {
    title: 'the form of the guestbook, in a browser',
    run: async (visit) => {
      await using browser = await chromium.launch({ executablePath: findChromium(), args: browserArguments });
      const page = await browser.newPage();
      await page.goto(`${visit.origin}/guestbook`);
      const form = page.getByRole('main');
      visit.bytes += Buffer.byteLength(await form.ariaSnapshot());
      await page.getByRole('textbox', { name: /^Name/ }).fill('Bench');
      await page.getByRole('textbox', { name: /^Message/ }).fill('By the form.');
      await page.getByRole('button', { name: /^Sign/ }).click();
      await page.waitForURL(/guestbook/);
      const answer = await page.getByRole('main').ariaSnapshot();
      visit.bytes += Buffer.byteLength(answer);
      visit.requests += 2;
      has(answer, /token/i);
    },
  },
  {
    title: 'what is new since 2026-09-01',
    run: async (visit) => {
      has(
        await visit.read('/api/models?released_from=2026-09-01&fields=name,released&sort=-released'),
        /"released":"2026-1/,
      );
      has(await visit.call('list_changes', { since: '2026-09-01', limit: 20 }), /changes/);
    },
  },
];

/**
 * The requests and tokens that twelve jobs of a visiting agent take, against what they took on 2026-11-21. Each job is checked:
 * one that does not reach its end is an error.
 */
export async function runAgentJobsBench(): Promise<void> {
  const port = await freePort();
  await using stack = new AsyncDisposableStack();
  const poor = stack.adopt(await openSite(bareSite), (one) => one.close());
  const museum = judgedSites['museum'];
  const good = stack.adopt(await openSite((asked, origin) => museum?.answer(asked, origin) ?? { status: 500 }), (one) =>
    one.close(),
  );
  await using data = await mkdtempDisposable(join(tmpdir(), 'porchlight-bench-'));
  const origin = `http://127.0.0.1:${port}`;
  const environment = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: origin,
    DATA_DIR: data.path,
    DIST_DIR: process.env['DIST_DIR'] ?? join(projectDir, 'node_modules', '.cache', 'porchlight-bench'),
    AUDIT_ALLOW_HOSTS: `${poor.host},${good.host}`,
    LOG_LEVEL: 'warn',
  };
  const config = readConfig(environment);
  await buildWhenNeeded(config, environment);
  stack.adopt(await startService(config), (one) => one.stop());
  const total = { requests: 0, tokens: 0 };
  for (const [index, { title, run }] of jobs.entries()) {
    const visit = new Visit(origin);
    await run(visit, { poor: `${poor.origin}/`, good: `${good.origin}/` });
    const tokens = Math.ceil(visit.bytes / 4);
    total.requests += visit.requests;
    total.tokens += tokens;
    console.log(`${index + 1}. ${title}: ${visit.requests} requests, ${tokens} tokens`);
  }
  const share = (now: number, then: number): string => (now / then).toFixed(2);
  console.log(
    `all twelve: ${total.requests} requests, ${share(total.requests, recorded.requests)} of ${recorded.requests} (goal: at most 0.33); ` +
      `${total.tokens} tokens, ${share(total.tokens, recorded.tokens)} of ${recorded.tokens} (goal: at most 0.10)`,
  );
}
