import type { ColumnSpec, TableSpec } from '@pergola/db';

/** Changes of one kind to records of a model. */
const rowColumns: readonly ColumnSpec[] = [
  { name: 'model', kind: 'text' },
  { name: 'kind', kind: 'text' },
  // Lowest and highest id of the records.
  { name: 'first_id', kind: 'bigint' },
  { name: 'last_id', kind: 'bigint' },
  // The file store finds the files that these values refer to.
  { name: 'records', kind: 'json' },
];

/** Change sets: the writes of a person in one transaction, with the values before and after. */
export const changeTables: readonly TableSpec[] = [
  {
    name: 'core_change_set',
    columns: [
      { name: 'id', kind: 'id' },
      { name: 'at', kind: 'datetime', notNull: true },
      // Null for the command line.
      { name: 'user_id', kind: 'bigint' },
      { name: 'login', kind: 'text', notNull: true },
      // The route or call that wrote.
      { name: 'source', kind: 'text', notNull: true },
      // The change set that this one undoes, and whether it restored only part of it.
      { name: 'undo_of', kind: 'bigint' },
      { name: 'is_partial', kind: 'boolean', notNull: true },
      // Whether email was queued along with it.
      { name: 'sends_mail', kind: 'boolean', notNull: true },
      // Chosen by the client that wrote, so that it can undo what it just did.
      { name: 'client_key', kind: 'text' },
      // Its first row, so that storing a usual change takes one statement.
      ...rowColumns,
    ],
    indexes: [
      { name: 'core_change_set_undo', columns: ['undo_of'], where: 'undo_of is not null' },
      { name: 'core_change_set_client', columns: ['client_key'], where: 'client_key is not null' },
      { name: 'core_change_set_record', columns: ['model', 'first_id'] },
    ],
  },
  {
    name: 'core_change_row',
    columns: [
      { name: 'id', kind: 'id' },
      // Null until the set is stored, which comes last.
      { name: 'set_id', kind: 'bigint', references: { table: 'core_change_set', onDelete: 'cascade' } },
      ...rowColumns,
    ],
    indexes: [
      { name: 'core_change_row_set', columns: ['set_id'] },
      { name: 'core_change_row_record', columns: ['model', 'first_id'] },
    ],
  },
];
