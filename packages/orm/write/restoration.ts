import { hasOwn } from '../bind.ts';
import type { CompiledField, CompiledModel } from '../compiled.ts';
import type { ExternalId } from '../data/external-ids.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import type { LinkedPair } from '../recording.ts';
import { textsOf } from './stored.ts';

/** Stored values of a record, as `decodeValue` returns them. */
export type StoredValues = ReadonlyMap<CompiledField, unknown>;

/** Earlier state of records, to be restored exactly. */
export interface Restoration {
  /** Deleted records, with all their values. */
  readonly inserted: ReadonlyMap<CompiledModel, ReadonlyMap<Id, StoredValues>>;
  /** Deleted records that belong to other restored ones: restored whatever the caller's rights on them. */
  readonly dependents: ReadonlyMap<CompiledModel, ReadonlySet<Id>>;
  /** Values of existing records. */
  readonly updated: ReadonlyMap<CompiledModel, ReadonlyMap<Id, StoredValues>>;
  /** Records to delete. */
  readonly deleted: ReadonlyMap<CompiledModel, readonly Id[]>;
  /** Links of many2many fields to add and to remove. */
  readonly linked: ReadonlyMap<
    CompiledField,
    { readonly added: readonly LinkedPair[]; readonly removed: readonly LinkedPair[] }
  >;
  readonly externalIds: readonly ExternalId[];
}

/** Returns the model's own method that may refuse changes, or null. */
export function refusingMethod(model: CompiledModel): 'write' | 'beforeWrite' | null {
  if (hasOwn(model, 'write')) return 'write';
  return hasOwn(model, 'beforeWrite') ? 'beforeWrite' : null;
}

/** Groups records by their values, as `write` takes them. */
export function sameValues(records: ReadonlyMap<Id, StoredValues>): [Id[], AnyValues][] {
  const groups = new Map<string, [Id[], AnyValues]>();
  for (const [id, stored] of records) {
    const values = asWritten(stored);
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? [[], values];
    group[0].push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Returns entered values in the form that hooks and conditions expect. */
export function asWritten(stored: StoredValues): AnyValues {
  return Object.fromEntries(
    [...stored].flatMap(([field, value]) =>
      field.base || field.compute ? [] : [[field.name, field.translated && value !== null ? textsOf(value) : value]],
    ),
  );
}

/** Sorts models so that those which others refer to come last. */
export function deletionOrder(all: readonly CompiledModel[]): ReadonlySet<CompiledModel> {
  const models = new Map(all.map((model) => [model.name, model]));
  const ordered = new Set<CompiledModel>();
  const visiting = new Set<CompiledModel>();
  const visit = (model: CompiledModel): void => {
    if (visiting.has(model)) return;
    visiting.add(model);
    for (const user of models.values()) {
      const refers = [...user.fields.values()].some(
        ({ relation, stored }) => stored && relation?.kind === 'many2one' && relation.to === model.name,
      );
      if (refers && user !== model) visit(user);
    }
    ordered.add(model);
  };
  for (const model of models.values()) visit(model);
  return ordered;
}
