import { type Connection, changesOf, type Database, rowsOf, type TableSpec, type Transaction } from '@pergola/db';
import type { CatalogSource } from './po.ts';

/** The table whose changes make a new generation necessary. */
const TRANSLATION_TABLE = 'core_translation';

/**
 * Translations that somebody brought in for this site, one `.po` text per addon and language. They go before those that addons ship, and stay when these
 * are upgraded.
 */
export const tables: readonly TableSpec[] = [
  {
    name: TRANSLATION_TABLE,
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'addon', kind: 'text', notNull: true },
      { name: 'lang', kind: 'text', notNull: true },
      { name: 'source', kind: 'text', notNull: true },
      { name: 'write_date', kind: 'datetime', notNull: true },
    ],
    indexes: [{ name: 'core_translation_addon', columns: ['addon', 'lang'], unique: true }],
  },
];

/** Every catalogue that was brought in. */
export async function readOwnCatalogs(database: Database, connection: Connection): Promise<readonly CatalogSource[]> {
  const query = database.knex(TRANSLATION_TABLE).select('addon', 'lang', 'source').orderBy(['addon', 'lang']);
  const rows = await rowsOf(connection, query);
  return rows.map(({ addon, lang, source }) => ({
    addon: String(addon),
    lang: String(lang),
    file: `translations of this site (${String(lang)})`,
    source: String(source),
  }));
}

/** Keeps a catalogue in place of the one that was brought in before. */
export async function keepOwnCatalog(
  database: Database,
  transaction: Transaction,
  { addon, lang, source }: Pick<CatalogSource, 'addon' | 'lang' | 'source'>,
): Promise<void> {
  const { knex, codec } = database;
  const row = { addon, lang, source, write_date: codec.encode('datetime', new Date()) };
  await changesOf(
    transaction,
    knex(TRANSLATION_TABLE).insert(row).onConflict(['addon', 'lang']).merge(['source', 'write_date']),
  );
  transaction.touch(TRANSLATION_TABLE);
}
