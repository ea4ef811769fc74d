import type { Limits } from '#api/contract/limits.ts';

/** Limits that no test reaches. */
export const noLimits: Limits = {
  read: { count: 1_000_000, windowSeconds: 60 },
  write: [{ count: 1_000_000, windowSeconds: 60 }],
};
