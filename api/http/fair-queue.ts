/**
 * A queue for work that comes in bursts: each who waits goes on in a turn of the event loop of its own, first come first
 * served, so that whatever else is ready is served between two.
 */
export function createFairQueue(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const goOn = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) {
      setImmediate(goOn);
    }
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) {
        setImmediate(goOn);
      }
    });
}
