import { ExternalIdentifier } from '@pergola/base';
import type { Ctx, Id } from 'pergola';

export interface ExternalName {
  /** `base.main_company` */
  readonly name: string;
  readonly noupdate: boolean;
}

/** Returns the external ids of records. The caller must have checked read access. */
export async function externalIds(
  ctx: Ctx,
  model: string,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, readonly ExternalName[]>> {
  const rows = await ctx
    .sudo()
    .model(ExternalIdentifier)
    .find(
      [
        ['model', '=', model],
        ['res_id', 'in', ids],
      ],
      { select: { addon: true, name: true, res_id: true, noupdate: true }, order: 'id' },
    );
  const namesById = new Map<Id, ExternalName[]>();
  for (const { addon, name, res_id: id, noupdate } of rows)
    if (id)
      namesById.set(id, [...(namesById.get(id) ?? []), { name: `${addon}.${name}`, noupdate: noupdate === true }]);
  return namesById;
}
