import { textIn } from '../fragments.ts';
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
import { columnSql, createTableSql, kindOfType, postgresTypes, referencesSql, specDefault } from './ddl.ts';
import { columnsByTable, runAll, type SchemaDialect, selectRows } from './dialect.ts';
import { quoted, textLiteral } from './names.ts';

export const postgresSchema: SchemaDialect = { introspect, columns, describe, apply };

/** The requested index is stored in its comment, because PostgreSQL rewrites conditions and expressions. */
const commentMark = 'pergola:';

const columnsSql = `select c.relname as tbl, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as not_null,
    a.attidentity as identity, pg_get_expr(d.adbin, d.adrelid) as dflt, coll.collname as collation,
    row_number() over (partition by c.oid order by a.attnum) as position
  from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_collation coll on coll.oid = a.attcollation
  where c.relkind in ('r', 'p') order by c.relname, a.attnum`;

const constraintsSql = `select c.relname as tbl, k.conname as name, k.contype as type, f.relname as target, k.confdeltype as on_delete,
    pg_get_constraintdef(k.oid) as definition,
    array(select a.attname::text from unnest(k.conkey) with ordinality u(num, ord) join pg_attribute a on a.attrelid = c.oid and a.attnum = u.num order by u.ord) as columns
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  left join pg_class f on f.oid = k.confrelid where k.contype in ('p', 'f', 'u', 'c') order by c.relname, k.conname`;

const indexesSql = `select c.relname as tbl, i.relname as name, x.indisunique as is_unique, pg_get_expr(x.indpred, x.indrelid) as predicate,
    am.amname as method, obj_description(i.oid, 'pg_class') as comment, pg_get_indexdef(i.oid) as definition, x.indisvalid as is_valid,
    array(select a.attname::text from unnest(x.indkey) with ordinality u(num, ord) join pg_attribute a on a.attrelid = c.oid and a.attnum = u.num order by u.ord) as columns
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid join pg_am am on am.oid = i.relam
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  where not x.indisprimary and not exists (select 1 from pg_constraint k where k.conindid = i.oid and k.contype in ('u', 'x')) order by i.relname`;

async function introspect(connection: Connection): Promise<TableSpec[]> {
  const columns = await selectRows(connection, columnsSql);
  const constraints = Map.groupBy(await selectRows(connection, constraintsSql), (row) => String(row.tbl));
  const indexes = Map.groupBy(await selectRows(connection, indexesSql), (row) => String(row.tbl));
  return [...Map.groupBy(columns, (row) => String(row.tbl))].map(([table, rows]) =>
    tableSpec(table, rows, constraints.get(table) ?? [], indexes.get(table) ?? []),
  );
}

async function columns(connection: Connection): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const sql = `select c.relname as tbl, a.attname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped where c.relkind in ('r', 'p')`;
  return columnsByTable(await selectRows(connection, sql));
}

function tableSpec(name: string, rows: Row[], constraints: Row[], indexes: Row[]): TableSpec {
  const primary = names(constraints.find((row) => row.type === 'p')?.columns);
  const references = new Map(
    constraints.filter((row) => row.type === 'f').map((row) => [names(row.columns)[0] ?? '', reference(row)]),
  );
  const columns = rows.filter((row) => row.name !== null).map((row) => columnSpec(row, references));
  const hasId = columns.some((column) => column.kind === 'id');
  return {
    name,
    columns,
    indexes: indexes.filter((row) => row.is_valid === true).map(indexSpec),
    ...(hasId || primary.length === 0 ? {} : { primaryKey: primary }),
  };
}

function columnSpec(row: Row, references: Map<string, ColumnReference>): ColumnSpec {
  const name = String(row.name);
  const type = String(row.type);
  if (type === 'bigint' && row.identity !== '') return { name, kind: 'id' };
  const kind = kindOf(type);
  const spec: ColumnSpec = { name, kind };
  if (row.not_null === true) spec.notNull = true;
  const constant = row.dflt === null ? null : literal(String(row.dflt));
  if (constant !== null) spec.default = specDefault(kind, constant);
  const target = references.get(name);
  if (target) spec.references = target;
  return spec;
}

/** Foreign tables may use other types, which are read as text. */
function kindOf(type: string): ColumnKind {
  return kindOfType(postgresTypes, type) ?? (type.startsWith('timestamp') ? 'datetime' : 'text');
}

function reference(row: Row): ColumnReference {
  const onDelete = row.on_delete === 'c' ? 'cascade' : row.on_delete === 'n' ? 'set null' : 'restrict';
  return { table: String(row.target), onDelete };
}

function indexSpec(row: Row): IndexSpec {
  const comment = row.comment === null ? '' : String(row.comment);
  if (comment.startsWith(commentMark))
    return { name: String(row.name), ...JSON.parse(comment.slice(commentMark.length)) };
  const spec: IndexSpec = { name: String(row.name), columns: names(row.columns) };
  if (row.is_unique === true) spec.unique = true;
  if (row.predicate !== null) spec.where = String(row.predicate);
  if (row.method === 'gin') spec.using = 'trgm';
  return spec;
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** `'x'::text` → `x`; null for an expression (nextval, now). */
function literal(sql: string): string | null {
  const [, text, plain] = /^(?:'((?:[^']|'')*)'(?:::.*)?|\(?(-?[\d.]+|true|false)\)?(?:::.*)?)$/s.exec(sql) ?? [];
  return text?.replaceAll("''", "'") ?? plain ?? null;
}

async function describe(connection: Connection): Promise<string[]> {
  const columns = (await selectRows(connection, columnsSql)).map(
    (row) =>
      `column ${row.tbl}.${row.name} #${row.position}: ${row.type} ${row.collation ?? ''} ${row.not_null ? 'not null' : ''} ${row.identity} ${row.dflt ?? ''}`,
  );
  const constraints = (await selectRows(connection, constraintsSql)).map(
    (row) => `constraint ${row.name} on ${row.tbl}: ${row.definition}`,
  );
  const indexes = (await selectRows(connection, indexesSql)).map(
    (row) => `index ${row.name} on ${row.tbl}: ${row.definition} ${row.comment ?? ''}`,
  );
  return [...columns, ...constraints, ...indexes].sort();
}

/** New tables are created first and without foreign keys, which follow once all of them exist. */
async function apply(connection: Connection, steps: readonly SchemaStep[]): Promise<void> {
  const keys: string[] = [];
  for (const step of steps) {
    if (step.type !== 'createTable' && keys.length > 0) await runAll(connection, keys.splice(0));
    if (step.type === 'createTable') keys.push(...foreignKeys(step.table));
    if (step.type === 'changeReference') await dropForeignKeys(connection, step.table, step.column.name);
    await runAll(connection, statements(step));
  }
  await runAll(connection, keys);
}

async function dropForeignKeys(connection: Connection, table: string, column: string): Promise<void> {
  const constraints = await selectRows(
    connection,
    `select k.conname as name from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      where k.contype = 'f' and k.conrelid = to_regclass($1) and a.attname = $2`,
    [table, column],
  );
  for (const { name } of constraints) {
    await runAll(connection, [`alter table ${quoted(table)} drop constraint ${quoted(String(name))}`]);
  }
}

function foreignKeys(table: TableSpec): string[] {
  return table.columns.flatMap((column) => foreignKey(table.name, column));
}

function foreignKey(table: string, { name, references }: ColumnSpec): string[] {
  if (!references) return [];
  return [`alter table ${quoted(table)} add foreign key (${quoted(name)}) ${referencesSql('postgres', references)}`];
}

function statements(step: SchemaStep): string[] {
  switch (step.type) {
    case 'createTable':
      return [
        createTableSql('postgres', step.table, { references: false }),
        ...step.table.columns.flatMap((column) => statistics(step.table.name, column)),
      ];
    case 'addColumn':
      return [
        `alter table ${quoted(step.table)} add column ${columnSql('postgres', step.column)}`,
        ...statistics(step.table, step.column),
      ];
    case 'changeReference':
      return foreignKey(step.table, step.column);
    case 'createIndex':
      return createIndexSql(step.table, step.index);
    case 'dropTable':
      // CASCADE only drops foreign keys of tables that are about to be dropped too.
      return [`drop table ${quoted(step.table)} cascade`];
    case 'dropColumn':
      return [`alter table ${quoted(step.table)} drop column ${quoted(step.column)}`];
    case 'dropIndex':
      return [`drop index if exists ${quoted(step.index)}`];
  }
}

/** The planner chooses between the index and the newest rows by word frequency, so it needs statistics on more than 1,000 words. */
function statistics(table: string, { name, kind }: ColumnSpec): string[] {
  return kind === 'words' ? [`alter table ${quoted(table)} alter column ${quoted(name)} set statistics 1000`] : [];
}

/** `create index` and the comment with the requested index; `concurrently` has to run outside a transaction. */
export function createIndexSql(table: string, index: IndexSpec, mode: '' | 'concurrently ' = ''): string[] {
  const { name, ...request } = index;
  const unique = index.unique ? 'unique ' : '';
  const where = index.where ? ` where ${index.where}` : '';
  return [
    `create ${unique}index ${mode}${quoted(name)} on ${quoted(table)} ${indexBody(index)}${where}`,
    `comment on index ${quoted(name)} is ${textLiteral(commentMark + JSON.stringify(request, ['columns', 'unique', 'where', 'using', 'text', 'column', 'languages']))}`,
  ];
}

function indexBody(index: IndexSpec): string {
  if (index.using === 'fulltext') return `using gin (${index.columns.map(quoted).join(', ')})`;
  if (index.using === 'trgm')
    return `using gin (${index.columns.map((column) => `${quoted(column)} gin_trgm_ops`).join(', ')})`;
  // Nulls sort first, as on SQLite; an index only serves an order with the same rule. An id is never null.
  const { text } = index;
  const part = (column: string): string =>
    column === text?.column ? `(${textIn('postgres', quoted(column), text.languages)})` : quoted(column);
  return `(${index.columns.map((column) => `${part(column)}${column === 'id' ? '' : ' nulls first'}`).join(', ')})`;
}
