import { bindOther } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import type { WriteOperation } from './operation.ts';
import { throughField } from './problems.ts';
import { selectRows } from './sql.ts';

/** Values split by owner: the record's own, and values of the records behind its many2one fields (`writable` related fields). */
interface Split {
  readonly ownValues: AnyValues;
  readonly mirrored: ReadonlyMap<CompiledField, AnyValues>;
}

/** Creates or writes the mirrored records with the caller's rights on them; returns the new records' own values, including the links. */
export async function createMirrored(
  operation: WriteOperation,
  bound: BoundModel,
  records: readonly AnyValues[],
): Promise<readonly AnyValues[]> {
  if (!mirrorsAny(bound)) return records;
  const ownValues: AnyValues[] = [];
  for (const values of records) {
    const split = splitValues(bound, values);
    const targets: Record<string, Id> = {};
    for (const [link, targetValues] of split.mirrored) {
      const linkedId = split.ownValues[link.name];
      const target = targetOf(bound, link);
      await throughField(bound, link, async () => {
        if (typeof linkedId === 'number') return operation.write(target, [linkedId], targetValues);
        const [id] = await operation.create(target, [targetValues]);
        if (id !== undefined) targets[link.name] = id;
      });
    }
    ownValues.push({ ...split.ownValues, ...targets });
  }
  return ownValues;
}

/** Writes the values that existing records mirror to the records that store them; returns their own values. */
export async function writeMirrored(
  operation: WriteOperation,
  bound: BoundModel,
  ids: readonly Id[],
  values: AnyValues,
): Promise<AnyValues> {
  if (!mirrorsAny(bound)) return values;
  const { ownValues, mirrored } = splitValues(bound, values);
  for (const [link, targetValues] of mirrored) {
    const column = link.column ?? link.name;
    const rows = await selectRows(operation.transaction, bound.compiled.table, [column], { column: 'id', ids });
    const linkedIds = ownValues[link.name] === undefined ? rows.map((row) => row[column]) : [ownValues[link.name]];
    const targets = linkedIds.flatMap((id) => (id === null || id === undefined ? [] : [Number(id)]));
    await throughField(bound, link, () => operation.write(targetOf(bound, link), targets, targetValues));
  }
  return ownValues;
}

function mirrorsAny({ compiled }: BoundModel): boolean {
  return compiled.fields.values().some(({ related, options }) => related !== null && options.writable === true);
}

function splitValues({ compiled }: BoundModel, values: AnyValues): Split {
  const ownValues: Record<string, unknown> = {};
  const mirrored = new Map<CompiledField, Record<string, unknown>>();
  for (const [name, value] of Object.entries(values)) {
    const field = compiled.fields.get(name);
    const [linkName = '', target = ''] = (field?.options.writable && field.related) || [];
    const link = compiled.fields.get(linkName);
    if (!link) ownValues[name] = value;
    else if (value !== undefined) mirrored.set(link, { ...mirrored.get(link), [target]: value });
  }
  return { ownValues, mirrored };
}

function targetOf(bound: BoundModel, link: CompiledField): BoundModel {
  if (link.relation?.kind !== 'many2one')
    throw new TypeError(`“${link.model}.${link.name}” leads to no single record.`);
  return bindOther(bound, link.relation.to);
}
