import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser, withPage } from '../support/browser.ts';
import { type PageType, siteUrl } from '../support/site-under-test.ts';

export interface Transfer {
  url: string;
  type: string;
  /** Bytes on the wire: headers and the encoded body. */
  bytes: number;
}

/** Budgets in bytes: of the home page, and of any page. */
export const most = { homeBytes: 81_920, allBytes: 122_880, scriptBytes: 25_600 };

/** Loads a page with an empty cache and lists every transfer, until the network has been silent for half a second. */
export async function transfersOf(address: string, ...browserArguments: string[]): Promise<Transfer[]> {
  const browser = await launchBrowser(...browserArguments);
  return withPage(browser, {}, async (page, context) => {
    const session = await context.newCDPSession(page);
    const transfers = new Map<string, Transfer>();
    session.on('Network.requestWillBeSent', ({ requestId, request, type }) =>
      transfers.set(requestId, { url: request.url, type: type ?? 'Other', bytes: 0 }),
    );
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const transfer = transfers.get(requestId);
      if (transfer !== undefined) {
        transfer.bytes = encodedDataLength;
      }
    });
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.goto(address, { waitUntil: 'networkidle' });
    return [...transfers.values()];
  });
}

export const sum = (transfers: Transfer[]): number => transfers.reduce((total, { bytes }) => total + bytes, 0);

/** Declares a test for each of the pages: it keeps the budget. */
export function testWeight(pages: readonly PageType[]): void {
  for (const { kind, path } of pages.filter(({ status }) => status === 200)) {
    test(`a page of kind ${kind} (${path}) keeps the budget`, async (t) => {
      const transfers = await transfersOf(`${siteUrl}${path}`);
      const scripts = transfers.filter(({ type, url }) => type === 'Script' || url.endsWith('.js'));
      t.diagnostic(`${sum(transfers)} bytes, ${sum(scripts)} of them scripts`);
      const list = transfers.map(({ url, type, bytes }) => `${bytes} ${type} ${url}`).join('\n');
      assert.ok(sum(transfers) <= most.allBytes, `${sum(transfers)} bytes, at most ${most.allBytes}:\n${list}`);
      assert.ok(sum(scripts) <= most.scriptBytes, list);
    });
  }
}
