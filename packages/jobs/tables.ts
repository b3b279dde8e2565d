import type { TableSpec } from '@pergola/db';

/**
 * Jobs: `waiting` until `run_at`, `running` until finished (then the row is deleted) or until the lease expires (then another node takes
 * over), `dead` after the last attempt.
 */
export const tables: readonly TableSpec[] = [
  {
    name: 'core_job',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'name', kind: 'text', notNull: true },
      { name: 'input', kind: 'json' },
      { name: 'key', kind: 'text' },
      { name: 'state', kind: 'text', notNull: true, default: 'waiting' },
      { name: 'run_at', kind: 'datetime', notNull: true },
      { name: 'attempt', kind: 'integer', notNull: true, default: 0 },
      { name: 'owner', kind: 'text' },
      { name: 'lease_until', kind: 'datetime' },
      { name: 'error', kind: 'text' },
      { name: 'create_date', kind: 'datetime', notNull: true },
    ],
    indexes: [
      { name: 'core_job_due', columns: ['state', 'run_at'] },
      { name: 'core_job_key', columns: ['name', 'key'], unique: true, where: "state = 'waiting' and key is not null" },
    ],
  },
  {
    name: 'core_cron',
    columns: [
      { name: 'name', kind: 'text', notNull: true },
      { name: 'next_at', kind: 'datetime', notNull: true },
    ],
    indexes: [],
    primaryKey: ['name'],
  },
];
