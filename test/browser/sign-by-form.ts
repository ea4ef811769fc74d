import type { Page } from 'playwright-core';

/** Fills in the form of the guestbook and sends it; the page is then the receipt. Resolves with its status. */
export async function signByForm(
  page: Page,
  origin: string,
  entry: { name: string; message: string },
): Promise<number> {
  await page.goto(`${origin}/guestbook`);
  await page.locator('#name').fill(entry.name);
  await page.locator('#message').fill(entry.message);
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.request().method() === 'POST'),
    page.getByRole('button', { name: 'Sign the guestbook' }).click(),
  ]);
  return response.status();
}
