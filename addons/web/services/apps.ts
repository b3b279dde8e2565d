import { app, type Ctx, type Problem } from 'pergola';
import type {
  AddonStatus,
  BreakerReport,
  PastSwitch,
  Plan,
  PlanItem,
  PlannedAddon,
  Sentence,
  SwitchAction,
} from 'pergola/kernel';
import { appTitle, localeOf, ownText } from 'pergola/pages';
import { t } from '../texts.ts';
import type { ShownSheet } from './app-sheets.ts';

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
  /** Parts that are off because they kept failing. */
  readonly off: readonly OffPart[];
  readonly actions: readonly { readonly action: AppAction; readonly text: string; readonly primary: boolean }[];
  /** Whether it is broken and can be retried. */
  readonly retry: boolean;
}

/** A part of an app that is off, and why. */
export interface OffPart {
  readonly text: string;
  /** For developers: place and error. */
  readonly fault: string;
}

/** Returns cards by category, sorted by title. Returns none if `search` doesn't match. */
export function cardsByCategory(
  ctx: Ctx,
  addons: readonly AddonStatus[],
  breakers: readonly BreakerReport[],
  search: string,
): readonly { category: string; cards: readonly AppCard[] }[] {
  const query = normalize(search);
  const cards = addons
    .map((addon) =>
      cardOf(
        ctx,
        addon,
        breakers.filter((breaker) => breaker.addon === addon.name),
      ),
    )
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

function cardOf(ctx: Ctx, addon: AddonStatus, breakers: readonly BreakerReport[]): AppCard {
  const { name, state, leftOut, version, versionOnDisk } = addon;
  const isBroken = leftOut || (versionOnDisk === null && (state === 'enabled' || addon.problems.length > 0));
  return {
    name,
    title: ownText(ctx, name, addon.title),
    summary: ownText(ctx, name, addon.summary),
    category: addon.category ? ownText(ctx, name, addon.category) : t(ctx, 'Other'),
    icon: addon.icon ?? 'box',
    state: isBroken ? 'broken' : state,
    stateText: isBroken ? t(ctx, 'Broken') : stateText(ctx, state),
    version: version ?? versionOnDisk ?? '',
    permanent: addon.permanent,
    outside: addon.outside,
    problems: addon.problems.map(problemText),
    off: breakers.map((breaker) => offPart(ctx, breaker)),
    actions: actionsOf(ctx, addon),
    retry: isBroken && !addon.permanent,
  };
}

function offPart(ctx: Ctx, { addon, kind, name, file, line, message }: BreakerReport): OffPart {
  const fault = problemText({ addon, message, ...(file && { file }), ...(line && { line }) });
  return { text: partText(ctx, kind, name), fault };
}

function partText(ctx: Ctx, kind: BreakerReport['kind'], name: string): string {
  switch (kind) {
    case 'block':
      return t(ctx, 'Block “{name}”: its place is empty.', { name });
    case 'fragment':
      return t(ctx, 'Page part “{name}”: its place is empty.', { name });
    case 'island':
      return t(ctx, 'Interactive part “{name}”: pages load without it.', { name });
    case 'patch':
      return t(ctx, 'Change to page “{name}”: the page is shown without it.', { name });
    case 'extension':
      return t(ctx, 'Addition to “{name}”: left out of pages; changes that need it are refused.', { name });
    case 'job':
      return t(ctx, 'Job “{name}”: its runs wait.', { name });
    case 'route':
      return t(ctx, 'Page “{name}”: visitors see a message to try again later.', { name });
  }
}

function stateText(ctx: Ctx, state: AddonStatus['state']): string {
  if (state === 'enabled') return t(ctx, 'Enabled');
  return state === 'disabled' ? t(ctx, 'Disabled') : t(ctx, 'Not installed');
}

function actionsOf(ctx: Ctx, { state, permanent, version, versionOnDisk }: AddonStatus): AppCard['actions'] {
  const actions: AppCard['actions'][number][] = [];
  const isNewer = version !== null && versionOnDisk !== null && version !== versionOnDisk;
  if (isNewer) actions.push({ action: 'upgrade', text: t(ctx, 'Upgrade'), primary: true });
  if (state !== 'enabled' && versionOnDisk !== null && !isNewer)
    actions.push({ action: 'enable', text: t(ctx, 'Enable'), primary: true });
  if (state === 'enabled' && !permanent) actions.push({ action: 'disable', text: t(ctx, 'Disable'), primary: false });
  if (state === 'disabled') actions.push({ action: 'uninstall', text: t(ctx, 'Uninstall'), primary: false });
  return actions;
}

/** Describes a fault in an addon for developers: place, problem and remedy. */
export function problemText({ addon, file, line, message, remedy }: Problem): string {
  const place = `${addon}${file ? ` ${file}` : ''}${line ? `:${line}` : ''}`;
  return `${place}: ${message}${remedy ? ` ${remedy}` : ''}`;
}

/** Code of an app that wasn't allowed yet, with its new capabilities. */
export interface ShownReview extends Pick<ShownSheet, 'title' | 'groups'> {
  /** Identifies the code. */
  readonly digest: string;
  readonly intro: string;
  /** Capabilities that the previous version had. */
  readonly removed: readonly string[];
}

/** A consequence, ready to render: `3 | Orders to fulfil | 1,208 € | …`. */
interface ShownConsequence {
  readonly count: string;
  readonly text: string;
  readonly amounts: string;
  readonly names: readonly string[];
}

/** A plan, ready to render. */
export interface ShownPlan {
  readonly heading: string;
  readonly button: string;
  /** Style of the button: outlined in red if people rely on the app, filled if data is deleted. */
  readonly emphasis: 'primary' | 'outline-danger' | 'danger';
  readonly addons: readonly { readonly title: string; readonly text: string }[];
  /** Effects of the action on the people of the site. */
  readonly consequences: readonly ShownConsequence[];
  readonly groups: readonly { readonly title: string; readonly sentences: readonly string[]; readonly long: boolean }[];
  /** Code that the administrator has to allow first; then the plan has nothing else. */
  readonly reviews: readonly ShownReview[];
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

/** Renders a plan without its reviews. */
export function shownPlan(ctx: Ctx, plan: Plan): Omit<ShownPlan, 'reviews'> {
  const first = plan.addons.find(({ name }) => plan.names.includes(name));
  const title = first ? ownText(ctx, first.name, first.title) : plan.names.join(', ');
  return {
    heading: headingOf(ctx, plan.action, title),
    button: buttonOf(ctx, plan.action),
    emphasis: emphasisOf(plan),
    addons: plan.addons.map((addon) => ({ title: ownText(ctx, addon.name, addon.title), text: partOf(ctx, addon) })),
    consequences: plan.items.filter(({ topic }) => topic === 'consequence').map((item) => consequenceOf(ctx, item)),
    groups: topics.flatMap((group) => groupOf(ctx, group, plan) ?? []),
    problems: plan.problems.map(problemText),
    confirm: plan.confirm,
    parties: partiesOf(plan),
    nothing: plan.addons.length === 0 && plan.problems.length === 0,
  };
}

function emphasisOf({ confirm, items }: Plan): ShownPlan['emphasis'] {
  if (confirm !== null) return 'danger';
  return items.some(({ topic, data }) => topic === 'consequence' && data.stops === true) ? 'outline-danger' : 'primary';
}

function consequenceOf(ctx: Ctx, { sentence, data }: PlanItem): ShownConsequence {
  const { formatNumber } = ctx.get(app.formats);
  const locale = localeOf(ctx.lang);
  const amounts = listOf(data.amounts).map((text) => {
    const [amount = '', currency = ''] = text.split(' ');
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount as Intl.StringNumericLiteral);
  });
  return {
    count: typeof data.count === 'number' ? formatNumber(data.count, ctx.lang) : '',
    text: sentenceText(ctx, sentence),
    amounts: amounts.join(' + '),
    // Pages of two websites, or two people, may have the same name.
    names: [...new Set(listOf(data.names))],
  };
}

const listOf = (value: PlanItem['data'][string] | undefined): readonly string[] => (Array.isArray(value) ? value : []);

/** Returns the addons of a plan as the form sends them back. */
export function partiesOf({ addons }: Plan): string {
  return addons
    .map(({ name, to }) => `${name}:${to}`)
    .sort()
    .join(',');
}

function headingOf(ctx: Ctx, action: SwitchAction, title: string): string {
  if (action === 'enable') return t(ctx, 'Enable {title}?', { title });
  if (action === 'disable') return t(ctx, 'Disable {title}?', { title });
  if (action === 'upgrade') return t(ctx, 'Upgrade {title}?', { title });
  return t(ctx, 'Uninstall {title}?', { title });
}

function buttonOf(ctx: Ctx, action: SwitchAction): string {
  if (action === 'enable') return t(ctx, 'Enable');
  if (action === 'disable') return t(ctx, 'Disable');
  return action === 'upgrade' ? t(ctx, 'Upgrade') : t(ctx, 'Uninstall and delete data');
}

function partOf(ctx: Ctx, { from, to, fromVersion, toVersion, reason }: PlannedAddon): string {
  return [whyOf(ctx, reason), changeOf(ctx, { from, to, fromVersion, toVersion })].filter(Boolean).join(' · ');
}

function whyOf(ctx: Ctx, reason: PlannedAddon['reason']): string {
  if (reason === 'needed') return t(ctx, 'Required');
  if (reason === 'dependant') return t(ctx, 'Depends on it');
  return reason === 'auto' ? t(ctx, 'Enabled automatically with the others') : '';
}

function changeOf(
  ctx: Ctx,
  { from, to, fromVersion, toVersion }: Pick<PlannedAddon, 'from' | 'to' | 'fromVersion' | 'toVersion'>,
): string {
  if (to === 'uninstalled') return t(ctx, 'Will be uninstalled with all its data');
  if (to === 'disabled') return t(ctx, 'Will be disabled; its data is kept');
  if (from === 'enabled' && fromVersion !== toVersion) {
    return t(ctx, 'Upgrades from version {from} to {to}', { from: fromVersion ?? '', to: toVersion ?? '' });
  }
  return from === 'disabled'
    ? t(ctx, 'Will be enabled again with its existing data')
    : t(ctx, 'Will be installed and enabled');
}

function groupOf(ctx: Ctx, group: readonly string[], { action, items }: Plan): ShownPlan['groups'][number] | null {
  const comes = action === 'enable' || action === 'upgrade';
  const groupItems = items.filter(({ topic }) => group.includes(topic));
  const sentences = [...new Set(groupItems.flatMap((item) => itemText(ctx, item, comes) ?? []))];
  if (sentences.length === 0) return null;
  // Data loss is always shown in full; the rest are details.
  const long = group[0] !== 'rows' && (group[0] !== 'note' || sentences.length > MAX_EXPANDED);
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
    ? t(ctx, 'Adds content to “{app}” pages', { app })
    : t(ctx, 'Removes its content from “{app}” pages', { app });
}

/** Translates a sentence to the reader's language, including the names of addons, menus, models and fields in it. */
export function sentenceText(ctx: Ctx, { text, params, words = {} }: Sentence): string {
  const translatedParams = { ...params };
  for (const [name, list] of Object.entries(words))
    translatedParams[name] = list.map((word) => ownText(ctx, word.addon, word.text)).join(', ');
  return t(ctx, text, translatedParams);
}

function topicTitle(ctx: Ctx, topic: string, comes: boolean): string {
  switch (topic) {
    case 'rows':
      return t(ctx, 'Data to be deleted');
    case 'migration':
      return t(ctx, 'Migrations');
    case 'table':
      return t(ctx, 'Database');
    case 'records':
      return t(ctx, 'Records');
    case 'demo':
      return t(ctx, 'Demo data');
    case 'route':
      return comes ? t(ctx, 'New addresses') : t(ctx, 'Addresses that stop working');
    case 'menu':
      return t(ctx, 'Menus');
    case 'template':
      return t(ctx, 'Pages of other apps');
    case 'job':
      return t(ctx, 'Scheduled jobs');
    case 'later':
      return t(ctx, 'Afterwards, while the site runs');
    default:
      return t(ctx, 'Please note');
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
      return t(ctx, 'automatically, on first start');
    case 'languages':
    case 'settings':
      return t(ctx, 'automatically, after a language change');
    case 'development':
      return t(ctx, 'automatically, after a code change');
    case 'command line':
      return t(ctx, 'from the command line');
    default:
      return actor;
  }
}

function pastOf(ctx: Ctx, action: PastSwitch['action']): string {
  switch (action) {
    case 'enable':
      return t(ctx, 'Enabling');
    case 'disable':
      return t(ctx, 'Disabling');
    case 'upgrade':
      return t(ctx, 'Upgrade');
    case 'uninstall':
      return t(ctx, 'Uninstalling');
    case 'start':
      return t(ctx, 'First start');
    default:
      return t(ctx, 'New version');
  }
}
