import { join } from 'node:path';
import type { Ctx } from '@pergola/core';
import {
  BrokenAddons,
  didYouMean,
  lineNaming,
  namesIn,
  PergolaError,
  type Problem,
  problemIn,
  WrongCode,
} from '@pergola/core';
import { fill } from '@pergola/texts';
import { takesValues } from '../access/rights.ts';
import type { CompiledModel } from '../compiled.ts';
import type { ModelRegistry } from '../registry.ts';
import type { DataSet, Ref } from './define.ts';
import { parseExternalId } from './external-ids.ts';

/** A set with the file it was read from, relative to the addon's folder, for what there is to complain about. */
export type ShippedSet = DataSet & { readonly file?: string };

/** One shipped record. */
export interface Entry {
  /** Whole: `forum.forum_help`. */
  readonly externalId: string;
  readonly model: CompiledModel;
  readonly values: Readonly<Record<string, unknown>>;
  readonly noupdate: boolean;
  readonly file: string | undefined;
}

/** Gathers what is wrong with shipped data. */
export class DataProblems {
  readonly list: Problem[] = [];
  /** The addon's. */
  readonly folder: string | undefined;
  readonly #addon: string;

  /** With the addon's folder, problems name the lines too. */
  constructor(addon: string, folder?: string) {
    this.#addon = addon;
    this.folder = folder;
  }

  add(
    about: { readonly file?: string | undefined; readonly externalId?: string },
    message: string,
    remedy?: string,
  ): void {
    const what = about.externalId ? `“${about.externalId}”: ${message}` : message;
    const words = namesIn(what).flatMap((name) => [name, name.slice(name.lastIndexOf('.') + 1)]);
    const line = this.folder && about.file ? lineNaming(join(this.folder, about.file), words) : undefined;
    this.list.push({
      addon: this.#addon,
      ...(about.file ? { file: about.file } : {}),
      ...(line === undefined ? {} : { line }),
      message: what,
      ...(remedy ? { remedy } : {}),
    });
  }

  /** Says field by field why a record could not be written. What is no fault of the data goes on. */
  addError(about: Partial<Pick<Entry, 'file' | 'externalId'>>, error: unknown): void {
    if (!isDescribed(error)) throw error;
    const fields = Object.entries(error.fields);
    if (fields.length === 0) this.add(about, fill(error.message, error.params));
    for (const [name, text] of fields) this.add(about, `${name}: ${fill(text, error.params)}`);
  }
}

/** Whether an error says what is wrong with a record; anything else (the database is away) is no fault of the data. */
export function isDescribed(error: unknown): error is PergolaError {
  return error instanceof PergolaError && (error.status < 500 || error instanceof WrongCode);
}

/** The records of all sets by external id, in their order. Sets that are functions are asked. */
export async function readEntries(
  ctx: Ctx,
  registry: ModelRegistry,
  addon: string,
  sets: readonly ShippedSet[],
  problems: DataProblems,
): Promise<Map<string, Entry>> {
  const written: WrittenSet[] = [];
  for (const set of sets) written.push(await writtenSet(ctx, addon, set, problems.folder));
  return entriesOf(registry, addon, written, problems);
}

/**
 * A set with its records. If a function of the addon makes them, it is called.
 *
 * @param folder the addon's, to name the line of a fault
 * @throws BrokenAddons naming addon and file if the function fails
 */
export async function writtenSet(ctx: Ctx, addon: string, set: ShippedSet, folder?: string): Promise<WrittenSet> {
  const { records } = set;
  if (typeof records !== 'function') return { ...set, records };
  try {
    return { ...set, records: await records(ctx) };
  } catch (error) {
    // A database that is away is no fault of the addon.
    if (error instanceof PergolaError && !isDescribed(error)) throw error;
    const { file = set.file, line, message } = problemIn(error, folder ? [{ name: addon, folder }] : []);
    const place = { ...(file ? { file } : {}), ...(line ? { line } : {}) };
    throw new BrokenAddons([{ addon, ...place, message: `The records can’t be made: ${message}` }]);
  }
}

/** A set whose records are known. */
export type WrittenSet = ShippedSet & { readonly records: Readonly<Record<string, object>> };

/** The records of sets by external id, in their order. */
export function entriesOf(
  registry: ModelRegistry,
  addon: string,
  sets: readonly WrittenSet[],
  problems: DataProblems,
): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { model: name, records, noupdate, file } of sets) {
    const model = registry.get(name);
    if (!model) {
      problems.add(
        { file },
        `It ships records of “${name}”, which is not there.`,
        didYouMean(name, registry.models.keys()),
      );
      continue;
    }
    for (const [key, values] of Object.entries(records)) {
      const externalId = key.includes('.') ? key : `${addon}.${key}`;
      const entry: Entry = { externalId, model, values: withWholeRefs(values, addon), noupdate, file };
      if (!parseExternalId(externalId)) {
        problems.add(entry, 'This cannot be an external id.', 'Use letters, digits, _ and -, at most 120.');
      } else if (entries.has(externalId)) {
        problems.add(entry, 'It is shipped twice.', 'Keep one of them.');
      }
      checkFields(entry, problems);
      entries.set(externalId, entry);
    }
  }
  return entries;
}

function checkFields(entry: Entry, problems: DataProblems): void {
  const { model, values } = entry;
  for (const name of Object.keys(values)) {
    const field = model.fields.get(name);
    if (!field) {
      problems.add(entry, `“${model.name}” has no field “${name}”.`, didYouMean(name, model.fields.keys()));
    } else if (!takesValues(field) || name === 'id') {
      problems.add(entry, `The field “${name}” is calculated.`, 'Leave it out.');
    }
  }
}

/** `ref('eur')` in addon base is `base.eur`. */
function withWholeRefs(values: object, addon: string): Readonly<Record<string, unknown>> {
  const whole = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (Array.isArray(value)) return value.map(whole);
    if ('$ref' in value && typeof value.$ref === 'string') {
      return { $ref: value.$ref.includes('.') ? value.$ref : `${addon}.${value.$ref}` };
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, whole(item)]));
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, whole(value)]));
}

/** Which shipped records a record refers to, by field. */
export function refsByField(entry: Entry): Map<string, string[]> {
  const refs = new Map<string, string[]>();
  for (const [name, value] of Object.entries(entry.values)) {
    const named = refsIn(value);
    if (named.length > 0) refs.set(name, named);
  }
  return refs;
}

/** Whether a value stands for the record behind an external id. */
function isRef(value: unknown): value is Ref {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string';
}

/** The external ids that a value names, however deep in it. */
export function refsIn(value: unknown): string[] {
  if (isRef(value)) return [value.$ref];
  if (Array.isArray(value)) return value.flatMap(refsIn);
  return isPlain(value) ? Object.values(value).flatMap(refsIn) : [];
}

/** The value with ids in place of external ids. */
export function replaceRefs(value: unknown, idOf: (externalId: string) => number): unknown {
  if (isRef(value)) return idOf(value.$ref);
  if (Array.isArray(value)) return value.map((item) => replaceRefs(item, idOf));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceRefs(item, idOf)]));
}

/** Dates and the like are values, not structure. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}
