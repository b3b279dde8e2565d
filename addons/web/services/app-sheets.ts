import { dirname } from 'node:path';
import { type Ctx, NotFound, service } from 'pergola';
import {
  type AddonStatus,
  addonManager,
  type CapabilitySheet,
  type CodePower,
  type CodeReview,
  readSheetInThread,
  Semaphore,
} from 'pergola/kernel';
import { ownText } from 'pergola/pages';
import { t } from '../texts.ts';
import { type AppAction, type ShownPlan, shownPlan } from './apps.ts';

/** What an app can do, ready to render. */
export interface ShownSheet {
  readonly title: string;
  readonly version: string;
  readonly groups: readonly SheetGroup[];
}

export interface SheetGroup {
  readonly risk: CodePower['risk'];
  readonly title: string;
  readonly capabilities: readonly { readonly text: string; readonly places: string }[];
}

/** Places shown for a capability; the command line has all. */
const MOST_PLACES = 3;

/** Reads what apps can do from their code, one after another, because each takes seconds of CPU. */
export class AppSheets extends service('web.app_sheets') {
  readonly #turns = new Semaphore(1);

  /** @throws NotFound if the app isn't on this machine */
  async shown(ctx: Ctx, name: string): Promise<ShownSheet> {
    const addons = await addonManager(ctx).list();
    const addon = addons.find((each) => each.name === name);
    if (!addon?.folder) throw new NotFound('This app isn’t on this server.', { code: 'web.no_app' });
    const { version, capabilities } = await this.of(addon.folder, addons);
    return {
      title: ownText(ctx, name, addon.title),
      version,
      groups: sheetGroups(ctx, capabilities),
    };
  }

  /** @param addons all addons, whose folders tell what the code imports */
  of(folder: string, addons: readonly AddonStatus[]): Promise<CapabilitySheet> {
    const roots = [...new Set(addons.flatMap((each) => (each.folder ? [dirname(each.folder)] : [])))];
    return this.#turns.run(() => readSheetInThread(folder, roots));
  }
}

function sheetGroups(ctx: Ctx, powers: readonly CodePower[]): SheetGroup[] {
  const groups = Map.groupBy(powers, ({ risk }) => risk);
  return (['high', 'medium', 'low'] as const).flatMap((risk) => {
    const list = groups.get(risk);
    return list
      ? [{ risk, title: riskTitle(ctx, risk), capabilities: list.map((each) => shownCapability(ctx, each)) }]
      : [];
  });
}

/** What an administrator has to allow before the code of an app is loaded. */
function shownReview(ctx: Ctx, review: CodeReview): ShownPlan['reviews'][number] {
  const { addon, title, version, agreedVersion, digest, added, removed } = review;
  const texts = { title: ownText(ctx, addon, title), version, before: agreedVersion ?? '' };
  return {
    digest,
    title: t(ctx, 'What the code of {title} can do', texts),
    intro:
      agreedVersion === null
        ? t(ctx, 'Derived from the code of version {version}. None of it runs until you allow it.', texts)
        : t(ctx, 'The code of version {version} can do more than you allowed for version {before}.', texts),
    groups: sheetGroups(ctx, added),
    removed: removed.map((each) => shownCapability(ctx, each).text),
  };
}

function riskTitle(ctx: Ctx, risk: CodePower['risk']): string {
  if (risk === 'high') return t(ctx, 'Read this first');
  return risk === 'medium' ? t(ctx, 'Worth knowing') : t(ctx, 'As usual');
}

function shownCapability(ctx: Ctx, { what, where, inPackage }: CodePower): SheetGroup['capabilities'][number] {
  const text = t(ctx, what.text, what.params);
  const places = where.slice(0, MOST_PLACES).map(({ file, line }) => `${file}:${line}`);
  const rest = where.length - places.length;
  return {
    text: inPackage === undefined ? text : t(ctx, 'Package {package}: {text}', { package: inPackage, text }),
    places: rest > 0 ? t(ctx, '{places} and {n} more', { places: places.join(', '), n: rest }) : places.join(', '),
  };
}

/**
 * The plan of an action; before an app from elsewhere is enabled, with what an administrator should know about its code.
 *
 * @param allowed digests of the code that the administrator allows to run
 */
export async function planWithSheets(
  ctx: Ctx,
  action: AppAction,
  name: string,
  allowed: readonly string[] = [],
): Promise<ShownPlan> {
  const manager = addonManager(ctx);
  const by = ctx.user.login ?? '';
  const plan = await manager.plan(action, [name], allowed.length > 0 ? { digests: allowed, by } : undefined);
  const shown = { ...shownPlan(ctx, plan), reviews: plan.reviews.map((review) => shownReview(ctx, review)) };
  if (shown.reviews.length > 0) return shown;
  if (action !== 'enable' && action !== 'upgrade') return shown;
  const addons = await manager.list();
  const comingNames = new Set(plan.addons.flatMap((each) => (each.to === 'enabled' ? [each.name] : [])));
  const groups: ShownPlan['groups'][number][] = [];
  for (const { name: coming, outside, folder, title } of addons) {
    if (!outside || !folder || !comingNames.has(coming)) continue;
    const { capabilities } = await ctx.get(AppSheets).of(folder, addons);
    const serious = capabilities.filter(({ risk }) => risk === 'high').map((each) => shownCapability(ctx, each));
    if (serious.length === 0) continue;
    groups.push({
      title: t(ctx, 'What the code of {title} can do', { title: ownText(ctx, coming, title) }),
      sentences: serious.map(({ text, places }) => `${text} (${places})`),
      long: false,
    });
  }
  return { ...shown, groups: [...groups, ...shown.groups] };
}
