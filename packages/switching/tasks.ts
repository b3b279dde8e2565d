import { type Connection, type Database, rowsOf, type SchemaStep, type Transaction } from '@pergola/db';

/** Follow-up work of a switch that would otherwise block it. Each task can be interrupted at any point and resumes there. */
export type TaskInput =
  /** Indexes on tables in use. */
  | { readonly kind: 'index'; readonly steps: readonly SchemaStep[] }
  /** Demo records. */
  | { readonly kind: 'demo' }
  /** Defaults calculated by code, for rows with an id above `above`. */
  | { readonly kind: 'defaults'; readonly model: string; readonly fields: readonly string[]; readonly above: number }
  /** Folded texts of all rows, for fields now used for sorting or filtering. */
  | { readonly kind: 'fold'; readonly model: string; readonly fields: readonly string[] }
  /** Encryption of secret texts in rows stored before their fields were encrypted. */
  | { readonly kind: 'seal'; readonly model: string; readonly fields: readonly string[] }
  /** Encryption of secret settings stored before settings were encrypted. */
  | { readonly kind: 'seal-settings' }
  /** Stored computed values of all rows. */
  | { readonly kind: 'recompute'; readonly model: string; readonly fields: readonly string[] }
  /** The full-text columns of all rows. */
  | { readonly kind: 'search'; readonly model: string };

/** A pending task. */
export interface Task {
  readonly id: number;
  readonly addon: string;
  /** Generation that created it: the task starts once no node is on an older one. */
  readonly generation: number;
  readonly input: TaskInput;
  /** Progress of the task; null before the first step. */
  readonly position: unknown;
}

const TABLE = 'core_addon_task';

/** Stores tasks for later. */
export async function addTasks(
  database: Database,
  transaction: Transaction,
  generation: number,
  tasks: readonly { readonly addon: string; readonly input: TaskInput }[],
): Promise<void> {
  if (tasks.length === 0) return;
  const { knex, codec } = database;
  const created = codec.encode('datetime', new Date());
  const rows = tasks.map(({ addon, input }) => {
    const { kind, ...rest } = input;
    return { addon, generation, kind, input: codec.encode('json', rest), created };
  });
  await rowsOf(transaction, knex(TABLE).insert(rows));
}

/** Pending tasks in order of creation, or a single one by id. */
export async function readTasks(
  database: Database,
  connection: Connection = database.reader,
  id?: number,
): Promise<Task[]> {
  const { knex, codec } = database;
  const query = knex(TABLE).select().orderBy('id');
  const rows = await rowsOf(connection, id === undefined ? query : query.where({ id }));
  return rows.map((row) => ({
    id: Number(row.id),
    addon: String(row.addon),
    generation: Number(row.generation),
    input: { kind: row.kind, ...(codec.decode('json', row.input) as object) } as TaskInput,
    position: codec.decode('json', row.position),
  }));
}

/** Stores the progress of a task. */
export async function moveTask(
  database: Database,
  transaction: Transaction,
  id: number,
  position: unknown,
): Promise<void> {
  await rowsOf(
    transaction,
    database
      .knex(TABLE)
      .where({ id })
      .update({ position: database.codec.encode('json', position) }),
  );
}

/** Deletes tasks: a completed one, or all of removed addons. */
export async function removeTasks(
  database: Database,
  transaction: Transaction,
  selection: { id: number } | { addons: readonly string[] },
): Promise<void> {
  const query = database.knex(TABLE).delete();
  await rowsOf(
    transaction,
    'id' in selection ? query.where({ id: selection.id }) : query.whereIn('addon', [...selection.addons]),
  );
}
