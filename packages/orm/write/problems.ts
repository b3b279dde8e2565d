import type { Ctx } from '@pergola/core';
import { InvalidInput } from '@pergola/core';
import { errorFields, errorText, ownText } from '@pergola/texts';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import { modelRegistry } from '../registry-key.ts';

type Params = Readonly<Record<string, string | number>>;

/** An invalid value of a field; collected while the fields of a record are checked. */
export class FieldProblem extends Error {
  readonly params: Params;

  /** The text in the source language with `{placeholders}`. */
  constructor(text: string, params: Params = {}) {
    super(text);
    this.params = params;
  }
}

/** Collects the problems with the values of one call, so that they are reported together. */
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

  /** Adds a problem; only the first one of each field is kept. */
  add(field: string, error: FieldProblem | InvalidInput): void {
    if (!this.#texts.has(field)) this.#texts.set(field, errorText(this.#ctx, error));
  }

  /** Runs work for a field and adds the problem it throws: with its value, or with lines written through it. Rethrows other errors. */
  during<T>(field: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.takeOver(field, error);
      return undefined;
    }
  }

  /** Adds an error as the problem of a field: with its value, or with lines written through it. Rethrows other errors. */
  takeOver(field: string, error: unknown): void {
    if (!(error instanceof FieldProblem || error instanceof InvalidInput)) throw error;
    const entries = 'fields' in error ? Object.entries(errorFields(this.#ctx, error)) : [];
    if (entries.length === 0) this.add(field, error);
    for (const [name, text] of entries) {
      if (!this.#texts.has(`${field}.${name}`)) this.#texts.set(`${field}.${name}`, text);
    }
  }

  /** @throws InvalidInput if there are any problems. */
  throwIfAny(): void {
    if (this.any) throw this.error();
  }

  /** Returns all problems as one error, with a text per field. */
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

  /** Label of a field; for fields of lines (`line_ids.2.qty`) both labels, “Lines 3 / Quantity”. */
  #labelOf(path: string): string {
    const labels: string[] = [];
    let model: CompiledModel | undefined = this.#model;
    for (const name of path.split('.')) {
      // Line numbers start at 1 for users.
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

/** Writes lines through a field of a record; reports their problems under that field (`line_ids.2.qty`). */
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
 * Runs work on lines at these positions and reports each problem under its line. A problem of several lines doesn't tell which one is at
 * fault, so the work is then repeated line by line.
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
      const check = lines.length === 1 ? Promise.reject(error) : work([line]);
      await check.catch((fault: unknown) => problems.takeOver(String(places[index] ?? index), fault));
    }
    problems.throwIfAny();
    throw error;
  }
}

/** Lists record ids for errors: `3, 5`. */
export function nameRecords(ids: readonly number[], max = 5): string {
  const listed = ids.slice(0, max).join(', ');
  return ids.length > max ? `${listed}, …` : listed;
}
