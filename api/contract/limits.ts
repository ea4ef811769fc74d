/** Requests allowed for one client address in one window. */
export interface Limit {
  count: number;
  windowSeconds: number;
}

/** What one client address may ask for. */
export interface Limits {
  read: Limit;
  /** All of them hold for writes of all kinds together, over the API and by form. */
  write: readonly Limit[];
}

/** The limits of the service as it runs. */
export const defaultLimits: Limits = {
  read: { count: 600, windowSeconds: 60 },
  write: [
    { count: 10, windowSeconds: 60 },
    { count: 60, windowSeconds: 3600 },
  ],
};
