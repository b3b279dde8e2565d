import type { TableSpec } from '@pergola/db';

/** Which record stands behind an external id (`base.eur`), and what was shipped in it last. */
export const tables: readonly TableSpec[] = [
  {
    name: 'core_external_id',
    columns: [
      { name: 'id', kind: 'id' },
      // The first part of the id.
      { name: 'addon', kind: 'text', notNull: true },
      { name: 'name', kind: 'text', notNull: true },
      // Which data of which addon brought it, `forum/data`: what it no longer brings goes.
      { name: 'source', kind: 'text', notNull: true },
      { name: 'model', kind: 'text', notNull: true },
      // Null for a record that is made only once and was deleted since.
      { name: 'record_id', kind: 'bigint' },
      { name: 'noupdate', kind: 'boolean', notNull: true, default: false },
      // By field (and language): hashes of the value as it was kept and as it was shipped. A kept value with another hash was changed by somebody.
      { name: 'checksums', kind: 'json', notNull: true },
    ],
    indexes: [
      { name: 'core_external_id_name', columns: ['addon', 'name'], unique: true },
      { name: 'core_external_id_record', columns: ['model', 'record_id'] },
    ],
  },
];
