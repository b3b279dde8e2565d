import type { ColumnSpec, IndexSpec, TableSpec } from '@pergola/db';
import { joined } from './build/names.ts';
import type { CompiledField, CompiledModel, ToMany } from './compiled.ts';
import type { ModelRegistry } from './registry.ts';

/**
 * The tables that the models want, for the schema's plan: one per model, one between two models for each pair of many2many fields. Models on
 * a table of the core have none.
 */
export function tablesOf(registry: ModelRegistry): TableSpec[] {
  const models = [...registry.models.values()].filter(({ options }) => !options.coreTable);
  return [...models.map((model) => tableOf(registry, model)), ...betweens(registry).map(({ spec }) => spec)];
}

/** Which addon brought a table or column, by `table` and `table.column`; for plans that people read, and for what leaves with an addon. */
export function ownership(registry: ModelRegistry): Map<string, string> {
  const owners = new Map<string, string>();
  for (const model of registry.models.values()) {
    if (model.options.coreTable) continue;
    owners.set(model.table, model.addon);
    for (const { column, addon } of columnsOf(registry, model)) owners.set(`${model.table}.${column.name}`, addon);
  }
  for (const { spec, addon } of betweens(registry)) {
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

/** The column of a field. One of an extension never stands in the way of an insert by who does not know it (architecture, section 4). */
function columnOf(registry: ModelRegistry, field: CompiledField): ColumnSpec {
  const column: ColumnSpec = { name: field.column ?? field.name, kind: field.kind ?? 'text' };
  if (field.name === 'id') return column;
  const { relation } = field;
  if (relation?.kind === 'many2one') {
    const target = registry.models.get(relation.to);
    if (relation.foreignKey && target) column.references = { table: target.table, onDelete: relation.ondelete };
  }
  const given = defaultOf(field);
  if (given !== null) column.default = given;
  if (field.type === 'boolean' || (field.required && !field.compute && (!field.isExtended || given !== null)))
    column.notNull = true;
  return column;
}

/** A constant default is one of the database too: rows made while the addon is off, or by an older version, then have it. */
function defaultOf(field: CompiledField): string | number | boolean | null {
  const { default: given } = field.options;
  if (field.type === 'boolean') return given === true;
  if (given === undefined || given === null || typeof given === 'function') return null;
  if (field.relation || field.translated || field.kind === 'json') return null;
  const value = field.toColumn(given);
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** Indexes that follow from what single fields are. */
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

/** Indexes that the model asks for: unique ones, its own, and those of full text. */
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

/** An index that holds a translated field is one for each language, in which its readers see the field. */
function inLanguages(model: CompiledModel, names: readonly string[], languages: readonly string[]): IndexSpec[] {
  const index = plain(model, names);
  const field = names.map((name) => model.fields.get(name)).find((one) => one?.translated);
  const column = field?.foldColumn ?? field?.column;
  if (!field || !column) return [index];
  const columns = index.columns.map((one) => (one === field.column ? column : one));
  return languages.map((lang) => ({
    name: joined(model.table, ...columns, lang.toLowerCase().replaceAll(/[^a-z0-9]/g, '_'), 'idx'),
    columns,
    text: { column, languages: [lang, ...languages.filter((other) => other !== lang)] },
  }));
}

function plain(model: CompiledModel, fields: readonly string[]): IndexSpec {
  const columns = fields.map((name) => model.fields.get(name)?.column ?? name);
  return { name: joined(model.table, ...columns, 'idx'), columns };
}

/** Tables between models, each once, whichever of the two sides declares it. */
function betweens(registry: ModelRegistry): { spec: TableSpec; addon: string }[] {
  const found = new Map<string, { spec: TableSpec; addon: string }>();
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      const { relation } = field;
      if (relation?.kind !== 'many2many' || !field.stored || found.has(relation.table)) continue;
      const target = registry.models.get(relation.to);
      if (target) found.set(relation.table, { spec: between(model, target, relation), addon: relation.addon });
    }
  }
  return [...found.values()];
}

/** The database refuses, too, to delete what a field keeps from being deleted: links of disabled addons, and those made at the same moment. */
function between(model: CompiledModel, target: CompiledModel, { table, from, toColumn }: ToMany): TableSpec {
  const isKept = (by: CompiledModel, column: string): boolean =>
    [...by.fields.values()].some(
      ({ relation, stored }) =>
        stored &&
        relation?.kind === 'many2many' &&
        relation.table === table &&
        relation.toColumn === column &&
        relation.ondelete !== 'set null',
    );
  const side = (name: string, { table: to }: CompiledModel, by: CompiledModel): ColumnSpec => ({
    name,
    kind: 'bigint',
    notNull: true,
    references: { table: to, onDelete: isKept(by, name) ? 'restrict' : 'cascade' },
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
