import { type Connection, type Database, rowsOf, type SchemaStep, type Transaction } from '@pergola/db';

/** Work that a switch leaves for afterwards, so that nobody waits for it. Each can be stopped anywhere and goes on where it was. */
export type TaskInput =
  /** Indexes on tables that others use meanwhile. */
  | { readonly kind: 'index'; readonly steps: readonly SchemaStep[] }
  /** Demo records. */
  | { readonly kind: 'demo' }
  /** Defaults that only code knows, for rows with an id above `above`. */
  | { readonly kind: 'defaults'; readonly model: string; readonly fields: readonly string[]; readonly above: number }
  /** Folded texts of all rows, for fields that only now sort or filter. */
  | { readonly kind: 'fold'; readonly model: string; readonly fields: readonly string[] }
  /** Encryption of secret texts in rows from before their fields were encrypted. */
  | { readonly kind: 'seal'; readonly model: string; readonly fields: readonly string[] }
  /** Encryption of secret settings from before settings were encrypted. */
  | { readonly kind: 'seal-settings' }
  /** Kept computed values of all rows. */
  | { readonly kind: 'recompute'; readonly model: string; readonly fields: readonly string[] }
  /** The full-text columns of all rows. */
  | { readonly kind: 'search'; readonly model: string };

/** A piece of such work as it is kept. */
export interface Task {
  readonly id: number;
  readonly addon: string;
  /** The generation that brought it: it begins when no node is on an older one. */
  readonly generation: number;
  readonly input: TaskInput;
  /** How far it got; null before the first step. */
  readonly position: unknown;
}

const TABLE = 'core_addon_task';

/** Keeps work for afterwards. */
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

/** The work that is left, in the order in which it came; one piece when an id is given. */
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

/** Keeps how far a task got. */
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

/** Takes tasks off the list: one that is done, or all of addons that leave. */
export async function removeTasks(
  database: Database,
  transaction: Transaction,
  which: { id: number } | { addons: readonly string[] },
): Promise<void> {
  const query = database.knex(TABLE).delete();
  await rowsOf(transaction, 'id' in which ? query.where({ id: which.id }) : query.whereIn('addon', [...which.addons]));
}
