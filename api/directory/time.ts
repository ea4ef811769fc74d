/** How the directory is kept true. */
export const recheckPolicy = {
  /** A member is audited again so long after the last time. */
  everyDays: 30,
  /** One that has been below the mark for so long leaves the directory with the next failed check. */
  graceDays: 90,
  /** How often the service looks whether a member is due: 8,640 looks in 30 days, for 5,000 members. */
  lookMinutes: 5,
} as const;
