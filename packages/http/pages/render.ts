import { breakers, type GuardedPart } from '@pergola/cluster';
import { escapeHtml } from '@pergola/content';
import { type Ctx, currentAccount, inAddon, type RequestView, type Tracker } from '@pergola/core';
import { type Area, assets } from '@pergola/islands';
import { choiceText } from '@pergola/orm';
import { type Hole, HoleMarks, type PageParts } from '@pergola/page-cache';
import { attributeAt, pictureUrl, type RenderContext, templates } from '@pergola/pages';
import { appTitle, type CurrencyFormat, t } from '@pergola/texts';
import { localPath } from '../local-paths.ts';
import { routes } from '../points.ts';
import type { RequestInfo } from '../request-info.ts';
import { guardedCall } from '../routes/guarded.ts';
import { CSRF_FIELD } from '../security/csrf.ts';
import type { Site } from '../site.ts';
import type { HttpApplication } from '../types.ts';
import { fillBlocks } from './fill-blocks.ts';
import { KeptParts, type PartMaker } from './kept-parts.ts';
import { withoutBrokenPatches } from './without-broken-patches.ts';

/** Marker written while the template renders and resolved afterwards: holes stay, blocks are rendered. */
type Mark = Hole | BlockMark;

interface BlockMark {
  readonly kind: 'block';
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the block comes from saved text; templates may pass any options to a block. */
  readonly saved: boolean;
}

/** Inputs of one rendering. */
export interface Rendering {
  readonly ctx: Ctx;
  readonly info: RequestInfo;
  readonly view: RequestView;
  /** Records the page's reads; null if the page isn't cached. */
  readonly tracker: Tracker | null;
  /** The fragment being rendered, or undefined for the page itself. */
  readonly fragment?: string;
}

/** How deep blocks and fragments may be nested. */
const MAX_DEPTH = 5;
/** How long a page with a text like "3 hours ago" stays accurate enough. */
const RELATIVE_MS = 60_000;

/** Renders pages from templates: fills blocks and fragments, localises paths for the visitor. */
export class Renderer {
  readonly #guards: HttpApplication['guards'];
  readonly #kept: KeptParts;

  constructor(application: HttpApplication) {
    this.#guards = application.guards;
    this.#kept = new KeptParts(application);
  }

  /**
   * A page cut at its visitor-specific parts. For visitors without a session, only fragments that change more often than the page stay
   * open: all others are the same for them and become part of the page.
   */
  async page(rendering: Rendering, template: string, values: object): Promise<PageParts> {
    const parts = await this.#parts(rendering, template, values, 0);
    if (rendering.info.session.exists) return parts;
    return this.#fillWhere(rendering, parts, (hole) => !this.#isApart(rendering.info, hole), 0);
  }

  /** The page as text, with all its holes filled for this visitor. */
  async fill(rendering: Rendering, parts: PageParts): Promise<string> {
    const filled = await this.#fillWhere(rendering, parts, () => true, 0);
    return filled.parts.join('');
  }

  /** The complete template as text, for replies that are markup. */
  async fragment(rendering: Rendering, template: string, values: object): Promise<string> {
    return this.fill(rendering, await this.#parts(rendering, template, values, 0));
  }

  /** Path of this site in the visitor's language; paths without languages are unchanged. */
  localize({ site, state, address, attributes }: RequestInfo, path: string): string {
    return localPath(site.generation.get(routes), path, (bare) => site.localize(state, bare, address.lang, attributes));
  }

  async #parts(rendering: Rendering, template: string, values: object, depth: number): Promise<PageParts> {
    const { info, tracker } = rendering;
    const [rules] = await Promise.all([prepareRules(info.site, tracker), info.site.generation.get(assets).ready()]);
    const { parts, holes } = withoutBrokenPatches(rendering, template, (omitted) => {
      const marks = new HoleMarks<Mark>();
      const context = this.#context(rendering, marks, rules);
      return marks.cut(info.site.generation.get(templates).render(template, values, context, omitted));
    });
    return this.#withBlocks(rendering, parts, holes, depth);
  }

  async #withBlocks(
    rendering: Rendering,
    parts: readonly string[],
    marks: readonly Mark[],
    depth: number,
  ): Promise<PageParts> {
    const keep = marks.some(isKeepable) && !isEditor(rendering) ? this.#kept.of(rendering) : null;
    const blocks = await all(rendering.ctx, marks, async (mark) =>
      mark.kind === 'block' ? this.#block(rendering, mark, isKeepable(mark) ? keep : null, depth) : mark,
    );
    return join(parts, blocks);
  }

  async #block(
    rendering: Rendering,
    { id, options }: BlockMark,
    keep: PartMaker | null,
    depth: number,
  ): Promise<PageParts> {
    const { ctx, info } = rendering;
    const definition = info.site.blocks.get(id);
    if (!definition) return whole(isEditor(rendering) ? noteFor(missingText(rendering, id)) : '');
    const parsed = definition.options.safeParse(options);
    if (!parsed.success) return whole(isEditor(rendering) ? noteFor(unfitText(ctx)) : '');
    const make = async (partRendering: Rendering): Promise<PageParts> => {
      const values = await definition.load(partRendering.ctx, parsed.data, partRendering.view);
      return this.#parts(partRendering, definition.template, values, depth + 1);
    };
    const partName = `block ${id}`;
    return this.#guarded(rendering, partOf('block', definition), options, depth, () =>
      keep ? keep(partName, options, make) : make(rendering),
    );
  }

  async #fillWhere(
    rendering: Rendering,
    { parts, holes }: PageParts,
    isFillable: (hole: Hole) => boolean,
    depth: number,
  ): Promise<PageParts> {
    if (!holes.some(isFillable)) return { parts, holes };
    // Without a session, a fragment is the same for everyone.
    const keep = rendering.info.session.exists ? null : this.#kept.of(rendering);
    const filled = await all(rendering.ctx, holes, async (hole) => {
      if (!isFillable(hole)) return hole;
      const content = await this.#hole(rendering, hole, keep, depth);
      return this.#fillWhere(rendering, content, isFillable, depth + 1);
    });
    return join(parts, filled);
  }

  async #hole(rendering: Rendering, hole: Hole, keep: PartMaker | null, depth: number): Promise<PageParts> {
    const { info } = rendering;
    if (hole.kind === 'csrf') return whole(csrfField(this.#guards.csrfToken(info.session)));
    if (hole.kind === 'session') return whole(sessionData(info.identity.id));
    const definition = info.site.fragments.get(hole.id);
    if (!definition) return whole('');
    if (definition.vary === 'always') rendering.tracker?.personal(`its fragment ${hole.id} is new each time`);
    const partName = `fragment ${hole.id}`;
    const make = async (partRendering: Rendering): Promise<PageParts> => {
      const values = await definition.load(partRendering.ctx, partRendering.view);
      return this.#parts({ ...partRendering, fragment: hole.id }, definition.template, values, depth + 1);
    };
    const partCache = definition.vary === 'always' ? null : keep;
    const shared = definition.vary === 'often' ? partName : undefined;
    return this.#guarded(rendering, partOf('fragment', definition), null, depth, () =>
      partCache ? partCache(partName, {}, make, shared) : make(rendering),
    );
  }

  /** A failing part leaves its place empty and a log entry; it never breaks the page. */
  async #guarded(
    { info, tracker }: Rendering,
    part: GuardedPart,
    options: unknown,
    depth: number,
    make: () => Promise<PageParts>,
  ): Promise<PageParts> {
    const partName = `${part.kind} ${part.name}`;
    const guard = info.site.generation.get(breakers);
    try {
      if (depth >= MAX_DEPTH) throw new Error(`It stands in itself, or in ${MAX_DEPTH} others.`);
      const run = () => inAddon(part.addon, make);
      return await guard.guard(part, guardedCall(info, options), run, async (error) => {
        if (error !== undefined) throw error;
        guard.note(tracker, part);
        return whole('');
      });
    } catch (error) {
      // The visitor disconnected, so the page isn't sent.
      if (info.bounds.signal?.aborted) throw error;
      tracker?.personal(`its ${partName} failed`);
      currentAccount()?.failed(error);
      info.log.error({ err: error, what: partName }, 'A part of a page failed and was left out');
      return whole('');
    }
  }

  #isApart({ site }: RequestInfo, hole: Hole): boolean {
    return hole.kind === 'fragment' && site.fragments.get(hole.id)?.vary !== 'session';
  }

  #context(rendering: Rendering, marks: HoleMarks<Mark>, rules: readonly PreparedRule[]): RenderContext {
    const { ctx, info, tracker, fragment } = rendering;
    // Renders the head before the body below it.
    let area: Area = 'public';
    const editor = isEditor(rendering);
    const isMarked = editor || rules.some(({ rule }) => rule.marks?.(ctx.user.groups) ?? false);
    const urls = new Map<string, string>();
    const prefix = (): string => this.localize(info, '/').replace(/\/$/, '');
    const csrf = (): string => marks.mark({ kind: 'csrf' });
    const linked = new Set<string>();
    const link = (id: string): string =>
      `<link rel="stylesheet" href="${info.site.generation.get(assets).stylesheet(id)}">`;
    return {
      lang: ctx.lang,
      timezone: ctx.timezone,
      siteTimezone: ctx.siteTimezone,
      groups: ctx.user.groups,
      editor,
      editable: (model, id, field) =>
        isMarked && rules.every(({ rule }) => rule.editable?.(ctx, model, id, field) ?? true),
      currency: (key) => firstCurrency(rules, key),
      now: () => {
        tracker?.until(new Date(ctx.now().getTime() + RELATIVE_MS));
        return ctx.now();
      },
      t: (text, params) => t(ctx, text, params),
      choice: (model, field, value) => choiceText(ctx, model, field, value),
      url: (path) => {
        const localPath = urls.get(path) ?? this.localize(info, path);
        urls.set(path, localPath);
        return localPath;
      },
      image: pictureUrl,
      assets: (requestedArea) => {
        area = requestedArea;
        const head = info.site.generation.get(assets).head(area, ctx.lang, prefix(), ctx.siteTimezone);
        return head + marks.mark({ kind: 'session' });
      },
      attribute: (path) => attributeAt(ctx.attributes, path),
      stylesheet: (id) => {
        linked.add(id);
        return link(id);
      },
      contentStyles: (html) => {
        const missingSheets = new Set(rules.flatMap(({ rule }) => rule.stylesheets?.(html, isMarked) ?? [])).difference(
          linked,
        );
        for (const id of missingSheets) linked.add(id);
        return [...missingSheets].map(link).join('');
      },
      icon: (name) => info.site.generation.get(assets).icon(name),
      island: (id, props, options) =>
        info.site.generation.get(assets).island(id, props, options, ctx, { fragment, area, prefix: prefix(), csrf }),
      fragment: (id) => marks.mark({ kind: 'fragment', id }),
      csrf,
      block: (id, options) => marks.mark({ kind: 'block', id, options, saved: false }),
      fillBlocks: (html) => fillBlocks(html, (id, options) => marks.mark({ kind: 'block', id, options, saved: true })),
    };
  }
}

function partOf(kind: 'block' | 'fragment', definition: { readonly id: string }): GuardedPart {
  const { id } = definition;
  return { addon: id.slice(0, id.indexOf('.')), kind, name: id, declared: definition };
}

/** Saved options are JSON data; options from a template can be anything, of which numbers and null are fine. */
function isKeepable(mark: Mark): boolean {
  if (mark.kind !== 'block') return false;
  return mark.saved || Object.values(mark.options).every((value) => typeof value === 'number');
}

interface PreparedRule {
  readonly rule: Site['rendering'][number]['rule'];
  readonly prepared: unknown;
}

function prepareRules(site: Site, tracker: Tracker | null): Promise<PreparedRule[]> {
  return Promise.all(
    site.rendering.map(async ({ rule, prepared }) => ({ rule, prepared: await prepared.get(tracker) })),
  );
}

function firstCurrency(rules: readonly PreparedRule[], key: number | string): CurrencyFormat | undefined {
  for (const { rule, prepared } of rules) {
    const currency = rule.currency?.(prepared, key);
    if (currency) return currency;
  }
  return undefined;
}

/** Cacheable pages are never shown in the editor: the editor is requested by a query value that no route declares. */
function isEditor({ ctx, info, view, tracker }: Rendering): boolean {
  if (tracker || Object.keys(info.target.parameters).length === 0) return false;
  return info.site.rendering.some(({ rule }) => rule.editor?.(ctx, view) ?? false);
}

/** One after the other in a transaction, whose connection is shared; otherwise concurrently. */
async function all<T, R>(ctx: Ctx, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  if (!ctx.writes) return Promise.all(items.map(work));
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Joins parts with the inserts between them, which are further parts or holes to fill later. */
function join(parts: readonly string[], between: readonly (PageParts | Hole)[]): PageParts {
  const joined = { parts: [parts[0] ?? ''], holes: [] as Hole[] };
  for (const [index, piece] of between.entries()) {
    const nextPart = parts[index + 1] ?? '';
    if ('kind' in piece) append(joined, { parts: ['', nextPart], holes: [piece] });
    else {
      append(joined, piece);
      append(joined, whole(nextPart));
    }
  }
  return joined;
}

function append(to: { parts: string[]; holes: Hole[] }, more: PageParts): void {
  const [first = '', ...rest] = more.parts;
  to.parts[to.parts.length - 1] += first;
  to.parts.push(...rest);
  to.holes.push(...more.holes);
}

function whole(html: string): PageParts {
  return { parts: [html], holes: [] };
}

function csrfField(token: string): string {
  return token === '' ? '' : `<input type="hidden" name="${CSRF_FIELD}" value="${escapeHtml(token)}">`;
}

/** Visitor data for scripts, read by `packages/browser/page-data.ts`. */
function sessionData(user: number | null): string {
  return user === null
    ? ''
    : `<script type="application/json" id="pergola-session">${JSON.stringify({ user })}</script>`;
}

/** Reason why an unknown block isn't shown. */
function missingText({ ctx, info }: Rendering, id: string): string {
  const addon = id.slice(0, id.indexOf('.'));
  const isEnabled = info.site.generation.addons.some(({ name }) => name === addon);
  const app = isEnabled ? null : appTitle(ctx, addon);
  return app === null
    ? t(ctx, 'This block no longer exists. Visitors see nothing here.')
    : t(ctx, 'This block belongs to “{app}”, which is disabled. Visitors see nothing here.', { app });
}

function unfitText(ctx: Ctx): string {
  return t(ctx, 'This block’s settings are no longer valid. Visitors see nothing here.');
}

function noteFor(text: string): string {
  return `<p class="alert alert-warning" role="note">${escapeHtml(text)}</p>`;
}
