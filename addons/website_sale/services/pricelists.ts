import type { Ctx, Id } from '#core';

/** The prices a visitor may choose between, by name and currency; null where there is no choice. */
export function choicesOf(
  ctx: Ctx,
): readonly { readonly id: Id; readonly name: string; readonly chosen: boolean }[] | null {
  const { choices = [], pricelist } = ctx.facts.shop ?? {};
  if (choices.length === 0) return null;
  return choices.map(({ id, names }) => ({ id, name: names[ctx.lang] ?? '', chosen: id === pricelist }));
}
