import type { Database } from './database.ts';

/** A secret that all instances share, as text; the first one to need it makes it. */
export async function openSecret(database: Database, name: string, make: () => string): Promise<string> {
  const select = () =>
    database.query<{ value: Buffer }>('select value from secrets where name = $1', [name]).then(([row]) => row);
  if ((await select()) === undefined) {
    await database.query('insert into secrets (name, value) values ($1, $2) on conflict (name) do nothing', [
      name,
      Buffer.from(make()),
    ]);
  }
  const row = await select();
  if (row === undefined) {
    throw new Error(`The secret ${name} cannot be kept in the database.`);
  }
  return row.value.toString('utf8');
}
