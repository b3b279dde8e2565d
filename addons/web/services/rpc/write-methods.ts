import type { Id } from 'pergola';
import type { AnyValues, BoundModel } from 'pergola/orm';
import type { Call } from './call-context.ts';
import { type UnitsOf, valuesFromWire } from './from-wire.ts';
import { unitsForRecord } from './units.ts';

/** `create`: returns the new record's id, or the ids for a list. */
export async function createFromWire(call: Call, input: AnyValues | readonly AnyValues[]): Promise<Id | Id[]> {
  const { self } = call.bound;
  if (!Array.isArray(input)) return self.create(await valuesFromWire(call, input, unitsForRecord(call, null, input)));
  const values: AnyValues[] = [];
  for (const item of input) values.push(await valuesFromWire(call, item, unitsForRecord(call, null, item)));
  return self.create(values);
}

/** `write`: amounts are in the currency of each record, so records with different units are written separately, all or nothing. */
export async function writeFromWire(call: Call, ids: readonly Id[], input: AnyValues): Promise<true> {
  const { self, ctx } = call.bound;
  const groups = new Map<string, { ids: Id[]; values: AnyValues }>();
  const parts = hasAmounts(call.bound, input) ? ids.map((id) => [id]) : [[...ids]];
  for (const part of parts) {
    const values = await valuesFromWire(call, input, unitsForRecord(call, part[0] ?? null, input));
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { ids: [], values };
    group.ids.push(...part);
    groups.set(key, group);
  }
  const writes = [...groups.values()];
  const [only] = writes;
  if (writes.length === 1 && only) await self.write(only.ids, only.values);
  else {
    await ctx.savepoint(async () => {
      for (const group of writes) await self.write(group.ids, group.values);
    });
  }
  return true;
}

function hasAmounts({ compiled }: BoundModel, input: AnyValues): boolean {
  return Object.keys(input).some((name) => {
    const type = compiled.fields.get(name)?.type;
    // Lines may contain amounts in the currency of their record.
    return type === 'money' || type === 'one2many';
  });
}

/** `copy`: returns the duplicate's id. */
export async function copyFromWire(call: Call, id: Id, input: AnyValues): Promise<Id> {
  const units: UnitsOf = unitsForRecord(call, id, input);
  return call.bound.self.copy(id, await valuesFromWire(call, input, units));
}

/** `unlink` */
export async function unlinkRecords({ bound }: Call, ids: readonly Id[]): Promise<true> {
  await bound.self.unlink(ids);
  return true;
}
