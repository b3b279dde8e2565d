import { type Ctx, type Id, z } from 'pergola';
import type { RecordCount } from '../../backend/types.ts';
import { menus as menuPoint } from '../../points/menus.ts';
import { mayUseModel } from '../admin/access.ts';
import { callModel } from '../rpc/call.ts';
import { describeModel } from './describe-model.ts';
import { menusFor } from './menus.ts';
import { countsOf } from './views.ts';

/** Already checked by `check-views` when the generation was built. */
const declared = z.looseObject({
  label: z.string(),
  icon: z.string(),
  model: z.string(),
  by: z.string(),
  domain: z.array(z.unknown()).optional(),
  sum: z.string().optional(),
  menu: z.string().optional(),
});
type Declared = z.infer<typeof declared>;

/** Returns the counts of related records, limited to records in the linked lists. Skips models that the user may not read. */
export async function recordCounts(ctx: Ctx, model: string, id: Id): Promise<readonly RecordCount[]> {
  const description = describeModel(ctx, model);
  if (!description) return [];
  const existingIds = z
    .array(z.unknown())
    .parse(await callModel(ctx, { model, method: 'exists', args: [[id]], kwargs: {} }));
  if (existingIds.length === 0) return [];
  const counts = z
    .array(declared)
    .parse(countsOf({ ctx, description }))
    .filter((counter) => mayUseModel(ctx, counter.model, 'read'));
  const seen = new Set(menusFor(ctx).map((menu) => menu.id));
  return Promise.all(counts.map((counter) => countOne(ctx, counter, id, seen)));
}

async function countOne(ctx: Ctx, counter: Declared, id: Id, seen: ReadonlySet<string>): Promise<RecordCount> {
  const { model, label, icon, by: relationField, sum } = counter;
  const recordDomain = [...(counter.domain ?? []), [relationField, '=', id]];
  const menu = ctx.get(menuPoint).find((entry) => entry.id === counter.menu);
  const domain = [...(menu?.domain ?? []), ...recordDomain];
  const isSeen = menu !== undefined && seen.has(menu.id);
  return {
    label,
    icon,
    value: sum ? await sumOf(ctx, model, domain, sum) : await countOf(ctx, model, domain),
    to: {
      model,
      menu: isSeen ? menu.id : null,
      view: null,
      filter: null,
      condition: { label, domain: isSeen ? recordDomain : domain },
    },
  };
}

async function countOf(ctx: Ctx, model: string, domain: readonly unknown[]): Promise<number> {
  return Number(await callModel(ctx, { model, method: 'search_count', args: [domain], kwargs: {} }));
}

async function sumOf(ctx: Ctx, model: string, domain: readonly unknown[], field: string): Promise<number> {
  const kwargs = { domain, fields: [`${field}:sum`], groupby: [], lazy: false };
  const [all] = z
    .array(z.looseObject({}))
    .parse(await callModel(ctx, { model, method: 'read_group', args: [], kwargs }));
  return Number(all?.[field] || 0);
}
