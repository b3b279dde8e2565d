import type { GenerationRecord } from '@pergola/core';
import { Conflict } from '@pergola/core';
import { type Codec, type Connection, changesOf, type Database, hasRows, rowsOf, type Transaction } from '@pergola/db';
import { pendingFieldsOf } from '@pergola/orm';
import { languagesOf } from '@pergola/texts';

/** Table whose changes make nodes load the new generation. */
export const GENERATION_TABLE = 'core_generation';
/** Number of generations kept for reference. */
const maxGenerations = 50;

/** Whether there is a site in the database at this address. Creates nothing. */
export function hasSite(databaseUrl: string): Promise<boolean> {
  return hasRows(databaseUrl, GENERATION_TABLE);
}

/** The newest generation; null in an empty database. */
export async function latestGeneration(
  database: Database,
  connection: Connection = database.reader,
): Promise<GenerationRecord | null> {
  const { knex, codec } = database;
  const [row] = await rowsOf(connection, knex(GENERATION_TABLE).select().orderBy('number', 'desc').limit(1));
  if (!row) return null;
  return {
    number: Number(row.number),
    addons: codec.decode('json', row.addons) as Record<string, string>,
    data: row.data === null ? dataOf(codec, row) : (codec.decode('json', row.data) as Record<string, unknown>),
  };
}

/**
 * Makes this the newest generation when the transaction commits. Throws Conflict if another switch was faster: its number must follow the
 * newest one.
 */
export async function addGeneration(
  database: Database,
  transaction: Transaction,
  record: GenerationRecord,
  reason: string,
): Promise<void> {
  const { knex, codec } = database;
  const newest = (await latestGeneration(database, transaction))?.number ?? 0;
  if (record.number !== newest + 1) throw overtaken();
  const row = {
    number: record.number,
    addons: codec.encode('json', record.addons),
    data: codec.encode('json', record.data),
    // Read by processes of the previous version, which may still be running.
    languages: codec.encode('json', languagesOf(record)),
    pending_fields: codec.encode('json', pendingFieldsOf(record)),
    reason,
    created: codec.encode('datetime', new Date()),
  };
  // The unique number decides between two switches that saw the same newest one.
  const added = await changesOf(transaction, knex(GENERATION_TABLE).insert(row).onConflict('number').ignore());
  if (added !== 1) throw overtaken();
  await rowsOf(
    transaction,
    knex(GENERATION_TABLE)
      .where('number', '<=', record.number - maxGenerations)
      .delete(),
  );
  transaction.touch(GENERATION_TABLE);
}

/** Data of a generation that the previous version stored. */
function dataOf(
  codec: Codec,
  { languages, pending_fields }: Readonly<Record<string, unknown>>,
): GenerationRecord['data'] {
  return { texts: codec.decode('json', languages), orm: codec.decode('json', pending_fields) };
}

function overtaken(): Conflict {
  return new Conflict('Someone else changed the apps in the meantime. Nothing was changed. Check again.', {
    code: 'core.switch_overtaken',
  });
}
