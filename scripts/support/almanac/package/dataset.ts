/** One of the five datasets, with the records that it had on the day of the package. */
export interface Dataset<Row extends { id: string }> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The day of the last change: YYYY-MM-DD. It is the version of the dataset. */
  readonly updated: string;
  /** Name the source when you pass the data on. */
  readonly license: 'CC-BY-4.0';
  readonly records: readonly Row[];
  /** The record with an id, such as "gptbot". */
  get(id: string): Row | undefined;
}

/** A dataset with its look-up. */
export function toDataset<Row extends { id: string }>(document: Omit<Dataset<Row>, 'get' | 'license'>): Dataset<Row> {
  const byId = new Map(document.records.map((record) => [record.id, record]));
  return { ...document, license: 'CC-BY-4.0', get: (id: string): Row | undefined => byId.get(id) };
}
