/** Waits until a condition holds that something under way brings about; throws after a minute. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  // An audit's process has the lowest priority: on a busy machine it can take many seconds to load.
  for (const end = Date.now() + 60_000; !condition(); ) {
    if (Date.now() > end) {
      throw new Error(`waited a minute in vain: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
