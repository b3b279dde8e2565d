import type { Id, Ids } from 'pergola';
import type { AnyModel } from 'pergola/orm';

/** Returns the names of records that are named after another record, by their many2one `field`. */
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

/** Fields of a variant's values that are needed for its name. */
export const valueNames = { name: true, attribute_id: { sequence: true } } as const;

/** Returns the names of a variant's values in the order of their attributes. */
export function namesInOrder(
  values: readonly {
    readonly name: string;
    readonly attribute_id: { readonly id: Id; readonly sequence: number | null } | null;
  }[],
): string[] {
  return values
    .toSorted(
      (a, b) =>
        (a.attribute_id?.sequence ?? 0) - (b.attribute_id?.sequence ?? 0) ||
        (a.attribute_id?.id ?? 0) - (b.attribute_id?.id ?? 0),
    )
    .map(({ name }) => name);
}
