import type { Ctx, Id, Ids } from '#core';
import { models } from '#core/orm';
import { callModel } from '../rpc/call.ts';
import { describeModel } from './describe-model.ts';

/** Records that refer to some that are about to be deleted. */
export interface Dependants {
  readonly model: string;
  readonly label: string;
  /** The field by which they refer to them. */
  readonly field: string;
  readonly count: number;
  /** Names of a few. */
  readonly names: readonly string[];
  /** They forbid it, go too, or only lose the link. */
  readonly effect: 'forbids' | 'goes' | 'loses';
}

const NAMED = 3;

/** What refers to these records, model by model, as far as the caller may see it; what forbids the deletion comes first. */
export async function dependantsOf(ctx: Ctx, model: string, ids: Ids): Promise<readonly Dependants[]> {
  const found: Dependants[] = [];
  for (const { name, fields } of ctx.get(models).models.values()) {
    const links = [...fields.values()].filter(
      ({ stored, type, relation }) => stored && type === 'many2one' && relation?.to === model,
    );
    const about = links.length > 0 ? describeModel(ctx, name) : null;
    if (!about?.may.read) continue;
    for (const { name: field, options } of links) {
      const shown = about.fields[field];
      if (!shown) continue;
      const domain = [[field, 'in', ids], ...(name === model ? [['id', 'not in', ids]] : [])];
      const kwargs = { context: { active_test: false } };
      const count = Number(await callModel(ctx, { model: name, method: 'search_count', args: [domain], kwargs }));
      if (count === 0) continue;
      found.push({
        model: name,
        label: about.label,
        field: String(shown.string),
        count,
        names: await namesOf(ctx, name, domain),
        effect: effectOf(options.ondelete ?? (options.required === true ? 'restrict' : 'set null')),
      });
    }
  }
  const order = ['forbids', 'goes', 'loses'];
  return found.toSorted((a, b) => order.indexOf(a.effect) - order.indexOf(b.effect));
}

function effectOf(ondelete: 'restrict' | 'cascade' | 'set null'): Dependants['effect'] {
  return ondelete === 'restrict' ? 'forbids' : ondelete === 'cascade' ? 'goes' : 'loses';
}

async function namesOf(ctx: Ctx, model: string, domain: readonly unknown[]): Promise<string[]> {
  const kwargs = { limit: NAMED, context: { active_test: false } };
  const ids = await callModel(ctx, { model, method: 'search', args: [domain], kwargs });
  const names = await callModel(ctx, { model, method: 'name_get', args: [ids], kwargs: {} });
  return Array.isArray(names) ? names.map(([, name]: [Id, string]) => name) : [];
}
