import { type Connection, changesOf, type Database, rowsOf, type TableSpec, type Transaction } from '@pergola/db';
import type { CatalogSource } from './po.ts';

/** Changes to this table require a new generation. */
const TRANSLATION_TABLE = 'core_translation';

/**
 * Translations imported for this site, one `.po` text per addon and language. They override the translations shipped by addons and survive
 * upgrades.
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

/** Reads all imported catalogues. */
export async function readImportedCatalogs(
  database: Database,
  connection: Connection,
): Promise<readonly CatalogSource[]> {
  const query = database.knex(TRANSLATION_TABLE).select('addon', 'lang', 'source').orderBy(['addon', 'lang']);
  const rows = await rowsOf(connection, query);
  return rows.map(({ addon, lang, source }) => ({
    addon: String(addon),
    lang: String(lang),
    file: `translations of this site (${String(lang)})`,
    source: String(source),
  }));
}

/** Stores an imported catalogue, replacing the previous one. */
export async function storeImportedCatalog(
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
