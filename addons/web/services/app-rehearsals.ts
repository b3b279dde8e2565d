import { app, type Ctx } from 'pergola';
import {
  type DifferenceGroup,
  type DifferenceKind,
  latestRehearsal,
  type RoleName,
  type Verdict,
} from 'pergola/kernel';
import { plural, t } from '../texts.ts';
import { type AppAction, sentenceText } from './apps.ts';

/** Differences of one kind. */
export interface ShownDifferences {
  readonly title: string;
  readonly count: number;
  readonly groups: readonly ShownDifference[];
}

/** The same difference, in one or several places. */
export interface ShownDifference {
  /** Address of a page, or the name of what differs. */
  readonly place: string;
  readonly isPage: boolean;
  /** `and 12 more pages · visitor, customer` */
  readonly details: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Latest rehearsal of an action, ready to render. */
export interface ShownAppRehearsal {
  readonly id: number;
  readonly by: string;
  /** ISO, UTC. */
  readonly begun: string;
  readonly state: 'running' | 'done' | 'stopped' | 'broken';
  /** What a running rehearsal does now. */
  readonly step: string;
  /** Compared pages, and how many there are; 0 before that is known. */
  readonly done: number;
  readonly total: number;
  /** Why it ended early. */
  readonly trouble: string;
  readonly report: ShownReport | null;
}

interface ShownReport {
  readonly verdict: Verdict;
  readonly summary: string;
  /** With it, the switch is refused if anything has changed since; null if the change is impossible. */
  readonly fingerprint: string | null;
  readonly notes: readonly string[];
  readonly kinds: readonly ShownDifferences[];
}

/** The latest rehearsal of an action, or null. The caller checks access. */
export async function shownRehearsal(ctx: Ctx, action: AppAction, name: string): Promise<ShownAppRehearsal | null> {
  const rehearsal = await latestRehearsal(ctx, action, name);
  if (!rehearsal) return null;
  const { id, by, begun, state, progress, trouble, report } = rehearsal;
  return {
    id,
    by,
    begun: begun.toISOString(),
    state,
    step: stepText(ctx, progress?.step),
    done: progress?.done ?? 0,
    total: progress?.total ?? 0,
    trouble,
    report: report && {
      verdict: report.verdict,
      summary: summaryText(ctx, report),
      fingerprint: report.fingerprint,
      notes: report.notes.map((note) => sentenceText(ctx, note)),
      kinds: [...Map.groupBy(report.groups, ({ kind }) => kind)].map(([kind, groups]) => ({
        title: kindTitle(ctx, kind),
        count: groups.reduce((sum, { count }) => sum + count, 0),
        groups: groups.map((group) => differenceOf(ctx, group)),
      })),
    },
  };
}

function stepText(ctx: Ctx, step: 'switch' | 'pages' | undefined): string {
  if (step === undefined) return t(ctx, 'Copying the site');
  return step === 'switch' ? t(ctx, 'Making the change on the copy') : t(ctx, 'Comparing pages');
}

function summaryText(ctx: Ctx, { count, pages, seconds }: { count: number; pages: number; seconds: number }): string {
  const { formatNumber } = ctx.get(app.formats);
  return t(ctx, '{differences} on {pages}, compared in {seconds} s.', {
    differences: plural(ctx, '{n} difference', '{n} differences', count, { n: formatNumber(count, ctx.lang) }),
    pages: plural(ctx, '{n} page', '{n} pages', pages, { n: formatNumber(pages, ctx.lang) }),
    seconds: Math.round(seconds),
  });
}

function kindTitle(ctx: Ctx, kind: DifferenceKind): string {
  switch (kind) {
    case 'problem':
      return t(ctx, 'The change fails');
    case 'error':
      return t(ctx, 'Pages with errors');
    case 'loop':
      return t(ctx, 'Redirects that never end');
    case 'mail':
      return t(ctx, 'Emails that can’t be sent');
    case 'data':
      return t(ctx, 'Data that is lost or overwritten');
    case 'rights':
      return t(ctx, 'Access rights');
    case 'status':
      return t(ctx, 'Pages that appear or disappear');
    case 'redirect':
      return t(ctx, 'Redirects');
    case 'route':
      return t(ctx, 'Addresses');
    case 'job':
      return t(ctx, 'Scheduled jobs');
    case 'translation':
      return t(ctx, 'Missing translations');
    case 'text':
      return t(ctx, 'Texts');
    case 'structure':
      return t(ctx, 'Page layout');
    case 'accessibility':
      return t(ctx, 'Accessibility');
    case 'queries':
      return t(ctx, 'Database queries');
    case 'time':
      return t(ctx, 'Slower pages');
    case 'bytes':
      return t(ctx, 'Page size');
    case 'network':
      return t(ctx, 'Connections to other servers');
  }
}

function differenceOf(ctx: Ctx, { example, paths, viewers }: DifferenceGroup): ShownDifference {
  const isPage = viewers.length > 0;
  const more = paths - 1;
  const others = isPage
    ? plural(ctx, 'and {n} more page', 'and {n} more pages', more)
    : plural(ctx, 'and {n} more', 'and {n} more', more);
  const details = [more > 0 ? others : '', viewers.map((viewer) => viewerText(ctx, viewer)).join(', ')];
  const { kind, path, before, after } = example;
  return {
    place: isPage ? path : path.replace(/^(access|field|host|job|mail|model|route|rule|table) /, ''),
    isPage,
    details: details.filter(Boolean).join(' · '),
    before: valueText(ctx, kind, before),
    after: valueText(ctx, kind, after),
  };
}

function viewerText(ctx: Ctx, viewer: RoleName): string {
  switch (viewer) {
    case 'visitor':
      return t(ctx, 'visitor');
    case 'customer':
      return t(ctx, 'customer');
    case 'editor':
      return t(ctx, 'editor');
    case 'administrator':
      return t(ctx, 'administrator');
  }
}

/** A compared value in the reader’s language, if it is a count or a word of the comparison. */
function valueText(ctx: Ctx, kind: DifferenceKind, value: string | null): string | null {
  if (value === null) return null;
  const [, count, unit] = (kind === 'data' && /^(\d+) (record|value)s?$/.exec(value)) || [];
  if (count !== undefined)
    return unit === 'record'
      ? plural(ctx, '{n} record', '{n} records', Number(count))
      : plural(ctx, '{n} value', '{n} values', Number(count));
  // Texts of pages may be the same words.
  return kind === 'text' ? value : wordText(ctx, value);
}

function wordText(ctx: Ctx, word: string): string {
  switch (word) {
    case 'other values':
      return t(ctx, 'other values');
    case 'contacted':
      return t(ctx, 'contacted');
    case '*':
      return t(ctx, 'everyone');
    case 'signed in':
      return t(ctx, 'signed-in users');
    default:
      return word;
  }
}
