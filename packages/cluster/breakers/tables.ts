import type { TableSpec } from '@pergola/db';

/** Parts of addons that are off, shared by all processes. */
export const breakerTables: readonly TableSpec[] = [
  {
    name: 'core_breaker',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'addon', kind: 'text', notNull: true },
      // Another version of the addon starts without open breakers.
      { name: 'version', kind: 'text', notNull: true },
      { name: 'kind', kind: 'text', notNull: true },
      { name: 'name', kind: 'text', notNull: true },
      { name: 'state', kind: 'text', notNull: true },
      { name: 'errors', kind: 'bigint', notNull: true },
      { name: 'since', kind: 'datetime', notNull: true },
      { name: 'message', kind: 'text', notNull: true },
      { name: 'file', kind: 'text' },
      { name: 'line', kind: 'bigint' },
      // Hashes of the visitors and inputs for which it is off; null for all.
      { name: 'visitors', kind: 'json' },
      { name: 'inputs', kind: 'json' },
    ],
    indexes: [{ name: 'core_breaker_part', columns: ['addon', 'kind', 'name'], unique: true }],
  },
];
