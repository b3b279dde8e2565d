import type { HtmlFacts } from './page-facts.ts';
import type { Difference, DifferenceKind, PageFacts } from './types.ts';

/** A difference of a page, without its address and viewer. */
export type PageDifference = Pick<Difference, 'kind' | 'before' | 'after'>;

/** Smaller changes of a page's size aren't reported: both have to be exceeded. */
const MIN_BYTES = 2_000;
const MIN_SHARE = 0.1;
/** A page is slow if it takes this much longer, in milliseconds, and this many times as long. */
const MIN_SLOWER_MS = 100;
const MIN_SLOWER = 2;
/** Maximum number of differences of one kind on one page. */
const MAX_PER_KIND = 40;

const isOk = (status: number): boolean => status >= 200 && status < 300;
const isSignIn = (location: string | null): boolean => /\/login\b/.test(location ?? '');
/** Refused for reasons of rights: pages for others look as if they were missing. */
const isRefused = ({ status, location }: PageFacts): boolean =>
  status === 401 || status === 403 || status === 404 || isSignIn(location);

/** Compares what one viewer gets at one address. */
export function pageDifferences(before: PageFacts, after: PageFacts, noise: Noise = noNoise): PageDifference[] {
  const differences = [...errorDifferences(before, after), ...statusDifferences(before, after)];
  if (after.queries !== before.queries)
    differences.push({ kind: 'queries', before: `${before.queries}`, after: `${after.queries}` });
  if (after.ms > before.ms + MIN_SLOWER_MS && after.ms > before.ms * MIN_SLOWER)
    differences.push({ kind: 'time', before: milliseconds(before.ms), after: milliseconds(after.ms) });
  // A page that is new, gone or refused has nothing to compare.
  if (before.status !== after.status || before.html === null || after.html === null) return differences;
  const growth = Math.abs(after.bytes - before.bytes);
  if (growth > MIN_BYTES && growth > before.bytes * MIN_SHARE)
    differences.push({ kind: 'bytes', before: `${before.bytes}`, after: `${after.bytes}` });
  return [...differences, ...htmlDifferences(before.html, after.html, noise)];
}

function milliseconds(ms: number): string {
  return `${Math.round(ms)} ms`;
}

function errorDifferences(before: PageFacts, after: PageFacts): PageDifference[] {
  const differences = after.errors
    .filter((error) => !before.errors.includes(error))
    .map((error): PageDifference => ({ kind: 'error', before: null, after: error }));
  if (after.status >= 500 && before.status < 500 && differences.length === 0)
    differences.push({ kind: 'error', before: statusText(before), after: statusText(after) });
  if (after.loop.length > 0 && before.loop.length === 0)
    differences.push({ kind: 'loop', before: statusText(before), after: after.loop.join(' → ') });
  return differences;
}

function statusDifferences(before: PageFacts, after: PageFacts): PageDifference[] {
  if (before.status === after.status && before.location === after.location) return [];
  return [{ kind: statusKind(before, after), before: statusText(before), after: statusText(after) }];
}

function statusKind(before: PageFacts, after: PageFacts): DifferenceKind {
  // A page that one of the sides doesn't have is new or gone, not opened or closed.
  const isOnBoth = before.route === after.route && before.route !== '';
  if (isOk(after.status) && (isSignIn(before.location) || before.status === 403 || (isOnBoth && isRefused(before))))
    return 'rights';
  if (isOk(before.status) && (isSignIn(after.location) || after.status === 403 || (isOnBoth && isRefused(after))))
    return 'rights';
  return before.status === after.status ? 'redirect' : 'status';
}

function statusText({ status, location }: PageFacts): string {
  return location === null ? `${status}` : `${status} → ${location}`;
}

function htmlDifferences(before: HtmlFacts, after: HtmlFacts, noise: Noise): PageDifference[] {
  const barriers = changedLines(before.barriers, after.barriers, noise).added;
  return [
    ...lineDifferences('text', before.texts, after.texts, noise),
    ...lineDifferences('structure', before.elements, after.elements, noise),
    ...barriers.map(({ text }): PageDifference => ({ kind: 'accessibility', before: null, after: text })),
  ];
}

/** Lines that differ each time a page is rendered, by side. */
export interface Noise {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}
const noNoise: Noise = { before: new Set(), after: new Set() };

/** Lines that differ between two renderings of the same page. */
export function changingLines(first: PageFacts, second: PageFacts): ReadonlySet<string> {
  const [firstHtml, secondHtml] = [first.html, second.html];
  if (!firstHtml || !secondHtml) return new Set();
  const lists = (['texts', 'elements', 'barriers'] as const).map((list) =>
    changedLines(firstHtml[list], secondHtml[list]),
  );
  return new Set(lists.flatMap(({ removed, added }) => [...removed, ...added].map(({ text }) => text)));
}

/** Differences of two lists of lines. Neighbouring lines are one difference, as are lines and their replacement. */
function lineDifferences(
  kind: DifferenceKind,
  before: readonly string[],
  after: readonly string[],
  noise: Noise,
): PageDifference[] {
  const changes = changedLines(before, after, noise);
  if (changes.removed.length + changes.added.length === 0) {
    const moved = before.findIndex((line, index) => after[index] !== line);
    if (moved < 0 || noise.before.size + noise.after.size > 0) return [];
    return [{ kind, before: `in this order: ${before[moved]}`, after: `in this order: ${after[moved]}` }];
  }
  const [removed, added] = [runsOf(changes.removed), runsOf(changes.added)];
  const differences =
    removed.length === added.length
      ? removed.map((run, index) => ({ kind, before: run, after: added[index] ?? null }))
      : // Unequal numbers of changes have no places in common.
        [
          ...removed.map((run) => ({ kind, before: run, after: null })),
          ...added.map((run) => ({ kind, before: null, after: run })),
        ];
  return differences.slice(0, MAX_PER_KIND);
}

interface Line {
  readonly index: number;
  readonly text: string;
}

/** Joins neighbouring lines. */
function runsOf(lines: readonly Line[]): string[] {
  const runs: string[] = [];
  lines.forEach(({ index, text }, position) => {
    const isNext = position > 0 && lines[position - 1]?.index === index - 1;
    if (isNext) runs.push(`${runs.pop()}\n${text}`);
    else runs.push(text);
  });
  return runs;
}

/** Lines that only one of two lists has, in order; a line that occurs several times counts each time. */
function changedLines(
  before: readonly string[],
  after: readonly string[],
  noise: Noise = noNoise,
): { readonly removed: readonly Line[]; readonly added: readonly Line[] } {
  return { removed: without(before, after, noise.before), added: without(after, before, noise.after) };
}

function without(lines: readonly string[], otherLines: readonly string[], noise: ReadonlySet<string>): Line[] {
  const counts = new Map<string, number>();
  for (const line of otherLines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.flatMap((text, index) => {
    const count = counts.get(text) ?? 0;
    if (count > 0) counts.set(text, count - 1);
    return count === 0 && !noise.has(text) ? [{ index, text }] : [];
  });
}

/** Lines that only the first list has. */
export function missingLines(lines: readonly string[], otherLines: readonly string[]): string[] {
  return without(lines, otherLines, noNoise.before).map(({ text }) => text);
}

/** Identifies a difference wherever it occurs, such as a menu item missing from every page. */
export function differenceKey({ kind, before, after }: PageDifference): string {
  if (kind === 'queries') return `queries ${Number(after) - Number(before)}`;
  if (kind === 'time' || kind === 'bytes') return kind;
  return JSON.stringify([kind, before, after]);
}

/** Facts of a page rendered twice: the smaller figures, since caches fill and other programs take time. */
export function calmer(first: PageFacts, second: PageFacts): PageFacts {
  return {
    ...second,
    queries: Math.min(first.queries, second.queries),
    ms: Math.min(first.ms, second.ms),
    errors: second.errors.filter((error) => first.errors.includes(error)),
  };
}

/**
 * Texts in the main language on a page in another language that didn't have them before.
 *
 * @param main the same page in the main language, after the switch
 */
export function untranslated(before: HtmlFacts, after: HtmlFacts, main: HtmlFacts): PageDifference[] {
  if (after.lang === main.lang) return [];
  const mainTexts = new Set(main.texts);
  return missingLines(after.texts, before.texts)
    .filter((text) => mainTexts.has(text) && /\p{L}{3}/u.test(text))
    .map((text) => ({ kind: 'translation', before: null, after: text }));
}
