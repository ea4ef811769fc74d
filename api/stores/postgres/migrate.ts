import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBase } from 'pg';

const folder = join(import.meta.dirname, 'migrations');

/** The numbered SQL files, in order: `001-stores.sql` is version 1. */
async function readMigrations(): Promise<{ version: number; sql: string }[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{3}-[a-z-]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({ version: Number(name.slice(0, 3)), sql: await readFile(join(folder, name), 'utf8') })),
  );
}

/**
 * Brings the schema of the database up to this program's version, one instance at a time, each step whole or not at all.
 * Throws an Error, and changes nothing, when the schema is of a newer version.
 */
export async function migrate(client: ClientBase): Promise<void> {
  const migrations = await readMigrations();
  const newest = migrations.at(-1)?.version ?? 0;
  await client.query('begin');
  try {
    // Before anything is looked at, so that of several instances that start together one does the work.
    await client.query("select pg_advisory_xact_lock(20556, hashtext('schema'))");
    await client.query(
      'create table if not exists schema_version (version int primary key, at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ version: number }>(
      'select coalesce(max(version), 0) as version from schema_version',
    );
    const current = rows[0]?.version ?? 0;
    if (current > newest) {
      throw new Error(
        `The database has schema version ${current}, and this program knows versions up to ${newest}. ` +
          'Nothing was changed. Use the program that made it, or a newer one.',
      );
    }
    for (const { version, sql } of migrations.filter((each) => each.version > current)) {
      await client.query(sql);
      await client.query('insert into schema_version (version) values ($1)', [version]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
