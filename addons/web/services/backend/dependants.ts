import type { Ctx, Id, Ids } from 'pergola';
import { models } from 'pergola/orm';
import { callModel } from '../rpc/call.ts';
import { describeModel } from './describe-model.ts';

/** Records that refer to records about to be deleted. */
export interface Dependants {
  readonly model: string;
  readonly label: string;
  /** Field that refers to them. */
  readonly field: string;
  readonly count: number;
  /** Names of some of them. */
  readonly names: readonly string[];
  /** Whether they prevent the deletion, are deleted as well, or lose the reference. */
  readonly effect: 'forbids' | 'goes' | 'loses';
}

const MAX_NAMES = 3;
/** Maximum number of records per model whose own references are followed. */
const MAX_FOLLOWED = 1000;
const order: readonly Dependants['effect'][] = ['forbids', 'goes', 'loses'];
const effects = { restrict: 'forbids', cascade: 'goes', 'set null': 'loses' } as const;

/**
 * Returns the records that refer to records about to be deleted, by model, as far as the caller may see them. Includes references to
 * records deleted along with them. References that prevent the deletion come first. Omits many2many links that are merely removed.
 */
export async function dependantsOf(ctx: Ctx, model: string, ids: Ids): Promise<readonly Dependants[]> {
  const dependantsByKey = new Map<string, Dependants & { readonly ids: Ids }>();
  const going = new Map<string, Set<Id>>([[model, new Set(ids)]]);
  const steps: { readonly model: string; readonly ids: Ids }[] = [{ model, ids }];
  for (const step of steps) {
    for (const dependants of await directDependants(ctx, step.model, step.ids, going)) {
      const key = `${dependants.model} ${dependants.fieldName} ${dependants.effect}`;
      const existing = dependantsByKey.get(key);
      dependantsByKey.set(key, {
        ...dependants,
        ids: [...(existing?.ids ?? []), ...dependants.ids],
        count: (existing?.count ?? 0) + dependants.count,
        names: existing?.names ?? dependants.names,
      });
      if (dependants.effect !== 'goes') continue;
      const deletedIds = going.get(dependants.model) ?? new Set();
      const more = dependants.ids.filter((id) => !deletedIds.has(id));
      going.set(dependants.model, new Set([...deletedIds, ...more]));
      if (more.length > 0) steps.push({ model: dependants.model, ids: more });
    }
  }
  // A record deleted through one reference can't prevent the deletion through another.
  const remaining = [...dependantsByKey.values()].filter(
    ({ model: dependantModel, effect, ids: dependantIds }) =>
      effect === 'goes' || dependantIds.some((id) => !going.get(dependantModel)?.has(id)),
  );
  return remaining
    .map(({ model: dependantModel, label, field, count, names, effect }) => ({
      model: dependantModel,
      label,
      field,
      count,
      names,
      effect,
    }))
    .toSorted((a, b) => order.indexOf(a.effect) - order.indexOf(b.effect));
}

type Direct = Dependants & { readonly fieldName: string; readonly ids: Ids };

async function directDependants(
  ctx: Ctx,
  model: string,
  ids: Ids,
  going: ReadonlyMap<string, ReadonlySet<Id>>,
): Promise<readonly Direct[]> {
  const results: Direct[] = [];
  for (const { name, fields } of ctx.get(models).models.values()) {
    const links = [...fields.values()].flatMap(({ name: field, stored, relation, base }) => {
      const isLink = relation?.kind === 'many2one' || relation?.kind === 'many2many';
      if (!stored || base || !isLink || relation.to !== model) return [];
      // Tags and categories of a record are expected to be unlinked with it.
      if (relation.kind === 'many2many' && relation.ondelete === 'set null') return [];
      return [{ field, effect: effects[relation.ondelete] }];
    });
    const description = links.length > 0 ? describeModel(ctx, name) : null;
    if (!description?.may.read) continue;
    for (const { field, effect } of links) {
      const fieldInfo = description.fields[field];
      if (!fieldInfo) continue;
      const domain = [
        [field, 'in', ids],
        ['id', 'not in', [...(going.get(name) ?? [])]],
      ];
      const call = (method: string, limit?: number) =>
        callModel(ctx, {
          model: name,
          method,
          args: [domain],
          kwargs: { ...(limit && { limit }), context: { active_test: false } },
        });
      const count = Number(await call('search_count'));
      if (count === 0) continue;
      const users = (await call('search', MAX_FOLLOWED)) as Id[];
      results.push({
        model: name,
        label: description.label,
        fieldName: field,
        field: String(fieldInfo.string),
        ids: users,
        count,
        names: await namesOf(ctx, name, users.slice(0, MAX_NAMES)),
        effect,
      });
    }
  }
  return results;
}

async function namesOf(ctx: Ctx, model: string, ids: Ids): Promise<string[]> {
  const names = await callModel(ctx, { model, method: 'name_get', args: [ids], kwargs: {} });
  return Array.isArray(names) ? names.map(([, name]: [Id, string]) => name.split('\n')[0] ?? '') : [];
}
