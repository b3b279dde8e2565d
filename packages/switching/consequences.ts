import type { Plan, PlanItem } from '@pergola/core';
import type { InstallHost } from './host.ts';
import { type Consequence, consequences } from './points.ts';

/** Names shown of many. */
const MAX_NAMES = 20;

/** Consequences of a plan in the terms of the site's owner, from enabled addons. A failing addon is logged and skipped. */
export async function consequencesOf(host: InstallHost, plan: Plan): Promise<PlanItem[]> {
  const { holder, database, log } = host;
  if (!holder.ready || plan.addons.length === 0) return [];
  const leaving = new Set(
    plan.addons.filter(({ from, to }) => from === 'enabled' && to !== 'enabled').map(({ name }) => name),
  );
  const stay = holder.acquire();
  const context = host.context(stay.generation, database.reader);
  try {
    const items: PlanItem[] = [];
    // Records of these addons come before effects on others.
    const own = (name: string): number => (leaving.has(name) ? 0 : 1);
    const contributions = stay.generation.get(consequences).toSorted((a, b) => own(a.addon.name) - own(b.addon.name));
    for (const { addon, value } of contributions) {
      try {
        const found = await value(context.ctx, leaving, plan);
        items.push(...found.filter(({ count }) => count !== 0).map((each) => itemOf(addon.name, each)));
      } catch (error) {
        log.error({ err: error, addon: addon.name }, 'An addon could not describe the consequences of a switch');
      }
    }
    return items;
  } finally {
    await context.dispose();
    stay.release();
  }
}

function itemOf(addon: string, { sentence, count, amounts, names, stops }: Consequence): PlanItem {
  const data = {
    ...sentence.params,
    count: count ?? null,
    amounts: (amounts ?? []).map(({ amount, currency }) => `${amount} ${currency}`),
    names: (names ?? []).slice(0, MAX_NAMES),
    stops: stops ?? false,
  };
  return { topic: 'consequence', addon, sentence, data };
}
