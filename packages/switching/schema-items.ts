import { type PlanItem, sentence, type Word } from '@pergola/core';
import type { SchemaStep } from '@pergola/db';
import { fieldWord, type TableNames } from './table-names.ts';

/** Models, or fields of one model, added by an addon. */
interface Group {
  readonly addon: string;
  readonly words: Word[];
  readonly tables: string[];
  readonly columns: string[];
}

/**
 * Schema changes of a switch in words: new kinds of records, new fields of existing ones, and the number of indexes. `owners` maps tables
 * (`table`) and columns (`table.column`) to addons. Columns that a migration renames aren't new.
 */
export function schemaItems(
  steps: readonly SchemaStep[],
  owners: ReadonlyMap<string, string>,
  names: TableNames,
  isRenamed: (table: string, column: string) => boolean = () => false,
): PlanItem[] {
  const created = new Set(steps.flatMap((step) => (step.type === 'createTable' ? [step.table.name] : [])));
  const records = new Map<string, Group>();
  const fields = new Map<string, Group & { readonly model: Word; readonly table: string }>();
  const ownerOf = (table: string, column = ''): string => owners.get(`${table}.${column}`) ?? owners.get(table) ?? '';
  const recordsOf = (addon: string): Group => into(records, addon, { addon, ...empty() });
  const fieldsOf = (addon: string, table: string): Group =>
    into(fields, `${addon}|${table}`, { addon, table, model: names.wordOn(table), ...empty() });
  for (const step of steps) {
    if (step.type === 'createTable') {
      const table = step.table.name;
      const link = names.linkIn(table, created);
      const on = link && names.tableOf(link.field.model);
      const group = link && on ? fieldsOf(ownerOf(table), on) : recordsOf(ownerOf(table));
      group.tables.push(table);
      if (link) group.words.push(fieldWord(link.field));
      // Link tables between two models mean nothing to users.
      else if (names.modelOn(table) || !names.linkIn(table)) group.words.push(names.wordOn(table));
    }
    if (step.type === 'addColumn') {
      const { table, column } = step;
      const field = names.fieldIn(table, column.name);
      if (names.isHelper(table, column.name) || isRenamed(table, column.name)) continue;
      const group = fieldsOf(ownerOf(table, column.name), table);
      group.columns.push(column.name);
      group.words.push(field ? fieldWord(field) : { addon: '', text: column.name });
    }
  }
  return [
    ...[...records.values()].map(({ addon, words, tables }): PlanItem => {
      const text = sentence('New record types: {models}.', {}, { models: words });
      return { topic: 'table', addon, sentence: text, data: { tables } };
    }),
    ...[...fields.values()].map(({ addon, model, table, words, tables, columns }): PlanItem => {
      const text = sentence('New fields of “{model}”: {fields}.', {}, { model: [model], fields: words });
      return { topic: 'column', addon, sentence: text, data: { table, columns, tables } };
    }),
    ...indexItems(steps, ownerOf),
  ];
}

function empty(): Pick<Group, 'words' | 'tables' | 'columns'> {
  return { words: [], tables: [], columns: [] };
}

function into<G>(groups: Map<string, G>, key: string, group: G): G {
  const existing = groups.get(key) ?? group;
  groups.set(key, existing);
  return existing;
}

function indexItems(steps: readonly SchemaStep[], ownerOf: (table: string, column?: string) => string): PlanItem[] {
  const created = steps.flatMap((step) => (step.type === 'createIndex' ? [step] : []));
  const dropped = steps.flatMap((step) => (step.type === 'dropIndex' ? [step] : []));
  const items: PlanItem[] = [];
  const [first] = created;
  if (first) {
    const count = created.length;
    const text = sentence(count === 1 ? 'Creates 1 index.' : 'Creates {count} indexes.', { count });
    const addon = ownerOf(first.table, first.index.columns[0]);
    const data = {
      tables: [...new Set(created.map(({ table }) => table))],
      indexes: created.map(({ index }) => index.name),
    };
    items.push({ topic: 'index', addon, sentence: text, data });
  }
  if (dropped[0]) {
    const count = dropped.length;
    const text = sentence(count === 1 ? 'Drops 1 index.' : 'Drops {count} indexes.', { count });
    const data = {
      tables: [...new Set(dropped.map(({ table }) => table))],
      indexes: dropped.map(({ index }) => index),
    };
    items.push({ topic: 'index', addon: ownerOf(dropped[0].table), sentence: text, data });
  }
  return items;
}
