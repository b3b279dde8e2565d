import type { Id } from '#core';

/** What is read of a variant's values to name them. */
export const valueNames = { name: true, attribute_id: { sequence: true } } as const;

/** The names of a variant's values in the order of their attributes. */
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
