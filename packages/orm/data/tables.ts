import type { TableSpec } from '@pergola/db';

/** Records behind external ids (`base.eur`), and checksums of the values last shipped for them. */
export const tables: readonly TableSpec[] = [
  {
    name: 'core_external_id',
    columns: [
      { name: 'id', kind: 'id' },
      // The first part of the external id.
      { name: 'addon', kind: 'text', notNull: true },
      { name: 'name', kind: 'text', notNull: true },
      // Kind of data and addon that ship the record, `forum/data`: records it no longer ships are removed.
      { name: 'source', kind: 'text', notNull: true },
      { name: 'model', kind: 'text', notNull: true },
      // Null for a record that is created only once and has been deleted.
      { name: 'record_id', kind: 'bigint' },
      { name: 'noupdate', kind: 'boolean', notNull: true, default: false },
      // By field (and language): hashes of the stored and the shipped value. A stored value with another hash was changed locally.
      { name: 'checksums', kind: 'json', notNull: true },
    ],
    indexes: [
      { name: 'core_external_id_name', columns: ['addon', 'name'], unique: true },
      { name: 'core_external_id_record', columns: ['model', 'record_id'] },
    ],
  },
];
