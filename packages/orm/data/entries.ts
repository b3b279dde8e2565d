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

/** A set with its file, relative to the addon's folder, for problems. */
export type ShippedSet = DataSet & { readonly file?: string };

/** One shipped record. */
export interface Entry {
  /** With the addon's name: `forum.forum_help`. */
  readonly externalId: string;
  readonly model: CompiledModel;
  readonly values: Readonly<Record<string, unknown>>;
  readonly noupdate: boolean;
  readonly file: string | undefined;
}

/** Collects problems of shipped data. */
export class DataProblems {
  readonly list: Problem[] = [];
  /** Folder of the addon. */
  readonly folder: string | undefined;
  readonly #addon: string;

  /** If the folder is given, problems include line numbers. */
  constructor(addon: string, folder?: string) {
    this.#addon = addon;
    this.folder = folder;
  }

  add(
    subject: { readonly file?: string | undefined; readonly externalId?: string },
    message: string,
    remedy?: string,
  ): void {
    const text = subject.externalId ? `“${subject.externalId}”: ${message}` : message;
    const words = namesIn(text).flatMap((name) => [name, name.slice(name.lastIndexOf('.') + 1)]);
    const line = this.folder && subject.file ? lineNaming(join(this.folder, subject.file), words) : undefined;
    this.list.push({
      addon: this.#addon,
      ...(subject.file ? { file: subject.file } : {}),
      ...(line === undefined ? {} : { line }),
      message: text,
      ...(remedy ? { remedy } : {}),
    });
  }

  /** Adds the reasons why a record couldn't be written, by field. Rethrows errors that aren't the data's fault. */
  addError(subject: Partial<Pick<Entry, 'file' | 'externalId'>>, error: unknown): void {
    if (!isDescribed(error)) throw error;
    const fields = Object.entries(error.fields);
    if (fields.length === 0) this.add(subject, fill(error.message, error.params));
    for (const [name, text] of fields) this.add(subject, `${name}: ${fill(text, error.params)}`);
  }
}

/** Whether an error describes a fault of a record; other errors (an unreachable database) aren't the data's fault. */
export function isDescribed(error: unknown): error is PergolaError {
  return error instanceof PergolaError && (error.status < 500 || error instanceof WrongCode);
}

/** Returns the records of all sets by external id, in order. Calls the sets' functions. */
export async function readEntries(
  ctx: Ctx,
  registry: ModelRegistry,
  addon: string,
  sets: readonly ShippedSet[],
  problems: DataProblems,
): Promise<Map<string, Entry>> {
  const literalSets: WrittenSet[] = [];
  for (const set of sets) literalSets.push(await writtenSet(ctx, addon, set, problems.folder));
  return entriesOf(registry, addon, literalSets, problems);
}

/**
 * Returns a set with its records, calling the addon's function if there is one.
 *
 * @param folder the addon's folder, for the line number of a fault
 * @throws BrokenAddons naming addon and file if the function fails
 */
export async function writtenSet(ctx: Ctx, addon: string, set: ShippedSet, folder?: string): Promise<WrittenSet> {
  const { records } = set;
  if (typeof records !== 'function') return { ...set, records };
  try {
    return { ...set, records: await records(ctx) };
  } catch (error) {
    // An unreachable database isn't the addon's fault.
    if (error instanceof PergolaError && !isDescribed(error)) throw error;
    const { file = set.file, line, message } = problemIn(error, folder ? [{ name: addon, folder }] : []);
    const place = { ...(file ? { file } : {}), ...(line ? { line } : {}) };
    throw new BrokenAddons([{ addon, ...place, message: `The records can’t be made: ${message}` }]);
  }
}

/** A set with literal records. */
export type WrittenSet = ShippedSet & { readonly records: Readonly<Record<string, object>> };

/** Returns the records of sets by external id, in order. */
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

/** Expands `ref('eur')` in addon base to `base.eur`. */
function withWholeRefs(values: object, addon: string): Readonly<Record<string, unknown>> {
  const qualify = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (Array.isArray(value)) return value.map(qualify);
    if ('$ref' in value && typeof value.$ref === 'string') {
      return { $ref: value.$ref.includes('.') ? value.$ref : `${addon}.${value.$ref}` };
    }
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, qualify(item)]));
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, qualify(value)]));
}

/** Returns the external ids that a record refers to, by field. */
export function refsByField(entry: Entry): Map<string, string[]> {
  const refs = new Map<string, string[]>();
  for (const [name, value] of Object.entries(entry.values)) {
    const externalIds = refsIn(value);
    if (externalIds.length > 0) refs.set(name, externalIds);
  }
  return refs;
}

/** Whether a value is a reference to an external id. */
function isRef(value: unknown): value is Ref {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string';
}

/** Returns all external ids in a value, at any depth. */
export function refsIn(value: unknown): string[] {
  if (isRef(value)) return [value.$ref];
  if (Array.isArray(value)) return value.flatMap(refsIn);
  return isPlain(value) ? Object.values(value).flatMap(refsIn) : [];
}

/** Replaces references by ids. */
export function replaceRefs(value: unknown, idOf: (externalId: string) => number): unknown {
  if (isRef(value)) return idOf(value.$ref);
  if (Array.isArray(value)) return value.map((item) => replaceRefs(item, idOf));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceRefs(item, idOf)]));
}

/** Dates are values, not structure. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}
