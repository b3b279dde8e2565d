import type { ColumnSpec, TableSpec } from '@pergola/db';

/** Columns required by every model, so that addons can expose these tables as models (`coreTable`). */
const audit: ColumnSpec[] = [
  { name: 'create_date', kind: 'datetime' },
  { name: 'create_uid', kind: 'bigint' },
  { name: 'write_date', kind: 'datetime' },
  { name: 'write_uid', kind: 'bigint' },
];

/** Stored state of addons: their states, served generations, the switch log, consents to code, the ledger, and pending tasks. */
export const tables: readonly TableSpec[] = [
  {
    name: 'ir_module',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'name', kind: 'text', notNull: true },
      { name: 'state', kind: 'text', notNull: true, default: 'uninstalled' },
      // Version of the addon's schema and data in the database; null before it is installed.
      { name: 'version', kind: 'text' },
      { name: 'demo', kind: 'boolean', notNull: true, default: false },
      // Highest id of each table it adds columns to, when it was disabled: rows above it were created meanwhile.
      { name: 'watermarks', kind: 'json' },
      // Completed migrations, by file.
      { name: 'migrations', kind: 'json' },
      { name: 'last_error', kind: 'json' },
      { name: 'changed_at', kind: 'datetime' },
      { name: 'changed_by', kind: 'text' },
      ...audit,
    ],
    indexes: [{ name: 'ir_module_name', columns: ['name'], unique: true }],
  },
  {
    name: 'core_generation',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'number', kind: 'bigint', notNull: true },
      { name: 'addons', kind: 'json', notNull: true },
      { name: 'data', kind: 'json' },
      { name: 'languages', kind: 'json', notNull: true },
      { name: 'pending_fields', kind: 'json', notNull: true },
      { name: 'reason', kind: 'text', notNull: true },
      { name: 'created', kind: 'datetime', notNull: true },
    ],
    indexes: [{ name: 'core_generation_number', columns: ['number'], unique: true }],
  },
  {
    name: 'core_addon_log',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'action', kind: 'text', notNull: true },
      { name: 'addons', kind: 'json', notNull: true },
      { name: 'result', kind: 'text', notNull: true },
      { name: 'summary', kind: 'json' },
      { name: 'problems', kind: 'json' },
      { name: 'duration_ms', kind: 'integer' },
      { name: 'changed_by', kind: 'text' },
      ...audit,
    ],
    indexes: [],
  },
  {
    // Consents to the capabilities of external addons: append-only.
    name: 'core_addon_consent',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'addon', kind: 'text', notNull: true },
      { name: 'version', kind: 'text', notNull: true },
      { name: 'digest', kind: 'text', notNull: true },
      // The whole sheet, and how it differs from the previous consent.
      { name: 'capabilities', kind: 'json', notNull: true },
      { name: 'added', kind: 'json', notNull: true },
      { name: 'removed', kind: 'json', notNull: true },
      // Empty if no consent was needed.
      { name: 'consented_by', kind: 'text', notNull: true },
      { name: 'consented_at', kind: 'datetime', notNull: true },
      ...audit,
    ],
    indexes: [{ name: 'core_addon_consent_addon', columns: ['addon', 'id'] }],
  },
  {
    name: 'core_ownership',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'addon', kind: 'text', notNull: true },
      // See `LedgerEntry` in ledger.ts.
      { name: 'kind', kind: 'text', notNull: true },
      { name: 'table_name', kind: 'text', notNull: true },
      { name: 'name', kind: 'text', notNull: true },
      { name: 'detail', kind: 'json' },
    ],
    indexes: [
      { name: 'core_ownership_thing', columns: ['kind', 'table_name', 'name'], unique: true },
      { name: 'core_ownership_addon', columns: ['addon'] },
    ],
  },
  {
    name: 'core_addon_task',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'addon', kind: 'text', notNull: true },
      { name: 'generation', kind: 'bigint', notNull: true },
      { name: 'kind', kind: 'text', notNull: true },
      { name: 'input', kind: 'json', notNull: true },
      // Progress of the task; null before the first batch.
      { name: 'position', kind: 'json' },
      { name: 'created', kind: 'datetime', notNull: true },
    ],
    indexes: [{ name: 'core_addon_task_addon', columns: ['addon'] }],
  },
];
