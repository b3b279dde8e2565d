import type { Ctx } from '@pergola/core';
import { PergolaError } from '@pergola/core';
import { databaseSession, type Transaction } from '@pergola/db';
import { errorFields, errorText } from '@pergola/texts';
import { forgetGuards } from '../access/guard.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';

/** A line that was made of a value for an x2many field. */
interface MadeLine {
  /** Where its command stood. */
  readonly place: number;
  readonly id: Id;
}

/** What is learnt of a record while it is only tried out. */
export class Trial {
  readonly #lines = new Map<string, readonly MadeLine[]>();
  readonly #created = new Set<string>();
  readonly #problems = new Map<string, string>();

  /** New lines of a field, in the order of their commands. */
  made(field: CompiledField, places: readonly number[], ids: readonly Id[]): void {
    const lines = ids.map((id, index) => ({ id, place: places[index] ?? index }));
    this.#lines.set(field.name, [...(this.#lines.get(field.name) ?? []), ...lines]);
  }

  /** Records that are there only as long as something is tried out. */
  created(model: string, ids: readonly Id[]): void {
    for (const id of ids) this.#created.add(`${model} ${id}`);
  }

  isNew(model: string, id: Id): boolean {
    return this.#created.has(`${model} ${id}`);
  }

  /** Where the new lines of a field stood, by their ids. */
  placesOf(field: string): ReadonlyMap<Id, number> {
    return new Map((this.#lines.get(field) ?? []).map(({ id, place }) => [id, place]));
  }

  /** Runs what refuses a record: the refusal is kept, and the record stays to be shown. */
  async noting(ctx: Ctx, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof PergolaError) || error.status >= 500) throw error;
      const entries = Object.entries(errorFields(ctx, error));
      if (entries.length === 0) this.#problems.set('', errorText(ctx, error));
      for (const [field, text] of entries) this.#problems.set(field, text);
    }
  }

  /** What the model says against the record, by field; `''` for the record as a whole. */
  get problems(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#problems);
  }
}

/** A transaction of which something is tried out knows it, and with it all that is written for it. */
const trials = new WeakMap<Transaction, Trial>();

/** What is tried out in a context just now; null where what is written is meant to stay. */
export function trialIn(ctx: Ctx): Trial | null {
  const { transaction } = ctx.get(databaseSession);
  return (transaction && trials.get(transaction)) ?? null;
}

/**
 * Whether what is written just now is only looked at and then undone ({@link RecordModel.preview}): whoever gives out what there is once, as numbers are,
 * gives nothing out for it.
 */
export function isPreview(ctx: Ctx): boolean {
  return trialIn(ctx) !== null;
}

/** Ends a savepoint with nothing kept. */
const undone = Symbol('undone');

/**
 * Makes or changes a record as saving does, lets `read` look at it, and undoes all of it. It needs not be complete: required texts and numbers that are missing
 * count as empty, and what the model says against it as a whole is told with the answer.
 */
export async function tryOut<T>(
  { ctx, self }: BoundModel,
  transaction: Transaction,
  { id, values }: { readonly id: Id | null; readonly values: AnyValues },
  read: (id: Id) => Promise<T>,
): Promise<T> {
  const outer = trials.get(transaction);
  let answer: { readonly value: T } | null = null;
  trials.set(transaction, new Trial());
  try {
    await ctx.savepoint(async () => {
      const made = id ?? (await self.create(values));
      if (id !== null) await self.write(id, values);
      answer = { value: await read(made) };
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  } finally {
    if (outer) trials.set(transaction, outer);
    else trials.delete(transaction);
    // Rules may have been worked out with what is gone again.
    forgetGuards(ctx);
  }
  if (answer === null) throw new Error('A record was tried out, and nobody looked at it.');
  return (answer as { readonly value: T }).value;
}

/** What stands for a missing required value in a column that takes no null; undefined where nothing can. */
export function standIn(field: CompiledField): unknown {
  switch (field.type) {
    case 'char':
    case 'text':
    case 'html':
    case 'selection':
      return '';
    case 'integer':
    case 'float':
    case 'money':
      return 0;
    case 'decimal':
      return '0';
    default:
      return undefined;
  }
}
