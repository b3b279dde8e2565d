import { dirname } from 'node:path';
import { type Ctx, NotFound, service } from 'pergola';
import {
  type AddonStatus,
  addonManager,
  type Capability,
  type CapabilitySheet,
  type CodeReview,
  readSheetInThread,
  Semaphore,
} from 'pergola/kernel';
import { ownText } from 'pergola/pages';
import { t } from '../texts.ts';
import { type AppAction, type ShownPlan, shownPlan } from './apps.ts';

/** Capability sheet of an app, ready to render. */
export interface ShownSheet {
  readonly title: string;
  readonly version: string;
  readonly groups: readonly SheetGroup[];
}

export interface SheetGroup {
  readonly risk: Capability['risk'];
  readonly title: string;
  readonly capabilities: readonly { readonly text: string; readonly places: string }[];
}

/** Places shown for a capability; the command line has all. */
const MOST_PLACES = 3;

/** Reads capability sheets from the code of apps, one after another, because each takes seconds of CPU. */
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

  /** @param addons all addons, to resolve imports between them */
  of(folder: string, addons: readonly AddonStatus[]): Promise<CapabilitySheet> {
    const roots = [...new Set(addons.flatMap((each) => (each.folder ? [dirname(each.folder)] : [])))];
    return this.#turns.run(() => readSheetInThread(folder, roots));
  }
}

function sheetGroups(ctx: Ctx, capabilities: readonly Capability[]): SheetGroup[] {
  const groups = Map.groupBy(capabilities, ({ risk }) => risk);
  return (['high', 'medium', 'low'] as const).flatMap((risk) => {
    const list = groups.get(risk);
    return list
      ? [{ risk, title: riskTitle(ctx, risk), capabilities: list.map((each) => shownCapability(ctx, each)) }]
      : [];
  });
}

/** Code of an app that an administrator has to allow before it is loaded. */
function shownReview(ctx: Ctx, review: CodeReview): ShownPlan['reviews'][number] {
  const { addon, title, version, consentedVersion, digest, added, removed } = review;
  const texts = { title: ownText(ctx, addon, title), version, before: consentedVersion ?? '' };
  return {
    digest,
    title: t(ctx, 'What the code of {title} can do', texts),
    intro:
      consentedVersion === null
        ? t(ctx, 'Derived from the code of version {version}. None of it runs until you allow it.', texts)
        : t(ctx, 'The code of version {version} can do more than you allowed for version {before}.', texts),
    groups: sheetGroups(ctx, added),
    removed: removed.map((each) => shownCapability(ctx, each).text),
  };
}

function riskTitle(ctx: Ctx, risk: Capability['risk']): string {
  if (risk === 'high') return t(ctx, 'Read this first');
  return risk === 'medium' ? t(ctx, 'Worth knowing') : t(ctx, 'As usual');
}

function shownCapability(ctx: Ctx, { what, where, inPackage }: Capability): SheetGroup['capabilities'][number] {
  const text = t(ctx, what.text, what.params);
  const places = where.slice(0, MOST_PLACES).map(({ file, line }) => `${file}:${line}`);
  const rest = where.length - places.length;
  return {
    text: inPackage === undefined ? text : t(ctx, 'Package {package}: {text}', { package: inPackage, text }),
    places: rest > 0 ? t(ctx, '{places} and {n} more', { places: places.join(', '), n: rest }) : places.join(', '),
  };
}

/**
 * Returns the plan of an action. For external apps it includes the capabilities to allow first, or those of high risk unless they were
 * allowed just now.
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
  if (shown.reviews.length > 0 || allowed.length > 0) return shown;
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
