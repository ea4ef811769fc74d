/** The name of a record as a reader knows it: its name, its term, or of a statement the statement. */
export function recordTitle(record: { id: string }): string {
  for (const field of ['name', 'term', 'statement'] as const) {
    const value = (record as Record<string, unknown>)[field];
    if (typeof value === 'string') {
      return value;
    }
  }
  return record.id;
}
