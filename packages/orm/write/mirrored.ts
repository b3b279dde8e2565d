import { bindOther } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import type { WriteOperation } from './operation.ts';
import { throughField } from './problems.ts';
import { selectRows } from './sql.ts';

/** Values that belong to records which the record's many2one fields lead to (`writable` related fields), by that field. */
interface Split {
  readonly own: AnyValues;
  readonly mirrored: ReadonlyMap<CompiledField, AnyValues>;
}

/** Makes, or changes, what new records mirror, under the caller's rights for it; answers their own values, with who it is. */
export async function createMirrored(
  operation: WriteOperation,
  bound: BoundModel,
  given: readonly AnyValues[],
): Promise<readonly AnyValues[]> {
  if (!mirrorsAny(bound)) return given;
  const own: AnyValues[] = [];
  for (const values of given) {
    const split = splitValues(bound, values);
    const targets: Record<string, Id> = {};
    for (const [by, theirs] of split.mirrored) {
      const there = split.own[by.name];
      const target = targetOf(bound, by);
      await throughField(bound, by, async () => {
        if (typeof there === 'number') return operation.write(target, [there], theirs);
        const [id] = await operation.create(target, [theirs]);
        if (id !== undefined) targets[by.name] = id;
      });
    }
    own.push({ ...split.own, ...targets });
  }
  return own;
}

/** Writes what existing records mirror where it is kept; answers their own values. */
export async function writeMirrored(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  given: AnyValues,
): Promise<AnyValues> {
  if (!mirrorsAny(bound)) return given;
  const { own, mirrored } = splitValues(bound, given);
  for (const [by, theirs] of mirrored) {
    const column = by.column ?? by.name;
    const rows = await selectRows(operation.transaction, bound.compiled.table, [column], { column: 'id', ids });
    const there = own[by.name] === undefined ? rows.map((row) => row[column]) : [own[by.name]];
    const targets = there.flatMap((id) => (id === null || id === undefined ? [] : [Number(id)]));
    await throughField(bound, by, () => operation.write(targetOf(bound, by), targets, theirs));
  }
  return own;
}

function mirrorsAny({ compiled }: BoundModel): boolean {
  return compiled.fields.values().some(({ related, options }) => related !== null && options.writable === true);
}

function splitValues({ compiled }: BoundModel, values: AnyValues): Split {
  const own: Record<string, unknown> = {};
  const mirrored = new Map<CompiledField, Record<string, unknown>>();
  for (const [name, value] of Object.entries(values)) {
    const field = compiled.fields.get(name);
    const [through = '', target = ''] = (field?.options.writable && field.related) || [];
    const by = compiled.fields.get(through);
    if (!by) own[name] = value;
    else if (value !== undefined) mirrored.set(by, { ...mirrored.get(by), [target]: value });
  }
  return { own, mirrored };
}

function targetOf(bound: BoundModel, by: CompiledField): BoundModel {
  if (by.relation?.kind !== 'many2one') throw new TypeError(`“${by.model}.${by.name}” leads to no single record.`);
  return bindOther(bound, by.relation.to);
}
