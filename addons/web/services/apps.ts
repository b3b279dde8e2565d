import type { Ctx, Problem } from 'pergola';
import type { AddonStatus, PastSwitch, Plan, PlanItem, PlannedAddon, Sentence, SwitchAction } from 'pergola/kernel';
import { appTitle, ownText } from 'pergola/pages';

/** Actions on the Apps screen. */
export const appActions = ['enable', 'disable', 'upgrade', 'uninstall'] as const;
export type AppAction = (typeof appActions)[number];

/** Card of an addon. */
export interface AppCard {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly icon: string;
  /** `broken`, `enabled`, `disabled`, `uninstalled` */
  readonly state: string;
  readonly stateText: string;
  readonly version: string;
  readonly permanent: boolean;
  readonly outside: boolean;
  readonly problems: readonly string[];
  readonly actions: readonly { readonly action: AppAction; readonly text: string; readonly primary: boolean }[];
  /** Whether it is broken and can be retried. */
  readonly retry: boolean;
}

/** Returns cards by category, sorted by title. Returns none if `search` doesn't match. */
export function cardsByCategory(
  ctx: Ctx,
  addons: readonly AddonStatus[],
  search: string,
): readonly { category: string; cards: readonly AppCard[] }[] {
  const query = normalize(search);
  const cards = addons
    .map((addon) => cardOf(ctx, addon))
    .filter(({ name, title, summary }) => normalize(`${name} ${title} ${summary}`).includes(query));
  const groups = Map.groupBy(cards, ({ category }) => category);
  const compare = new Intl.Collator(ctx.lang.replace('_', '-')).compare;
  return [...groups]
    .sort(([a], [b]) => compare(a, b))
    .map(([category, list]) => ({ category, cards: list.toSorted((a, b) => compare(a.title, b.title)) }));
}

function normalize(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase();
}

function cardOf(ctx: Ctx, addon: AddonStatus): AppCard {
  const { name, state, leftOut, version, versionOnDisk } = addon;
  const isBroken = leftOut || (versionOnDisk === null && (state === 'enabled' || addon.problems.length > 0));
  return {
    name,
    title: ownText(ctx, name, addon.title),
    summary: ownText(ctx, name, addon.summary),
    category: addon.category ? ownText(ctx, name, addon.category) : ctx.t('Other'),
    icon: addon.icon ?? 'box',
    state: isBroken ? 'broken' : state,
    stateText: isBroken ? ctx.t('Broken') : stateText(ctx, state),
    version: version ?? versionOnDisk ?? '',
    permanent: addon.permanent,
    outside: addon.outside,
    problems: addon.problems.map(problemText),
    actions: actionsOf(ctx, addon),
    retry: isBroken && !addon.permanent,
  };
}

function stateText(ctx: Ctx, state: AddonStatus['state']): string {
  if (state === 'enabled') return ctx.t('Enabled');
  return state === 'disabled' ? ctx.t('Disabled') : ctx.t('Not installed');
}

function actionsOf(ctx: Ctx, { state, permanent, version, versionOnDisk }: AddonStatus): AppCard['actions'] {
  const actions: AppCard['actions'][number][] = [];
  const isNewer = version !== null && versionOnDisk !== null && version !== versionOnDisk;
  if (isNewer) actions.push({ action: 'upgrade', text: ctx.t('Upgrade'), primary: true });
  if (state !== 'enabled' && versionOnDisk !== null && !isNewer)
    actions.push({ action: 'enable', text: ctx.t('Enable'), primary: true });
  if (state === 'enabled' && !permanent) actions.push({ action: 'disable', text: ctx.t('Disable'), primary: false });
  if (state === 'disabled') actions.push({ action: 'uninstall', text: ctx.t('Uninstall'), primary: false });
  return actions;
}

/** Describes a fault in an addon for developers: place, problem and remedy. */
export function problemText({ addon, file, line, message, remedy }: Problem): string {
  const place = `${addon}${file ? ` ${file}` : ''}${line ? `:${line}` : ''}`;
  return `${place}: ${message}${remedy ? ` ${remedy}` : ''}`;
}

/** A plan, ready to render. */
export interface ShownPlan {
  readonly heading: string;
  readonly button: string;
  readonly addons: readonly { readonly title: string; readonly text: string }[];
  readonly groups: readonly { readonly title: string; readonly sentences: readonly string[]; readonly long: boolean }[];
  readonly problems: readonly string[];
  /** Text to type as confirmation. */
  readonly confirm: string | null;
  /** Names of all addons involved, used to detect that the plan has changed before it is confirmed. */
  readonly parties: string;
  readonly nothing: boolean;
}

const topics: readonly (readonly string[])[] = [
  ['rows'],
  ['note'],
  ['migration'],
  ['table', 'column', 'index'],
  ['records'],
  ['demo'],
  ['route'],
  ['menu'],
  ['template'],
  ['job'],
  ['later'],
];
/** Lists longer than this are collapsed. */
const MAX_EXPANDED = 6;

export function shownPlan(ctx: Ctx, plan: Plan): ShownPlan {
  const first = plan.addons.find(({ name }) => plan.names.includes(name));
  const title = first ? ownText(ctx, first.name, first.title) : plan.names.join(', ');
  return {
    heading: headingOf(ctx, plan.action, title),
    button: buttonOf(ctx, plan.action),
    addons: plan.addons.map((addon) => ({ title: ownText(ctx, addon.name, addon.title), text: partOf(ctx, addon) })),
    groups: topics.flatMap((group) => groupOf(ctx, group, plan) ?? []),
    problems: plan.problems.map(problemText),
    confirm: plan.confirm,
    parties: partiesOf(plan),
    nothing: plan.addons.length === 0 && plan.problems.length === 0,
  };
}

/** Returns the addons of a plan as the form sends them back. */
export function partiesOf({ addons }: Plan): string {
  return addons
    .map(({ name, to }) => `${name}:${to}`)
    .sort()
    .join(',');
}

function headingOf(ctx: Ctx, action: SwitchAction, title: string): string {
  if (action === 'enable') return ctx.t('Enable {title}?', { title });
  if (action === 'disable') return ctx.t('Disable {title}?', { title });
  if (action === 'upgrade') return ctx.t('Upgrade {title}?', { title });
  return ctx.t('Uninstall {title}?', { title });
}

function buttonOf(ctx: Ctx, action: SwitchAction): string {
  if (action === 'enable') return ctx.t('Enable');
  if (action === 'disable') return ctx.t('Disable');
  return action === 'upgrade' ? ctx.t('Upgrade') : ctx.t('Uninstall and remove the data');
}

function partOf(ctx: Ctx, { from, to, fromVersion, toVersion, reason }: PlannedAddon): string {
  return [whyOf(ctx, reason), changeOf(ctx, { from, to, fromVersion, toVersion })].filter(Boolean).join(' ');
}

function whyOf(ctx: Ctx, reason: PlannedAddon['reason']): string {
  if (reason === 'needed') return ctx.t('It is needed.');
  if (reason === 'dependant') return ctx.t('It depends on it, and goes with it.');
  return reason === 'auto' ? ctx.t('It joins the others by itself.') : '';
}

function changeOf(
  ctx: Ctx,
  { from, to, fromVersion, toVersion }: Pick<PlannedAddon, 'from' | 'to' | 'fromVersion' | 'toVersion'>,
): string {
  if (to === 'uninstalled') return ctx.t('It is taken out, with all its data.');
  if (to === 'disabled') return ctx.t('It is switched off; its data stays.');
  if (from === 'enabled' && fromVersion !== toVersion) {
    return ctx.t('It goes from version {from} to {to}.', { from: fromVersion ?? '', to: toVersion ?? '' });
  }
  return from === 'disabled' ? ctx.t('It is switched on again, as it was.') : ctx.t('It is set up and switched on.');
}

function groupOf(ctx: Ctx, group: readonly string[], { action, items }: Plan): ShownPlan['groups'][number] | null {
  const comes = action === 'enable' || action === 'upgrade';
  const groupItems = items.filter(({ topic }) => group.includes(topic));
  const sentences = [...new Set(groupItems.flatMap((item) => itemText(ctx, item, comes) ?? []))];
  if (sentences.length === 0) return null;
  // Data loss is always shown in full.
  const long = sentences.length > MAX_EXPANDED && group[0] !== 'rows';
  return { title: topicTitle(ctx, group[0] ?? 'note', comes), sentences, long };
}

/**
 * Describes a change for administrators. Includes only routes that people open, and templates by their pages. The command line shows
 * everything.
 */
function itemText(ctx: Ctx, { topic, data, sentence }: PlanItem, comes: boolean): string | null {
  if (topic === 'route') return data.method === 'GET' ? String(data.path).replace(/[:*][^/]*/g, '…') : null;
  if (topic !== 'template') return sentenceText(ctx, sentence);
  const [owner = ''] = String(data.template).split('.');
  const app = appTitle(ctx, owner) ?? owner;
  return comes
    ? ctx.t('It adds to pages of “{app}”.', { app })
    : ctx.t('What it adds to pages of “{app}” goes.', { app });
}

/** Translates a sentence to the reader's language, including the names of addons, menus, models and fields in it. */
function sentenceText(ctx: Ctx, { text, params, words = {} }: Sentence): string {
  const translatedParams = { ...params };
  for (const [name, list] of Object.entries(words))
    translatedParams[name] = list.map((word) => ownText(ctx, word.addon, word.text)).join(', ');
  return ctx.t(text, translatedParams);
}

function topicTitle(ctx: Ctx, topic: string, comes: boolean): string {
  switch (topic) {
    case 'rows':
      return ctx.t('Data that goes');
    case 'migration':
      return ctx.t('Migrations');
    case 'table':
      return ctx.t('Database');
    case 'records':
      return ctx.t('Records');
    case 'demo':
      return ctx.t('Demo data');
    case 'route':
      return comes ? ctx.t('New addresses') : ctx.t('Addresses that go');
    case 'menu':
      return ctx.t('Menus');
    case 'template':
      return ctx.t('Pages of other apps');
    case 'job':
      return ctx.t('Automatic tasks');
    case 'later':
      return ctx.t('Afterwards, while the site runs');
    default:
      return ctx.t('Please note');
  }
}

/** An entry of the switch history. */
export interface HistoryLine {
  readonly id: number;
  /** ISO, UTC. */
  readonly at: string;
  readonly by: string;
  /** "Enabled", "Uninstalled", … */
  readonly what: string;
  readonly addons: readonly string[];
  readonly done: boolean;
  readonly seconds: number;
  readonly summary: readonly string[];
  readonly problems: readonly string[];
}

export function historyLine(ctx: Ctx, line: PastSwitch, titles: ReadonlyMap<string, string>): HistoryLine {
  const { id, at: startedAt, by: actor, action, addons, result, durationMs, summary, problems } = line;
  return {
    id,
    at: startedAt.toISOString(),
    by: doerText(ctx, actor),
    what: pastOf(ctx, action),
    addons: addons.map((name) => titles.get(name) ?? name),
    done: result === 'done',
    seconds: durationMs / 1000,
    summary: summary.map((sentence) => sentenceText(ctx, sentence)),
    problems: problems.map(problemText),
  };
}

/** A login, or the process that ran the switch. */
function doerText(ctx: Ctx, actor: string): string {
  switch (actor) {
    case 'first start':
      return ctx.t('by itself, at the first start');
    case 'languages':
      return ctx.t('by itself, after a change of the languages');
    case 'development':
      return ctx.t('by itself, after a change of the code');
    case 'command line':
      return ctx.t('on the command line');
    default:
      return actor;
  }
}

function pastOf(ctx: Ctx, action: PastSwitch['action']): string {
  switch (action) {
    case 'enable':
      return ctx.t('Enabling');
    case 'disable':
      return ctx.t('Disabling');
    case 'upgrade':
      return ctx.t('Upgrade');
    case 'uninstall':
      return ctx.t('Uninstalling');
    case 'start':
      return ctx.t('First start');
    default:
      return ctx.t('New generation');
  }
}
