/** How much is audited at once, and how long. What pages and tools say of it is derived from here. */
export const auditPolicy = {
  atOnce: 4,
  queued: 16,
  /** Audits that run or wait for one client network; the /48 of an IPv6 address counts as one. */
  perNetwork: 2,
  /** Looks at single pages: places of their own, one for a client network. */
  looksAtOnce: 2,
  /** After that long a look that runs now is usually over. */
  lookSeconds: 5,
  /** How long a process waits for the next audit before it is ended. */
  idleSeconds: 300,
  /** A target is audited at most once in this time; a newer request gets the last result. */
  reuseSeconds: 60,
  /** Results of that time that are held in memory. */
  recentResults: 64,
  /** How often a host is audited in an hour, and a registrable domain with all hosts below it, whoever asks. */
  perHost: 12,
  perDomain: 24,
  budgetSeconds: 3600,
  /** For fetching what is judged. */
  gatherSeconds: 20,
  /** For the whole audit. A process that has not ended by then is stopped. */
  processSeconds: 35,
  /** How long an audit that runs may go on when the service stops. */
  stopSeconds: 5,
} as const;
