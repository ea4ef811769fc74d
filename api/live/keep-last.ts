import { LRUCache } from 'lru-cache';

/** Keeps the last few results of a slow function by a key; who asks while one is made waits for it. A failure isn't kept. */
export function keepLast<Result>(most: number): (key: string, make: () => Promise<Result>) => Promise<Result> {
  const kept = new LRUCache<string, Promise<Result>>({ max: most });
  return (key, make) => {
    const result = kept.get(key) ?? make();
    kept.set(key, result);
    result.catch(() => kept.delete(key));
    return result;
  };
}
