import type { Id, Ids } from '#core';
import type { AnyModel } from '#core/orm';

/** Names for records that are called what another record is called: by their many2one `field`. */
export async function namedAfter(model: AnyModel, ids: Ids, field: string): Promise<Map<Id, string>> {
  const rows = await model.read(ids, { select: { [field]: { display_name: true } } });
  return new Map(
    rows.map((row) => {
      const target: unknown = Reflect.get(row, field);
      const name: unknown = target instanceof Object ? Reflect.get(target, 'display_name') : null;
      return [row.id, typeof name === 'string' ? name : String(row.id)];
    }),
  );
}
