import type { ColumnSpec, IndexSpec, TableSpec } from '@pergola/db';
import { joined } from './build/names.ts';
import type { CompiledField, CompiledModel, ToMany } from './compiled.ts';
import type { ModelRegistry } from './registry.ts';

/**
 * Returns the tables of the models, for the schema's plan: one per model, and a join table per pair of many2many fields. Excludes core
 * tables.
 */
export function tablesOf(registry: ModelRegistry): TableSpec[] {
  const models = [...registry.models.values()].filter(({ options }) => !options.coreTable);
  return [...models.map((model) => tableOf(registry, model)), ...joinTablesOf(registry).map(({ spec }) => spec)];
}

/** Maps `table` and `table.column` to the addon that declares them; for plans shown to users, and for uninstalling an addon. */
export function ownership(registry: ModelRegistry): Map<string, string> {
  const owners = new Map<string, string>();
  for (const model of registry.models.values()) {
    if (model.options.coreTable) continue;
    owners.set(model.table, model.addon);
    for (const { column, addon } of columnsOf(registry, model)) owners.set(`${model.table}.${column.name}`, addon);
  }
  for (const { spec, addon } of joinTablesOf(registry)) {
    owners.set(spec.name, addon);
    for (const { name } of spec.columns) owners.set(`${spec.name}.${name}`, addon);
  }
  return owners;
}

function tableOf(registry: ModelRegistry, model: CompiledModel): TableSpec {
  return {
    name: model.table,
    columns: columnsOf(registry, model).map(({ column }) => column),
    indexes: uniqueByName([...fieldIndexes(model), ...modelIndexes(model, registry.languages)]),
  };
}

interface OwnedColumn {
  readonly column: ColumnSpec;
  readonly addon: string;
}

function columnsOf(registry: ModelRegistry, model: CompiledModel): OwnedColumn[] {
  const columns: OwnedColumn[] = [];
  for (const field of model.fields.values()) {
    if (field.column === null) continue;
    columns.push({ column: columnOf(registry, field), addon: field.addon });
    if (field.foldColumn)
      columns.push({
        column: { name: field.foldColumn, kind: field.translated ? 'json' : 'text' },
        addon: field.addon,
      });
  }
  const searched = model.search?.fields.find(({ addon }) => addon === model.addon) ?? model.search?.fields[0];
  for (const name of model.search?.columns.values() ?? []) {
    columns.push({ column: { name, kind: 'words' }, addon: searched?.addon ?? model.addon });
  }
  return columns;
}

/** Returns the column of a field. A column of an extension never blocks inserts by code that doesn't know it (architecture, section 4). */
function columnOf(registry: ModelRegistry, field: CompiledField): ColumnSpec {
  const column: ColumnSpec = { name: field.column ?? field.name, kind: field.kind ?? 'text' };
  if (field.name === 'id') return column;
  const { relation } = field;
  if (relation?.kind === 'many2one') {
    const target = registry.models.get(relation.to);
    if (relation.foreignKey && target) column.references = { table: target.table, onDelete: relation.ondelete };
  }
  const defaultValue = defaultOf(field);
  if (defaultValue !== null) column.default = defaultValue;
  if (field.type === 'boolean' || (field.required && !field.compute && (!field.isExtended || defaultValue !== null)))
    column.notNull = true;
  return column;
}

/** Constant defaults are set in the database too, for rows created while the addon is disabled or by an older version. */
function defaultOf(field: CompiledField): string | number | boolean | null {
  const { default: defaultValue } = field.options;
  if (field.type === 'boolean') return defaultValue === true;
  if (defaultValue === undefined || defaultValue === null || typeof defaultValue === 'function') return null;
  if (field.relation || field.translated || field.kind === 'json') return null;
  const value = field.toColumn(defaultValue);
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** Indexes that follow from the fields' types and options. */
function fieldIndexes(model: CompiledModel): IndexSpec[] {
  const indexes: IndexSpec[] = [];
  for (const field of model.fields.values()) {
    const { column, foldColumn, translated, options, base } = field;
    if (column === null) continue;
    const isKey = field.relation?.kind === 'many2one' && !base;
    if ((options.index || isKey) && !options.unique && field.kind !== 'json') indexes.push(plain(model, [column]));
    if (
      foldColumn &&
      !translated &&
      (options.index || field === model.nameField || model.nameField?.name === field.name)
    ) {
      indexes.push({ name: joined(model.table, foldColumn, 'trgm'), columns: [foldColumn], using: 'trgm' });
    }
  }
  return indexes;
}

/** Indexes declared by the model: unique, additional and full-text ones. */
function modelIndexes(model: CompiledModel, languages: readonly string[]): IndexSpec[] {
  const unique = model.unique.map(({ name, columns, where }): IndexSpec => {
    const index: IndexSpec = { name, columns: [...columns], unique: true };
    return where === null ? index : { ...index, where };
  });
  const more = model.indexes.flatMap(({ columns }) => inLanguages(model, columns, languages));
  const search = [...(model.search?.columns ?? [])].map(([lang, column]): IndexSpec => {
    return {
      name: model.search?.indexes.get(lang) ?? joined(model.table, column, 'fts'),
      columns: [column],
      using: 'fulltext',
    };
  });
  return [...unique, ...more, ...search];
}

/** An index with a translated field is created once per language, over the text that its readers see. */
function inLanguages(model: CompiledModel, names: readonly string[], languages: readonly string[]): IndexSpec[] {
  const index = plain(model, names);
  const field = names.map((name) => model.fields.get(name)).find((candidate) => candidate?.translated);
  const column = field?.foldColumn ?? field?.column;
  if (!field || !column) return [index];
  const columns = index.columns.map((name) => (name === field.column ? column : name));
  return languages.map((lang) => ({
    name: joined(model.table, ...columns, lang.toLowerCase().replaceAll(/[^a-z0-9]/g, '_'), 'idx'),
    columns,
    text: { column, languages: [lang, ...languages.filter((candidate) => candidate !== lang)] },
  }));
}

function plain(model: CompiledModel, fields: readonly string[]): IndexSpec {
  const columns = fields.map((name) => model.fields.get(name)?.column ?? name);
  return { name: joined(model.table, ...columns, 'idx'), columns };
}

/** Join tables, each once, no matter which side declares it. */
function joinTablesOf(registry: ModelRegistry): { spec: TableSpec; addon: string }[] {
  const joinTables = new Map<string, { spec: TableSpec; addon: string }>();
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      const { relation } = field;
      if (relation?.kind !== 'many2many' || !field.stored || joinTables.has(relation.table)) continue;
      const target = registry.models.get(relation.to);
      if (target) joinTables.set(relation.table, { spec: joinTable(model, target, relation), addon: relation.addon });
    }
  }
  return [...joinTables.values()];
}

/** The database also refuses to delete protected records: for links of disabled addons, and links created concurrently. */
function joinTable(model: CompiledModel, target: CompiledModel, { table, from, toColumn }: ToMany): TableSpec {
  const isProtected = (linking: CompiledModel, column: string): boolean =>
    [...linking.fields.values()].some(
      ({ relation, stored }) =>
        stored &&
        relation?.kind === 'many2many' &&
        relation.table === table &&
        relation.toColumn === column &&
        relation.ondelete !== 'set null',
    );
  const side = (name: string, { table: to }: CompiledModel, linking: CompiledModel): ColumnSpec => ({
    name,
    kind: 'bigint',
    notNull: true,
    references: { table: to, onDelete: isProtected(linking, name) ? 'restrict' : 'cascade' },
  });
  return {
    name: table,
    columns: [side(from, model, target), side(toColumn, target, model)],
    primaryKey: [from, toColumn],
    indexes: [{ name: joined(table, toColumn, 'idx'), columns: [toColumn] }],
  };
}

function uniqueByName(indexes: readonly IndexSpec[]): IndexSpec[] {
  return [...new Map(indexes.map((index) => [index.name, index])).values()];
}
