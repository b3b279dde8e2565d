import type { TableSpec } from '@pergola/db';

/** Processes of the site, and the leases they hold. */
export const tables: readonly TableSpec[] = [
  {
    name: 'core_node',
    columns: [
      { name: 'id', kind: 'id' },
      // Unique per process: after an upgrade, the new process has the same NODE_ID as its predecessor.
      { name: 'instance', kind: 'text', notNull: true },
      { name: 'node', kind: 'text', notNull: true },
      { name: 'host', kind: 'text', notNull: true },
      { name: 'pid', kind: 'bigint', notNull: true },
      // Scope in which `pid` is unique; see `machine.ts`.
      { name: 'machine', kind: 'text' },
      { name: 'started', kind: 'datetime', notNull: true },
      { name: 'lease_until', kind: 'datetime', notNull: true },
      // Generation it serves, and the oldest one still in use by a request or job.
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
