import type { TableSpec } from '@pergola/db';

/** The processes of one site, and the leases they hold. */
export const tables: readonly TableSpec[] = [
  {
    name: 'core_node',
    columns: [
      { name: 'id', kind: 'id' },
      // One per process: the process that takes over after an upgrade has the same NODE_ID as the one it follows.
      { name: 'instance', kind: 'text', notNull: true },
      { name: 'node', kind: 'text', notNull: true },
      { name: 'host', kind: 'text', notNull: true },
      { name: 'pid', kind: 'bigint', notNull: true },
      // Where `pid` is told from others; see `machine.ts`.
      { name: 'machine', kind: 'text' },
      { name: 'started', kind: 'datetime', notNull: true },
      { name: 'lease_until', kind: 'datetime', notNull: true },
      // What it serves, and the oldest generation a request or job of it is still on.
      { name: 'generation', kind: 'bigint' },
      { name: 'oldest', kind: 'bigint' },
      { name: 'versions', kind: 'json' },
      { name: 'draining', kind: 'boolean', notNull: true },
    ],
    indexes: [{ name: 'core_node_instance', columns: ['instance'], unique: true }],
  },
  {
    name: 'core_lease',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'name', kind: 'text', notNull: true },
      { name: 'holder', kind: 'text', notNull: true },
      { name: 'token', kind: 'bigint', notNull: true },
      { name: 'until', kind: 'datetime', notNull: true },
      { name: 'since', kind: 'datetime', notNull: true },
      { name: 'note', kind: 'text' },
      { name: 'machine', kind: 'text' },
      { name: 'pid', kind: 'bigint' },
    ],
    indexes: [{ name: 'core_lease_name', columns: ['name'], unique: true }],
  },
];
