/**
 * Adds hundreds of thousands of rows to tables of an SQLite file in single statements, which would take minutes with models. Runs as a
 * separate process, since two SQLite libraries in one process release each other's locks and corrupt the file. Reads {@link Growth} from
 * its argument.
 */
import { DatabaseSync } from 'node:sqlite';

/** Rows to add. */
export interface Growth {
  readonly file: string;
  /** Rows added to each table. */
  readonly rows: number;
  /** Ids of added rows follow this number in every table, so references between them always match. */
  readonly first: number;
  readonly tables: readonly string[];
  /**
   * Link tables with their two columns, in both directions: some of the first records on one side are linked to all added records on the
   * other.
   */
  readonly links: readonly (readonly [table: string, kept: string, grown: string])[];
}

interface Column {
  readonly name: string;
  readonly type: string;
}

const { file, rows, first, tables, links }: Growth = JSON.parse(process.argv[2] ?? '');
const database = new DatabaseSync(file);
const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`;
const columnsOf = (sql: string) => database.prepare(sql).all() as unknown as Column[];

/** Copies the first rows of a table, changing values that must be unique. */
function growRows(table: string): void {
  const columns = columnsOf(`pragma table_info(${table})`).filter(({ name }) => name !== 'id');
  const indexes = database.prepare(`pragma index_list(${table})`).all() as { name: string; unique: number }[];
  const isText = (name: string) => columns.some((column) => column.name === name && /text|char/i.test(column.type));
  const changed = new Set(
    indexes
      .filter(({ unique }) => unique === 1)
      .map(({ name }) => columnsOf(`pragma index_info(${name})`).map((column) => column.name))
      .map((names) => names.find(isText) ?? names.at(-1)),
  );
  const values = columns.map(({ name }) => {
    if (!changed.has(name)) return `t."${name}"`;
    return isText(name) ? `t."${name}" || '-' || n.i` : `${first} + n.i`;
  });
  database.exec(`insert or ignore into ${table} (id, ${columns.map(({ name }) => `"${name}"`).join(', ')})
    ${numbers}, t as (
      select row_number() over (order by id) - 1 as place, count(*) over () as total, *
      from (select * from ${table} order by id limit 8)
    ) select ${first} + n.i, ${values.join(', ')} from n join t on t.place = n.i % t.total`);
}

database.exec('pragma foreign_keys = off; pragma busy_timeout = 30000; begin immediate');
for (const table of tables) growRows(table);
for (const [table, keptColumn, grownColumn] of links)
  database.exec(`insert or ignore into ${table} (${keptColumn}, ${grownColumn}) ${numbers} select k, ${first} + i
    from n, (select distinct ${keptColumn} as k from ${table} where ${keptColumn} < ${first} order by 1 limit 3)`);
database.exec('commit; analyze');
database.close();
