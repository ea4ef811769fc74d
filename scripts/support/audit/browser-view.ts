import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { UsageError } from '../command-line.ts';

/** What a browser makes of a page, and what an agent in it finds. Its texts are the page's own: clean them before printing. */
export interface BrowserView {
  /** The address after redirects, those of scripts included. */
  url: string;
  text: {
    /** Words that can be read when the scripts have run, and when none does. */
    words: number;
    words_served: number;
    /** The share of the former that the served HTML holds, 0 to 1. */
    share_served: number;
    /** The first lines that only scripts bring. */
    only_by_scripts: string[];
  };
  /** The accessibility tree of the browser. */
  accessibility: {
    nodes: number;
    controls: number;
    /** Controls without a name, with the start of their HTML. */
    unnamed: { role: string; html: string }[];
  };
  /** Tools that the page registers (WebMCP). */
  webmcp: { tools: { name: string; description: string }[] };
}

const loadMs = 30_000;
/** How long scripts may still fetch after the load. */
const settleMs = 5000;
const mostListed = 10;

const programs = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome.exe', 'msedge.exe'];
const macProgram = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

const findBrowser = (env: NodeJS.ProcessEnv): string | undefined =>
  (env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => programs.map((name) => join(folder, name)))
    .concat(macProgram)
    .find((file) => existsSync(file));

/** Starts the machine's browser. Throws UsageError that says what to install. */
export async function openBrowser(env: NodeJS.ProcessEnv): Promise<Browser> {
  const playwright = await import('playwright-core').catch(() => null);
  if (playwright === null) {
    throw new UsageError('--browser needs the package playwright-core: run `npm install playwright-core` here.');
  }
  const executablePath = findBrowser(env);
  if (executablePath === undefined) {
    throw new UsageError('--browser needs Chromium or Chrome on the PATH: install one of them.');
  }
  // Chromium's own sandbox doesn't work for root.
  const chromiumSandbox = process.getuid?.() !== 0;
  return playwright.chromium.launch({ executablePath, chromiumSandbox, args: ['--enable-features=WebMCP'] });
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Compares what can be read with and without scripts: how many of the words are served, each as often as it stands there. */
export function compareTexts(rendered: string, served: string): BrowserView['text'] {
  const [all, first] = [wordsOf(rendered), wordsOf(served)];
  const left = new Map<string, number>();
  for (const word of first) {
    left.set(word, (left.get(word) ?? 0) + 1);
  }
  const isServed = (word: string): boolean => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  };
  const known = new Set(first);
  const lines = rendered.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const share = all.length === 0 ? 1 : all.filter(isServed).length / all.length;
  return {
    words: all.length,
    words_served: first.length,
    share_served: Math.round(share * 100) / 100,
    only_by_scripts: [...new Set(lines.filter((line) => wordsOf(line).some((word) => !known.has(word))))]
      .slice(0, mostListed)
      .map((line) => line.slice(0, 200)),
  };
}

/** The text as it is laid out; none of a page that isn't HTML. */
// biome-ignore lint/performance/useDomNodeTextContent: hidden text is nothing that a visitor reads.
const readText = (page: Page): Promise<string> => page.innerText('body', { timeout: settleMs }).catch(() => '');

async function readInContext<Result>(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0],
  url: string,
  job: (page: Page, context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    await page.goto(url, { timeout: loadMs, waitUntil: 'load' });
    return await job(page, context);
  } finally {
    await context.close();
  }
}

const controlRoles = new Set(
  'button checkbox combobox link listbox menuitem option radio searchbox slider spinbutton switch tab textbox'.split(
    ' ',
  ),
);

async function readTree(session: CDPSession): Promise<BrowserView['accessibility']> {
  await session.send('DOM.enable');
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const shown = nodes.filter(({ ignored }) => !ignored);
  const controls = shown.filter(({ role }) => controlRoles.has(String(role?.value)));
  const unnamed = controls.filter(({ name }) => String(name?.value ?? '').trim() === '').slice(0, mostListed);
  return {
    nodes: shown.length,
    controls: controls.length,
    unnamed: await Promise.all(
      unnamed.map(async ({ role, backendDOMNodeId }) => {
        const { outerHTML } = await session
          .send('DOM.getOuterHTML', { backendNodeId: backendDOMNodeId ?? 0 })
          .catch(() => ({ outerHTML: '' }));
        return { role: String(role?.value), html: outerHTML.replace(/\s+/g, ' ').slice(0, 120) };
      }),
    ),
  };
}

const readTools = (page: Page): Promise<BrowserView['webmcp']['tools']> =>
  page.evaluate(async () => {
    const tools = (await document.modelContext?.getTools()) ?? [];
    return tools.slice(0, 100).map(({ name, description }) => ({
      name: String(name).slice(0, 128),
      description: String(description).slice(0, 500),
    }));
  });

/** Opens a page as a visitor's browser does, once without scripts and once with them. Throws an Error when it doesn't load. */
export async function viewInBrowser(browser: Browser, url: string): Promise<BrowserView> {
  const served = await readInContext(browser, { javaScriptEnabled: false }, url, readText);
  return readInContext(browser, {}, url, async (page, context) => {
    await page.waitForLoadState('networkidle', { timeout: settleMs }).catch(() => undefined);
    const session = await context.newCDPSession(page);
    return {
      url: page.url(),
      text: compareTexts(await readText(page), served),
      accessibility: await readTree(session),
      webmcp: { tools: await readTools(page) },
    };
  });
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** What the browser saw, as sentences, with the texts of the page as they are. */
export function toBrowserSentences({ text, accessibility, webmcp }: BrowserView): string[] {
  const { unnamed, controls } = accessibility;
  return [
    `${percent(text.share_served)} of the ${text.words} words of the page are in the served HTML.`,
    ...text.only_by_scripts.slice(0, 3).map((line) => `Only with scripts: ${line}`),
    unnamed.length === 0
      ? `All ${controls} controls have a name in the browser's accessibility tree.`
      : `Without a name in the browser's accessibility tree: ${unnamed.map(({ html, role }) => `${role} ${html}`).join('; ')}`,
    webmcp.tools.length === 0
      ? 'The page registers no tools (WebMCP).'
      : `Tools in the page (WebMCP): ${webmcp.tools.map(({ name }) => name).join(', ')}.`,
  ];
}
