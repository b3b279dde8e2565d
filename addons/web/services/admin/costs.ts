import type { Ctx } from 'pergola';
import { type AddonCost, addonManager, type CostReport, siteCosts, summed } from 'pergola/kernel';
import { ownText } from 'pergola/pages';
import { costBudgets } from '../../settings.ts';
import { t } from '../../texts.ts';

/** Costs of a page, ready to render; all figures but errors are per request. */
export interface ShownCosts {
  /** Name of the page; null for all pages together. */
  readonly page: string | null;
  readonly requests: number;
  readonly ms: number;
  readonly addons: readonly ShownCost[];
}

export interface ShownCost extends Omit<AddonCost, 'rows'> {
  readonly title: string;
  /** Whether it takes more than its budget. */
  readonly isOver: boolean;
}

/** Pages to show. */
const MAX_PAGES = 50;
/** Requests of a page before its budgets count: the first ones compile and load. */
const MIN_REQUESTS = 5;

interface Budget {
  readonly ms?: number;
  readonly queries?: number;
}

/** Costs of all pages together, then of the most expensive ones. */
export async function shownCosts(ctx: Ctx, minutes: number): Promise<readonly ShownCosts[]> {
  const reports = await siteCosts(ctx, minutes);
  if (reports.length === 0) return [];
  const addons = await addonManager(ctx).list();
  const titles = new Map(addons.map(({ name, title }) => [name, ownText(ctx, name, title)]));
  const budgets = budgetsFrom(await ctx.settings.get(costBudgets));
  const shown = (report: CostReport, page: string | null): ShownCosts => ({
    page,
    requests: report.requests,
    ms: report.ms / report.requests,
    addons: report.addons.map(({ rows: _, ...cost }) => ({
      ...cost,
      title: cost.addon === 'core' ? t(ctx, 'Platform') : (titles.get(cost.addon) ?? cost.addon),
      ms: cost.ms / report.requests,
      queries: cost.queries / report.requests,
      bytes: cost.bytes / report.requests,
      isOver: page !== null && isOver(report, cost, budgets),
    })),
  });
  return [
    shown(summed('', reports), null),
    ...reports.slice(0, MAX_PAGES).map((report) => shown(report, pageText(ctx, report.page))),
  ];
}

/** An app that takes more than its budget on a page; figures per request. */
export interface Excess {
  readonly page: string;
  readonly addon: string;
  readonly ms: number;
  readonly queries: number;
}

/** Apps that took more than their budgets in the last minutes. */
export async function overBudget(ctx: Ctx, minutes: number): Promise<readonly Excess[]> {
  const budgets = budgetsFrom(await ctx.settings.get(costBudgets));
  if (budgets.size === 0) return [];
  return (await siteCosts(ctx, minutes)).flatMap((report) =>
    report.addons
      .filter((cost) => isOver(report, cost, budgets))
      .map(({ addon, ms, queries }) => ({
        page: report.page,
        addon,
        ms: ms / report.requests,
        queries: queries / report.requests,
      })),
  );
}

/** Budgets by addon, from “forum 20 ms, * 100 ms”. */
function budgetsFrom(text: string): ReadonlyMap<string, Budget> {
  const budgets = new Map<string, Budget>();
  for (const [, addon = '', limit, unit = ''] of text.matchAll(/([a-z][a-z0-9_]*|\*)\s+(\d+)\s+(ms|queries)/g))
    budgets.set(addon, { ...budgets.get(addon), [unit]: Number(limit) });
  return budgets;
}

function isOver(
  { requests }: CostReport,
  cost: Pick<AddonCost, 'addon' | 'ms' | 'queries'>,
  budgets: ReadonlyMap<string, Budget>,
): boolean {
  if (cost.addon === 'core' || requests < MIN_REQUESTS) return false;
  const { ms = Number.POSITIVE_INFINITY, queries = Number.POSITIVE_INFINITY } =
    budgets.get(cost.addon) ?? budgets.get('*') ?? {};
  return cost.ms / requests > ms || cost.queries / requests > queries;
}

function pageText(ctx: Ctx, page: string): string {
  if (page === '/_assets') return t(ctx, 'Scripts, styles and files of apps');
  if (page === '*') return t(ctx, 'Addresses without a page');
  return page.startsWith('job ') ? t(ctx, 'Job {name}', { name: page.slice('job '.length) }) : page;
}
