/** How the directory is kept true. */
export const recheckPolicy = {
  /** How long after the last time a member is audited again. */
  everyDays: 30,
  /** After this long below the mark, a member leaves the directory with the next failed check. */
  graceDays: 90,
  /** How often the service looks whether a member is due: 8,640 looks in 30 days, for 5,000 members. */
  lookMinutes: 5,
} as const;
