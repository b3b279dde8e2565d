import type { Ctx } from '@pergola/core';
import { PergolaError } from '@pergola/core';
import { databaseSession, type Transaction } from '@pergola/db';
import { errorFields, errorText } from '@pergola/texts';
import { forgetGuards } from '../access/guard.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';

/** A line created from a value for an x2many field. */
interface CreatedLine {
  /** Position of its command. */
  readonly place: number;
  readonly id: Id;
}

/** Findings about a previewed record. */
export class Trial {
  readonly #lines = new Map<string, readonly CreatedLine[]>();
  readonly #created = new Set<string>();
  readonly #problems = new Map<string, string>();

  /** Adds new lines of a field, in the order of their commands. */
  addLines(field: CompiledField, places: readonly number[], ids: readonly Id[]): void {
    const lines = ids.map((id, index) => ({ id, place: places[index] ?? index }));
    this.#lines.set(field.name, [...(this.#lines.get(field.name) ?? []), ...lines]);
  }

  /** Adds records that only exist during the preview. */
  created(model: string, ids: readonly Id[]): void {
    for (const id of ids) this.#created.add(`${model} ${id}`);
  }

  isNew(model: string, id: Id): boolean {
    return this.#created.has(`${model} ${id}`);
  }

  /** Returns the positions of a field's new lines, by id. */
  placesOf(field: string): ReadonlyMap<Id, number> {
    return new Map((this.#lines.get(field) ?? []).map(({ id, place }) => [id, place]));
  }

  /** Runs a check of the record: an error is collected, and the record can still be shown. */
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

  /** Objections to the record, by field; `''` for the record as a whole. */
  get problems(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#problems);
  }
}

/** Trials by transaction: all writes of a preview share one. */
const trials = new WeakMap<Transaction, Trial>();

/** Returns the preview running in the context, or null. */
export function trialIn(ctx: Ctx): Trial | null {
  const { transaction } = ctx.get(databaseSession);
  return (transaction && trials.get(transaction)) ?? null;
}

/**
 * Whether writes are only for a preview and will be rolled back ({@link RecordModel.preview}), so that numbers from sequences must not be
 * consumed.
 */
export function isPreview(ctx: Ctx): boolean {
  return trialIn(ctx) !== null;
}

/** Thrown to roll back the savepoint of a preview. */
const ROLLBACK = Symbol('undone');

/**
 * Creates or changes a record as saving does, calls `read`, and rolls everything back. The record may be incomplete: missing required texts
 * and numbers count as empty, and objections to the record as a whole are collected.
 */
export async function tryOut<T>(
  { ctx, self }: BoundModel,
  transaction: Transaction,
  { id, values }: { readonly id: Id | null; readonly values: AnyValues },
  read: (id: Id) => Promise<T>,
): Promise<T> {
  return rehearsed(ctx, transaction, async () => {
    const recordId = id ?? (await self.create(values));
    if (id !== null) await self.write(id, values);
    return read(recordId);
  });
}

/** Runs work as a preview and rolls back what it writes. Returns its result. */
export async function rehearsed<T>(ctx: Ctx, transaction: Transaction, work: () => Promise<T>): Promise<T> {
  const outer = trials.get(transaction);
  let answer: { readonly value: T } | null = null;
  trials.set(transaction, new Trial());
  try {
    await ctx.savepoint(async () => {
      answer = { value: await work() };
      throw ROLLBACK;
    });
  } catch (error) {
    if (error !== ROLLBACK) throw error;
  } finally {
    if (outer) trials.set(transaction, outer);
    else trials.delete(transaction);
    // Rules may have been evaluated with records that were rolled back.
    forgetGuards(ctx);
  }
  if (answer === null) throw new Error('A record was tried out, and nobody looked at it.');
  return (answer as { readonly value: T }).value;
}

/** Returns a substitute for a missing required value in a NOT NULL column, or undefined for types without one. */
export function standIn(field: CompiledField): unknown {
  if (field.declared.custom?.toColumn) return undefined;
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
