import type { Ctx } from '@pergola/core';
import { InvalidInput } from '@pergola/core';
import { errorFields, errorText, ownText } from '@pergola/texts';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import { modelRegistry } from '../registry-key.ts';

type Params = Readonly<Record<string, string | number>>;

/** A value that does not fit its field; caught where the fields of a record are gone through. */
export class FieldProblem extends Error {
  readonly params: Params;

  /** The text in the source language with `{placeholders}`. */
  constructor(text: string, params: Params = {}) {
    super(text);
    this.params = params;
  }
}

/** Gathers what is wrong with the values of one call, so that all of it is said at once. */
export class Problems {
  readonly #ctx: Ctx;
  readonly #model: CompiledModel;
  readonly #texts = new Map<string, string>();

  constructor(ctx: Ctx, model: CompiledModel) {
    this.#ctx = ctx;
    this.#model = model;
  }

  get any(): boolean {
    return this.#texts.size > 0;
  }

  /** Keeps the first problem of each field. */
  add(field: string, error: FieldProblem | InvalidInput): void {
    if (!this.#texts.has(field)) this.#texts.set(field, errorText(this.#ctx, error));
  }

  /** Runs something about a field and keeps the problem it throws: of its value, or of lines written through it. Any other error goes on. */
  during<T>(field: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.takeOver(field, error);
      return undefined;
    }
  }

  /** Keeps an error as the problem of a field: what is wrong with its value, or with lines written through it. Any other error goes on. */
  takeOver(field: string, error: unknown): void {
    if (!(error instanceof FieldProblem || error instanceof InvalidInput)) throw error;
    const entries = 'fields' in error ? Object.entries(errorFields(this.#ctx, error)) : [];
    if (entries.length === 0) this.add(field, error);
    for (const [name, text] of entries) {
      if (!this.#texts.has(`${field}.${name}`)) this.#texts.set(`${field}.${name}`, text);
    }
  }

  /** @throws InvalidInput when there are any. */
  throwIfAny(): void {
    if (this.any) throw this.error();
  }

  /** All of them as one error, a text per field. */
  error(): InvalidInput {
    return new InvalidInput('Invalid values for “{model}”: {problems}', {
      code: 'core.invalid_values',
      params: {
        model: ownText(this.#ctx, this.#model.addon, this.#model.label),
        problems: [...this.#texts].map(([name, text]) => `${this.#labelOf(name)}: ${text}`).join(' '),
      },
      fields: Object.fromEntries(this.#texts),
      labels: Object.fromEntries([...this.#texts.keys()].map((name) => [name, this.#labelOf(name)])),
    });
  }

  /** What people call a field; one of lines (`line_ids.2.qty`) by both names, “Lines 3 / Quantity”. */
  #labelOf(path: string): string {
    const labels: string[] = [];
    let model: CompiledModel | undefined = this.#model;
    for (const name of path.split('.')) {
      // A line by where it stands, as people count.
      if (/^\d+$/.test(name)) {
        labels.push(`${labels.pop() ?? ''} ${Number(name) + 1}`.trim());
        continue;
      }
      const field: CompiledField | undefined = model?.fields.get(name);
      labels.push(field ? ownText(this.#ctx, field.addon, field.label) : name);
      model = field?.relation ? this.#ctx.get(modelRegistry).get(field.relation.to) : undefined;
    }
    return labels.join(' / ');
  }
}

/** Writes lines through a field of a record; what is wrong with them is said of that field (`line_ids.2.qty`). */
export async function throughField<T>(
  { ctx, compiled }: { readonly ctx: Ctx; readonly compiled: CompiledModel },
  field: CompiledField,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const problems = new Problems(ctx, compiled);
    problems.takeOver(field.name, error);
    throw problems.error();
  }
}

/**
 * Runs what is about lines that stand in these places. What is wrong is said of the line that it is about; whoever asks about several at once does not say
 * which one, so each is asked about alone then.
 */
export async function ofLines<L, T>(
  { ctx, compiled }: { readonly ctx: Ctx; readonly compiled: CompiledModel },
  lines: readonly L[],
  places: readonly number[],
  work: (lines: readonly L[]) => Promise<T>,
): Promise<T> {
  try {
    return await work(lines);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const problems = new Problems(ctx, compiled);
    for (const [index, line] of lines.entries()) {
      const one = lines.length === 1 ? Promise.reject(error) : work([line]);
      await one.catch((fault: unknown) => problems.takeOver(String(places[index] ?? index), fault));
    }
    problems.throwIfAny();
    throw error;
  }
}

/** Who did what, for errors about records: `“Sales order” 3, 5`. */
export function nameRecords(ids: readonly number[], most = 5): string {
  const shown = ids.slice(0, most).join(', ');
  return ids.length > most ? `${shown}, …` : shown;
}
