import { Group } from '@pergola/base';
import type { Ctx, Id, Identity } from 'pergola';
import { type KeptRights, models, type Operation } from 'pergola/orm';
import { ownText } from 'pergola/pages';
import { t } from '../../texts.ts';
import { type AccessExplanation, explainAccess, mayUseModel, operations } from '../admin/access.ts';

/** Returns groups by external id, with their titles and implied groups. */
export async function groupTitles(
  ctx: Ctx,
): Promise<readonly { readonly code: string; readonly title: string; readonly implied: readonly string[] }[]> {
  const rows = await ctx
    .model(Group)
    .find([], { select: { code: true, name: true, category: true, implied_ids: { code: true } } });
  return rows.map(({ code, name, category, implied_ids }) => ({
    code,
    title: category ? `${category} / ${name}` : name,
    implied: implied_ids.map((group) => group.code),
  }));
}

/** A role, ready to render. */
export interface ShownRole {
  readonly id: Id;
  readonly name: string;
  readonly rights: KeptRights;
  /** Addon groups implied by it. */
  readonly implied: readonly Id[];
  readonly users: number;
}

/** Returns the existing roles, and the models and groups that the caller may grant. */
export async function rolesOverview(ctx: Ctx) {
  const groups = ctx.model(Group);
  const roles = await groups.find([['is_role', '=', true]], {
    select: { name: true, rights: true, implied_ids: true, user_ids: true },
    order: 'name',
  });
  const addonGroups = await groups.find([['is_role', '=', false]], {
    select: { name: true, category: true, code: true },
  });
  return {
    roles: roles.map(({ id, name, rights, implied_ids, user_ids }): ShownRole => {
      return { id, name, rights: rights ?? {}, implied: implied_ids, users: user_ids.length };
    }),
    groups: addonGroups.map(({ id, name, category, code }) => ({
      id,
      title: category ? `${category} / ${name}` : name,
      own: ctx.has(code) || ctx.has('base.group_system'),
    })),
    models: [...ctx.get(models).models.values()].map(({ name, label, addon }) => ({
      model: name,
      label: ownText(ctx, addon, label),
      addon,
      /** Operations that the caller may perform and therefore grant. */
      own: operations.filter((operation) => mayUseModel(ctx, name, operation)),
    })),
  };
}

/** Explains a user's access, with titles of groups. */
export async function explainFor(
  ctx: Ctx,
  request: { readonly user: Identity; readonly model: string; readonly operation: Operation; readonly id?: Id },
): Promise<
  AccessExplanation & { readonly groups: Awaited<ReturnType<typeof groupTitles>>; readonly record: string | null }
> {
  const explanation = await explainAccess(ctx, request);
  const { model, id } = request;
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
    hiddenFields: explanation.hiddenFields.map((field) => ({ ...field, label: t(ctx, field.label) })),
    groups: await groupTitles(ctx),
    record: (id !== undefined && names.get(id)) || null,
  };
}
