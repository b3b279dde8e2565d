import { type Ctx, type DataSet, type Declared, data, ref } from '#core';
import { Group } from './models/group.ts';

/** Groups as records, so that users can be put into them; those of disabled addons stay, with their members. */
export async function reflectGroups(_ctx: Ctx, { groups }: Declared): Promise<readonly DataSet[]> {
  const records = groups.map(({ id, label, category, implies }) => [
    id,
    { code: id, name: label, category: category ?? null, implied_ids: implies.map((implied) => ref(implied)) },
  ]);
  return [data(Group, Object.fromEntries(records))];
}
