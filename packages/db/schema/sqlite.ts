import { textIn } from '../fragments.ts';
import { changeTable } from '../sqlite/watcher.ts';
import type {
  ColumnKind,
  ColumnReference,
  ColumnSpec,
  Connection,
  IndexSpec,
  Row,
  SchemaStep,
  TableSpec,
} from '../types.ts';
import { columnSql, createTableSql, kindOfType, specDefault, sqliteTypes } from './ddl.ts';
import { columnsByTable, runAll, type SchemaDialect, selectRows } from './dialect.ts';
import { list, quoted, textLiteral } from './names.ts';

/** SQLite keeps the text of every CREATE, so most information comes from there and from its table-valued pragmas. */
export const sqliteSchema: SchemaDialect = { introspect, columns, describe, apply };

const ownTables = `m.name not like 'sqlite\\_%' escape '\\' and m.name <> '${changeTable}'`;

async function introspect(connection: Connection): Promise<TableSpec[]> {
  const tables = `pragma_table_list m where m.schema = 'main' and m.type = 'table' and ${ownTables} order by m.name`;
  const from = (pragma: string) => `from pragma_table_list m join ${pragma} i`;
  const where = `where m.schema = 'main' and m.type = 'table' and ${ownTables}`;
  const [names, columns, keys, indexes, parts, texts] = await Promise.all([
    selectRows(connection, `select m.name as name from ${tables}`),
    selectRows(
      connection,
      `select m.name as tbl, i.* ${from('pragma_table_info(m.name)')} ${where} order by m.name, i.cid`,
    ),
    selectRows(
      connection,
      `select m.name as tbl, i."from" as col, i."table" as target, i.on_delete as on_delete ${from('pragma_foreign_key_list(m.name)')} ${where}`,
    ),
    selectRows(
      connection,
      `select m.name as tbl, i.name as name, i."unique" as is_unique ${from('pragma_index_list(m.name)')} ${where} and i.origin = 'c' order by i.name`,
    ),
    selectRows(
      connection,
      `select x.name as idx, i.name as col ${from('pragma_index_list(m.name)').replace(/ i$/, ' x')} join pragma_index_info(x.name) i ${where} order by x.name, i.seqno`,
    ),
    selectRows(
      connection,
      "select name, sql from sqlite_master where type = 'index' or sql like 'create virtual table%'",
    ),
  ]);
  const columnsOf = Map.groupBy(columns, (row) => String(row.tbl));
  const keysOf = Map.groupBy(keys, (row) => String(row.tbl));
  const indexesOf = Map.groupBy(indexes, (row) => String(row.tbl));
  const partsOf = Map.groupBy(parts, (row) => String(row.idx));
  const textOf = new Map(texts.map((row) => [String(row.name), String(row.sql)]));
  const searches = [...textOf].flatMap(([name, sql]) => searchIndex(name, sql));
  return names.map(({ name }) => {
    const table = String(name);
    const rows = columnsOf.get(table) ?? [];
    const plain = (indexesOf.get(table) ?? []).map((row) => indexSpec(row, partsOf, textOf));
    const search = searches.filter((entry) => entry.table === table).map((entry) => entry.index);
    return tableSpec(table, rows, keysOf.get(table) ?? [], [...plain, ...search]);
  });
}

async function columns(connection: Connection): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const sql = `select m.name as tbl, i.name as name from sqlite_schema m join pragma_table_info(m.name) i where m.type = 'table' and ${ownTables}`;
  return columnsByTable(await selectRows(connection, sql));
}

function tableSpec(name: string, rows: Row[], keys: Row[], indexes: IndexSpec[]): TableSpec {
  const references = new Map(keys.map((row) => [String(row.col), reference(row)]));
  const primary = rows.filter((row) => Number(row.pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
  const [key, ...more] = primary;
  const hasId = key?.name === 'id' && String(key.type).toLowerCase() === 'integer' && more.length === 0;
  const columns = rows.map((row) => columnSpec(row, references, hasId && row.name === 'id'));
  return {
    name,
    columns,
    indexes,
    ...(hasId || primary.length === 0 ? {} : { primaryKey: primary.map((row) => String(row.name)) }),
  };
}

function columnSpec(row: Row, references: Map<string, ColumnReference>, isId: boolean): ColumnSpec {
  const name = String(row.name);
  if (isId) return { name, kind: 'id' };
  const kind = kindOf(String(row.type));
  const spec: ColumnSpec = { name, kind };
  if (row.notnull === 1) spec.notNull = true;
  if (row.dflt_value !== null) spec.default = specDefault(kind, unquoted(String(row.dflt_value)));
  const target = references.get(name);
  if (target) spec.references = target;
  return spec;
}

/** Foreign tables may use other type names; integer types are read as bigint, all others as text. */
function kindOf(type: string): ColumnKind {
  const lower = type.toLowerCase();
  const fallback = lower.includes('int') ? 'bigint' : /real|floa|doub/.test(lower) ? 'float' : 'text';
  return kindOfType(sqliteTypes, lower) ?? fallback;
}

function reference(row: Row): ColumnReference {
  const action = String(row.on_delete).toLowerCase();
  return { table: String(row.target), onDelete: action === 'cascade' || action === 'set null' ? action : 'restrict' };
}

/** SQLite has no trigrams; the plain index used instead records the request in a comment. */
const trigramMark = '/* trgm */';
/** An index on translated text is an index on an expression, and records the request too. */
const textMark = /\/\* text (\{.*?\}\}) \*\//;

function indexSpec(row: Row, partsOf: Map<string, Row[]>, textOf: Map<string, string>): IndexSpec {
  const name = String(row.name);
  const request = textMark.exec(textOf.get(name) ?? '')?.[1];
  if (request) return { name, ...JSON.parse(request) };
  const spec: IndexSpec = { name, columns: (partsOf.get(name) ?? []).map((part) => String(part.col)) };
  if (row.is_unique === 1) spec.unique = true;
  const where = / where (.*)$/s.exec(textOf.get(name) ?? '')?.[1];
  if (where) spec.where = where;
  if (textOf.get(name)?.includes(trigramMark)) spec.using = 'trgm';
  return spec;
}

function searchIndex(name: string, sql: string): { table: string; index: IndexSpec }[] {
  const [, columns, table] = /using fts5\((.*?), content='(\w+)'/.exec(sql) ?? [];
  if (!columns || !table) return [];
  return [{ table, index: { name, columns: columns.split(', ').map(unquoted), using: 'fulltext' } }];
}

function unquoted(text: string): string {
  const [, double, single] = /^(?:"(.*)"|'(.*)')$/s.exec(text) ?? [];
  return double ?? single?.replaceAll("''", "'") ?? text;
}

async function describe(connection: Connection): Promise<string[]> {
  const rows = await selectRows(
    connection,
    `select m.type, m.name, m.tbl_name, m.sql from sqlite_master m where ${ownTables} and m.tbl_name <> '${changeTable}'`,
  );
  return rows.map((row) => `${row.type} ${row.name} on ${row.tbl_name}: ${row.sql}`).sort();
}

async function apply(connection: Connection, steps: readonly SchemaStep[]): Promise<void> {
  // Tables that reference each other: dangling references after a drop are only checked at commit.
  if (steps.some((step) => step.type === 'dropTable')) await runAll(connection, ['pragma defer_foreign_keys = 1']);
  for (const step of steps) await runAll(connection, await statements(connection, step));
}

async function statements(connection: Connection, step: SchemaStep): Promise<string[]> {
  switch (step.type) {
    case 'createTable':
      return [createTableSql('sqlite', step.table, { references: true })];
    case 'addColumn':
      return [`alter table ${quoted(step.table)} add column ${columnSql('sqlite', step.column)}`];
    case 'changeReference':
      return changeReference(connection, step.table, step.column);
    case 'createIndex':
      return createIndexSql(step.table, step.index);
    case 'dropTable':
      return [
        ...(await dropIndexes(connection, step.table, (index) => index.using === 'fulltext')),
        `drop table ${quoted(step.table)}`,
      ];
    case 'dropColumn':
      // SQLite can't drop a column that is part of an index.
      return [
        ...(await dropIndexes(connection, step.table, (index) => index.columns.includes(step.column))),
        `alter table ${quoted(step.table)} drop column ${quoted(step.column)}`,
      ];
    case 'dropIndex':
      return dropIndexes(connection, step.table, (index) => index.name === step.index);
  }
}

/** SQLite can't alter foreign keys: the values move to a new column, or the links to a new table, with the new one. */
async function changeReference(connection: Connection, table: string, column: ColumnSpec): Promise<string[]> {
  const spec = (await introspect(connection)).find(({ name }) => name === table);
  if (!spec) return [];
  const indexes = spec.indexes.filter(
    ({ columns, where }) => spec.primaryKey || columns.includes(column.name) || where?.includes(column.name),
  );
  const [quotedTable, fresh] = [quoted(table), quoted(column.name)];
  const oldName = quoted(`${(spec.primaryKey ? table : column.name).slice(0, 50)}__former`);
  const columns = list(spec.columns.map(({ name }) => name));
  const changed = spec.columns.map((old) => (old.name === column.name ? column : old));
  const moved = spec.primaryKey
    ? [
        `alter table ${quotedTable} rename to ${oldName}`,
        createTableSql('sqlite', { ...spec, columns: changed }, { references: true }),
        `insert into ${quotedTable} (${columns}) select ${columns} from ${oldName}`,
        `drop table ${oldName}`,
      ]
    : [
        `alter table ${quotedTable} rename column ${fresh} to ${oldName}`,
        `alter table ${quotedTable} add column ${columnSql('sqlite', column)}`,
        `update ${quotedTable} set ${fresh} = ${oldName}`,
        `alter table ${quotedTable} drop column ${oldName}`,
      ];
  return [...indexes.flatMap(dropIndexSql), ...moved, ...indexes.flatMap((index) => createIndexSql(table, index))];
}

async function dropIndexes(
  connection: Connection,
  table: string,
  predicate: (index: IndexSpec) => boolean,
): Promise<string[]> {
  const spec = (await introspect(connection)).find((candidate) => candidate.name === table);
  return (spec?.indexes ?? []).filter(predicate).flatMap(dropIndexSql);
}

/** Triggers that add and remove rows of the search table: it stores no text, so it needs the old text to remove a row. */
const searchTriggers = {
  ai: { event: 'insert', forget: false, learn: true },
  ad: { event: 'delete', forget: true, learn: false },
  au: { event: 'update', forget: true, learn: true },
};

function createIndexSql(table: string, index: IndexSpec): string[] {
  if (index.using === 'fulltext') return createSearchSql(table, index);
  const where = index.where ? ` where ${index.where}` : '';
  const { text, columns } = index;
  const mark =
    index.using === 'trgm' ? ` ${trigramMark}` : text ? ` /* text ${JSON.stringify({ columns, text })} */` : '';
  const parts = columns.map((column) =>
    column === text?.column ? textIn('sqlite', quoted(column), text.languages) : quoted(column),
  );
  return [
    `create ${index.unique ? 'unique ' : ''}index ${quoted(index.name)}${mark} on ${quoted(table)} (${parts.join(', ')})${where}`,
  ];
}

function createSearchSql(table: string, { name, columns }: IndexSpec): string[] {
  const search = quoted(name);
  const values = (row: 'old' | 'new') =>
    [`${row}."id"`, ...columns.map((column) => `${row}.${quoted(column)}`)].join(', ');
  const forget = `insert into ${search} (${search}, rowid, ${list(columns)}) values ('delete', ${values('old')});`;
  const learn = `insert into ${search} (rowid, ${list(columns)}) values (${values('new')});`;
  const triggers = Object.entries(searchTriggers).map(([suffix, trigger]) => {
    const event = trigger.event === 'update' ? `update of ${list(columns)}` : trigger.event;
    const body = [trigger.forget ? forget : '', trigger.learn ? learn : ''].join(' ');
    return `create trigger ${quoted(`${name}_${suffix}`)} after ${event} on ${quoted(table)} begin ${body} end`;
  });
  return [
    `create virtual table ${search} using fts5(${list(columns)}, content=${textLiteral(table)}, content_rowid='id', tokenize='unicode61 remove_diacritics 0', prefix='2 3')`,
    ...triggers,
    `insert into ${search} (${search}) values ('rebuild')`,
  ];
}

function dropIndexSql({ name, using }: IndexSpec): string[] {
  if (using !== 'fulltext') return [`drop index ${quoted(name)}`];
  return [
    ...Object.keys(searchTriggers).map((suffix) => `drop trigger ${quoted(`${name}_${suffix}`)}`),
    `drop table ${quoted(name)}`,
  ];
}
