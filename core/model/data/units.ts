import type { CompiledField, CompiledModel } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { Entry } from './entries.ts';
import type { Checksums } from './external-ids.ts';
import { checksum, keptUnits, unitsOf } from './kept.ts';
import type { Load } from './load.ts';
import { replaceRefs } from './refs.ts';

/** Plain texts in shipped data are in this language, like the texts of templates and code. */
export const sourceLanguage = 'en_US';

/** What an entry ships in one part that is compared on its own: a value, or a text in one language. */
export interface ShippedUnit {
  readonly field: CompiledField;
  /** `name`, `name:fr_FR` */
  readonly unit: string;
  readonly lang: string | null;
  readonly value: unknown;
  readonly hash: string;
}

/** The parts of a shipped record that upgrades may change. Lines made along with a record are its owner's from then on. */
export function shippedUnits(load: Load, { model, values }: Entry): ShippedUnit[] {
  return Object.entries(values).flatMap(([name, given]) => {
    const field = model.fields.get(name);
    if (!field || given === undefined || !isComparable(field, given)) return [];
    const value = replaceRefs(given, (named) => load.ids.get(named) ?? 0);
    const texts = field.translated && typeof value === 'string' ? { [sourceLanguage]: value } : value;
    return unitsOf(field, texts).map(([unit, part]) => ({
      field,
      unit,
      lang: unit.includes(':') ? unit.slice(unit.indexOf(':') + 1) : null,
      value: part,
      hash: checksum(part),
    }));
  });
}

function isComparable(field: CompiledField, value: unknown): boolean {
  if (field.relation?.kind === 'one2many') return false;
  if (field.relation?.kind !== 'many2many' || !Array.isArray(value)) return true;
  return !value.some(
    (item) => typeof item === 'object' && item !== null && ('create' in item || 'update' in item || 'delete' in item),
  );
}

/** The hashes to keep for records as they are now. */
export async function unitChecksums(
  load: Load,
  model: CompiledModel,
  records: readonly { readonly entry: Entry; readonly recordId: Id }[],
): Promise<Map<Id, Checksums>> {
  const names = new Set(records.flatMap(({ entry }) => Object.keys(entry.values)));
  const ids = records.map(({ recordId }) => recordId);
  const kept = await keptUnits(load.bound(model.name), ids, names);
  return new Map(
    records.map(({ entry, recordId }) => {
      const ofRecord = kept.get(recordId) ?? new Map();
      const hashes = shippedUnits(load, entry).map(
        ({ unit, hash }) => [unit, [checksum(ofRecord.get(unit)), hash]] as const,
      );
      return [recordId, Object.fromEntries(hashes)];
    }),
  );
}
