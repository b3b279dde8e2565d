import { Group } from '#addons/base';
import type { Ctx, Id, Identity } from '#core';
import type { Operation } from '#core/orm';
import { type AccessExplanation, explainAccess } from '../admin/access.ts';

/** Groups by their external id, with what people call them and which others their members are in too. */
export async function groupTitles(
  ctx: Ctx,
): Promise<readonly { readonly code: string; readonly title: string; readonly implied: readonly string[] }[]> {
  const rows = await ctx
    .model(Group)
    .find([], { select: { code: true, name: true, category: true, implied_ids: { code: true } } });
  return rows.map(({ code, name, category, implied_ids }) => ({
    code,
    title: category ? `${category} / ${name}` : name,
    implied: implied_ids.map((one) => one.code),
  }));
}

/** Why a user may, or may not, do something, with names for the groups. */
export async function explainFor(
  ctx: Ctx,
  about: { readonly user: Identity; readonly model: string; readonly operation: Operation; readonly id?: Id },
): Promise<
  AccessExplanation & { readonly groups: Awaited<ReturnType<typeof groupTitles>>; readonly record: string | null }
> {
  const explanation = await explainAccess(ctx, about);
  const { model, id } = about;
  const mayName =
    id !== undefined &&
    (
      await ctx
        .modelNamed(model)
        .allowed([id], 'read')
        .catch(() => [])
    ).length > 0;
  const names = mayName ? await ctx.modelNamed(model).displayNames([id]) : new Map<Id, string>();
  return {
    ...explanation,
    hiddenFields: explanation.hiddenFields.map((field) => ({ ...field, label: ctx.t(field.label) })),
    groups: await groupTitles(ctx),
    record: (id !== undefined && names.get(id)) || null,
  };
}
