import {
  type CodeReview,
  describeProblem,
  InvalidInput,
  type Problem,
  rootCauses,
  type Sentence,
  sentence,
} from '@pergola/core';
import {
  calmer,
  changingLines,
  differenceKey,
  missingLines,
  type PageDifference,
  pageDifferences,
  untranslated,
} from './compare-pages.ts';
import { siteDifferences } from './compare-site.ts';
import {
  type Difference,
  MAX_DIFFERENCES,
  type PageFacts,
  type PageRequest,
  type Rehearsal,
  type RehearsedAction,
  type RoleName,
  type Side,
  type Verdict,
  type Viewer,
} from './types.ts';

export interface RehearsalOptions {
  readonly action: RehearsedAction;
  readonly names: readonly string[];
  /** A copy of the site as it is. */
  readonly before: Side;
  /** Another copy, on which the switch is made. */
  readonly after: Side;
  /** Maximum number of addresses. */
  readonly limit?: number;
  /** Agrees to what the code can do. */
  readonly consents?: boolean;
  readonly onProgress?: (progress: RehearsalProgress) => void;
}

export interface RehearsalProgress {
  readonly step: 'switch' | 'pages';
  readonly done: number;
  readonly total: number;
}

/** What is said of a role without a user. */
const missingRoles: Readonly<Partial<Record<RoleName, Sentence>>> = {
  customer: sentence('The site has no customer yet, so pages were not compared as one.'),
  editor: sentence('The site has no editor yet, so pages were not compared as one.'),
  administrator: sentence('The site has no administrator, so pages were not compared as one.'),
};
/** Number of addresses if none is given. */
export const DEFAULT_PAGES = 200;
/** Pages rendered per message to a side. */
const BATCH = 8;
/** Pages of a route that have to be the same twice before contents of its others are believed at once. */
const MIN_CALM = 4;
/** Batches to render ahead of comparing. */
const AHEAD = 3;
/** Kinds that make a rehearsal fail. */
const FAILURES: ReadonlySet<string> = new Set(['problem', 'error', 'loop', 'mail']);

/**
 * Rehearses a switch on two copies of a site: changes one of them, and reports the differences for visitors and staff.
 *
 * @throws InvalidInput if code has to be read and allowed first
 */
export async function compareSides(options: RehearsalOptions): Promise<Rehearsal> {
  return new Comparison(options).run();
}

class Comparison {
  readonly #options: RehearsalOptions;
  readonly #startedAt = performance.now();
  readonly #differences: Difference[] = [];
  readonly #notes: Sentence[] = [];
  /** Differences that the second rendering of their page had too. */
  readonly #confirmed = new Set<string>();
  /** How many pages of a route were the same when they were rendered again. */
  readonly #calmPages = new Map<string, number>();
  /** Pages in the main language, by address and viewer. */
  readonly #mainPages = new Map<string, PageFacts>();
  /** Pages of visitors, by address. */
  readonly #visitorPages = new Map<string, PageFacts>();
  #omitted = 0;
  #pages = 0;

  constructor(options: RehearsalOptions) {
    this.#options = options;
  }

  async run(): Promise<Rehearsal> {
    const { action, names, before, after, consents = false, onProgress } = this.#options;
    onProgress?.({ step: 'switch', done: 0, total: 0 });
    const unready = await before.unready();
    const { problems, reviews, fingerprint } = await after.apply(action, names, consents);
    if (reviews.length > 0) throw mustBeRead(reviews);
    this.#reportProblems(problems, await after.unready());
    if ((await after.unready()).length === 0) await this.#compare(unready);
    return this.#result(fingerprint);
  }

  async #compare(unready: readonly string[]): Promise<void> {
    const { before, after, limit = DEFAULT_PAGES } = this.#options;
    const hasBefore = unready.length === 0;
    if (!hasBefore)
      this.#notes.push(
        sentence('Only failures could be looked for, because the site as it is can’t be shown: {reasons}', {
          reasons: unready.join(' '),
        }),
      );
    const viewers = await (hasBefore ? before : after).viewers();
    for (const [role, note] of Object.entries(missingRoles))
      if (!viewers.some(({ as }) => as === role)) this.#notes.push(note);
    // One after the other: both warm up the same way, and the database of a copy isn't shared.
    const [facts, nextFacts, addresses, nextAddresses] = await Promise.all([
      hasBefore ? before.facts() : null,
      after.facts(),
      hasBefore ? before.addresses(viewers, limit) : [],
      after.addresses(viewers, limit),
    ]);
    if (facts) for (const difference of siteDifferences(facts, nextFacts)) this.#report(difference);
    // Pages that only one side has are few; they come first.
    const [lostPaths, newPaths] = [missingIn(addresses, nextAddresses), missingIn(nextAddresses, addresses)];
    const commonPaths = addresses.filter((path) => nextAddresses.includes(path));
    const paths = interleaved(lostPaths, newPaths, commonPaths).slice(0, limit);
    await this.#comparePages(paths, viewers, hasBefore);
    const previousHosts = hasBefore ? await before.refusedHosts() : [];
    for (const host of (await after.refusedHosts()).filter((host) => !previousHosts.includes(host)))
      this.#report({ path: `host ${host}`, as: '', kind: 'network', before: null, after: 'contacted' });
  }

  async #comparePages(paths: readonly string[], viewers: readonly Viewer[], hasBefore: boolean): Promise<void> {
    const { before, after, onProgress } = this.#options;
    const requests = paths.flatMap((path) => viewers.map((viewer): PageRequest => ({ path, viewer })));
    const batches = Array.from({ length: Math.ceil(requests.length / BATCH) }, (_, index) =>
      requests.slice(index * BATCH, (index + 1) * BATCH),
    );
    const render = (batch: readonly PageRequest[] = []) => {
      const pages = Promise.all([hasBefore ? before.render(batch) : [], after.render(batch)]);
      // Each batch is awaited in its turn; a failure of a later one must not end the process before.
      pages.catch(() => {});
      return pages;
    };
    // The faster side continues with the next pages.
    const ahead = batches.slice(0, AHEAD).map(render);
    for (const [number, batch] of batches.entries()) {
      const [pages, nextPages] = (await ahead.shift()) ?? [[], []];
      if (number + AHEAD < batches.length) ahead.push(render(batches[number + AHEAD]));
      for (const [index, request] of batch.entries()) {
        const [page, nextPage] = [pages[index], nextPages[index]];
        if (!nextPage) continue;
        this.#pages += 1;
        if (page) await this.#comparePage(request, page, nextPage);
        else this.#reportFailures(request, nextPage);
      }
      onProgress?.({ step: 'pages', done: Math.min((number + 1) * BATCH, requests.length), total: requests.length });
    }
  }

  /** Without a page to compare with, only failures are known to be wrong. */
  #reportFailures({ path, viewer: { as } }: PageRequest, page: PageFacts): void {
    for (const error of page.errors) this.#report({ path, as, kind: 'error', before: null, after: error });
    if (page.status >= 500 && page.errors.length === 0)
      this.#report({ path, as, kind: 'error', before: null, after: `${page.status}` });
    if (page.loop.length > 0) this.#report({ path, as, kind: 'loop', before: null, after: page.loop.join(' → ') });
  }

  async #comparePage(request: PageRequest, page: PageFacts, nextPage: PageFacts): Promise<void> {
    const differences = await this.#lasting(request, page, nextPage);
    const { path, viewer } = request;
    for (const difference of differences) this.#report({ path, as: viewer.as, ...difference });
  }

  /** Differences that aren't chance: a page with new ones is rendered again on both sides. */
  async #lasting(request: PageRequest, page: PageFacts, nextPage: PageFacts): Promise<readonly PageDifference[]> {
    const { before, after } = this.#options;
    const differences = pageDifferences(page, nextPage);
    const isKnown = differences.every((difference) => this.#isConfirmed(difference, nextPage.route));
    if (isKnown) return [...differences, ...(await this.#translations(request, page, nextPage))];
    const [[secondPage], [nextSecond]] = await Promise.all([before.render([request]), after.render([request])]);
    if (!secondPage || !nextSecond) return differences;
    const noise = { before: changingLines(page, secondPage), after: changingLines(nextPage, nextSecond) };
    const lasting = pageDifferences(calmer(page, secondPage), calmer(nextPage, nextSecond), noise);
    for (const difference of lasting) this.#confirmed.add(differenceKey(difference));
    const isCalm = noise.before.size + noise.after.size === 0;
    const { route } = nextPage;
    this.#calmPages.set(route, isCalm ? (this.#calmPages.get(route) ?? 0) + 1 : Number.NEGATIVE_INFINITY);
    return [...lasting, ...(await this.#translations(request, page, nextPage))];
  }

  /** Whether a difference isn't chance: it occurred twice, or pages of its route are the same each time. */
  #isConfirmed(difference: PageDifference, route: string): boolean {
    if (difference.kind === 'time') return false;
    const isContent = difference.kind === 'text' || difference.kind === 'structure';
    return (
      this.#confirmed.has(differenceKey(difference)) || (isContent && (this.#calmPages.get(route) ?? 0) >= MIN_CALM)
    );
  }

  async #translations(request: PageRequest, page: PageFacts, nextPage: PageFacts): Promise<PageDifference[]> {
    const [old, next] = [page.html, nextPage.html];
    // A page that is new as a whole has texts of people, which nobody translates; the plan names texts of an app without a translation.
    if (!old || !next || page.status !== nextPage.status) return [];
    if (request.viewer.userId === null) this.#visitorPages.set(request.path, nextPage);
    if (missingLines(next.texts, old.texts).length === 0) return [];
    const main = await this.#mainPage(request, next.alternates['x-default']);
    const differences = main?.html ? untranslated(old, next, main.html) : [];
    if (differences.length === 0) return [];
    // Words that are the same in both languages aren't missing.
    const texts = differences.flatMap(({ after }) => after ?? []);
    const missing = await this.#options.after.withoutTranslation(next.lang, texts);
    return differences.filter(({ after }) => after !== null && missing.includes(after));
  }

  /** The same page in the main language; without addresses for languages, the one of a visitor. */
  async #mainPage(request: PageRequest, mainPath: string | undefined): Promise<PageFacts | undefined> {
    if (mainPath === undefined) return this.#visitorPages.get(request.path);
    const key = `${request.viewer.as} ${mainPath}`;
    const cachedPage = this.#mainPages.get(key);
    if (cachedPage || mainPath === request.path) return cachedPage;
    const [page] = await this.#options.after.render([{ ...request, path: mainPath }]);
    if (page) this.#mainPages.set(key, page);
    return page;
  }

  #reportProblems(problems: readonly Problem[], unready: readonly string[]): void {
    for (const problem of rootCauses(problems))
      this.#report({ path: problem.addon, as: '', kind: 'problem', before: null, after: describeProblem(problem) });
    if (problems.length > 0) return;
    for (const reason of unready) this.#report({ path: '', as: '', kind: 'problem', before: null, after: reason });
  }

  #report(difference: Difference): void {
    if (this.#differences.length < MAX_DIFFERENCES || FAILURES.has(difference.kind)) this.#differences.push(difference);
    else this.#omitted += 1;
  }

  #result(fingerprint: string | null): Rehearsal {
    return {
      verdict: verdictOf(this.#differences),
      seconds: Math.round((performance.now() - this.#startedAt) / 100) / 10,
      pages: this.#pages,
      differences: this.#differences,
      omitted: this.#omitted,
      fingerprint,
      notes: this.#notes,
    };
  }
}

function verdictOf(differences: readonly Difference[]): Verdict {
  if (differences.some(({ kind }) => FAILURES.has(kind))) return 'fails';
  return differences.length > 0 ? 'differs' : 'same';
}

function missingIn(paths: readonly string[], otherPaths: readonly string[]): string[] {
  const knownPaths = new Set(otherPaths);
  return paths.filter((path) => !knownPaths.has(path));
}

/** Takes from each list in turn. */
function interleaved(...lists: readonly (readonly string[])[]): string[] {
  const length = Math.max(...lists.map((list) => list.length));
  return Array.from({ length }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
}

function mustBeRead(reviews: readonly CodeReview[]): InvalidInput {
  return new InvalidInput('Read first what the code of these apps can do, and allow it: {apps}.', {
    code: 'core.review_code',
    params: { apps: reviews.map(({ title }) => title).join(', ') },
  });
}
