/** Keeps the last few results of a slow function by a key; who asks while one is made waits for it. A failure isn't kept. */
export function keepLast<Result>(most: number): (key: string, make: () => Promise<Result>) => Promise<Result> {
  const kept = new Map<string, Promise<Result>>();
  return (key, make) => {
    const result = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, result);
    result.catch(() => kept.delete(key));
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - most))) {
      kept.delete(oldest);
    }
    return result;
  };
}
