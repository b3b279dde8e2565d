import type { TableSpec } from '../../db/types.ts';

/** Which record stands behind an external id (`base.eur`), and what was shipped in it last. */
export const tables: readonly TableSpec[] = [
  {
    name: 'core_external_id',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'addon', kind: 'text', notNull: true },
      { name: 'name', kind: 'text', notNull: true },
      { name: 'model', kind: 'text', notNull: true },
      { name: 'record_id', kind: 'bigint', notNull: true },
      // Made once and then left alone.
      { name: 'noupdate', kind: 'boolean', notNull: true, default: false },
      // A hash of each shipped value as it was kept, by field: what differs from it was changed by somebody.
      { name: 'checksums', kind: 'json', notNull: true },
    ],
    indexes: [
      { name: 'core_external_id_name', columns: ['addon', 'name'], unique: true },
      { name: 'core_external_id_record', columns: ['model', 'record_id'] },
    ],
  },
];
