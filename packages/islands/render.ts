import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Digits,
  type Fills,
  FORM_MARK,
  fillText,
  pluralKey,
  type Translation,
  translationOf,
} from '@pergola/browser';
import { namedCache } from '@pergola/caches';
import type { Breakers, GuardedPart } from '@pergola/cluster';
import { escapeHtml } from '@pergola/content';
import {
  addonMarkup,
  type Ctx,
  contextTools,
  currentAccount,
  describeProblem,
  type Log,
  lineNaming,
  problemIn,
  sourceLines,
} from '@pergola/core';
import { localeOf } from '@pergola/texts';
import type { ComponentType, ReactElement } from 'react';
import { type Area, escapeJson } from './head.ts';
import { vendorFile } from './names.ts';
import { ISLANDS_FILE } from './plugins.ts';
import { type Rendering, rendering } from './server-face.ts';
import { withIslandPlaces } from './source-places.ts';
import type { Island, IslandOptions } from './types.ts';

type Component = ComponentType<Record<string, unknown>>;
type Tree = (
  component: Component,
  props: Record<string, unknown>,
  html: string | null,
  fills: readonly Fills[],
) => ReactElement;
type ToString = (element: ReactElement, options: { identifierPrefix: string }) => string;

/** Texts for browsers, by `<area> <language>`. */
export type BrowserTexts = ReadonlyMap<string, ReadonlyMap<string, Translation>>;

/** Place of an island on a page, and its content. */
export interface IslandPlace {
  /** Prefix of page paths in this language: `/fr`, or empty. */
  readonly prefix: string;
  /** HTML of the hidden token field in forms, or a placeholder until the page is sent. */
  readonly csrf: () => string;
  /** The fragment that contains the island, if any. */
  readonly fragment?: string;
  /** Area whose head the page has. Default `public`. */
  readonly area?: Area;
}

/** Cache limits for rendered islands: characters, and milliseconds. */
const RECENT = { maxSize: 4_000_000, ttl: 1000 };

/** Renders islands into pages. Components are loaded before the first page, not at startup, and rendering never waits. */
export class IslandRenderer {
  readonly #islands: ReadonlyMap<string, Island>;
  readonly #log: Log;
  readonly #breakers: Breakers;
  readonly #dev: boolean;
  readonly #reactFolder: string;
  readonly #texts: BrowserTexts;
  readonly #components = new Map<string, Component>();
  /** Number of islands on a context's page so far, by fragment, so that their ids don't collide. */
  readonly #counts = new WeakMap<object, Map<string, number>>();
  /** Recently rendered HTML, by island, place and props: popular addresses have the same islands over and over. */
  readonly #recent = namedCache<string, string>('islands', {
    ...RECENT,
    sizeCalculation: (html, key) => html.length + key.length,
  });
  readonly #formats = new Map<string, Intl.NumberFormat>();
  #react: { tree: Tree; toString: ToString } | null = null;
  #loaded: Promise<void> | null = null;

  /** `reactFolder` is the build folder from which components import React. */
  constructor(
    islands: ReadonlyMap<string, Island>,
    options: { log: Log; breakers: Breakers; dev: boolean; texts: BrowserTexts; reactFolder: string },
  ) {
    const { log, breakers, dev, texts, reactFolder } = options;
    this.#breakers = breakers;
    this.#reactFolder = reactFolder;
    this.#islands = islands;
    this.#texts = texts;
    this.#log = log;
    this.#dev = dev;
  }

  /** Resolves when islands can be rendered. A component that fails to load is rendered only in the browser. */
  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async #load(): Promise<void> {
    if (this.#islands.size === 0) return;
    const [{ islandTree }, { renderToString }] = await Promise.all([
      loadFrom<{ islandTree: Tree }>(this.#reactFolder, ISLANDS_FILE),
      loadFrom<typeof import('react-dom/server')>(this.#reactFolder, vendorFile('react-dom/server')),
    ]);
    this.#react = { tree: islandTree, toString: renderToString };
    for (const { id, addon, server, settings } of this.#islands.values()) {
      if (settings.ssr === false || !existsSync(server)) continue;
      try {
        const module = (await import(pathToFileURL(server).href)) as { default?: unknown };
        if (typeof module.default === 'function') this.#components.set(id, module.default as Component);
        else this.#log.error({ addon, island: id }, 'An island exports no component by default');
      } catch (error) {
        this.#log.error({ err: error, addon, island: id }, 'An island could not be loaded on the server');
      }
    }
  }

  /** HTML of the island, with its props as embedded data. */
  render(id: string, rawProps: unknown, options: IslandOptions, ctx: Ctx, place: IslandPlace): string {
    const island = this.#islands.get(id);
    if (!island) return this.#note(`There is no island "${id}".`);
    return addonMarkup(island.addon, () => this.#render(island, rawProps, options, ctx, place));
  }

  #render(island: Island, rawProps: unknown, options: IslandOptions, ctx: Ctx, place: IslandPlace): string {
    const { id } = island;
    const { on, media, content = '', from } = options;
    const props = this.#props(island, rawProps);
    if ('problems' in props) {
      const { problems } = props;
      this.#log.error(
        { addon: island.addon, island: id, from, problems },
        'The props of an island do not fit its schema',
      );
      return this.#note(`The props of island "${id}" in ${from} do not fit: ${problems}`);
    }
    const prefix = this.#prefix(ctx, place.fragment ?? '');
    const inner = content.trim() === '' ? null : content;
    const rendered = this.#html(island, props.json, inner, prefix, ctx, place);
    const html = Error.isError(rendered) ? null : rendered;
    const note = Error.isError(rendered) ? this.#failed(island, rendered, from) : '';
    const slots = island.fills.map(({ script }) => script).join(' ');
    const attributes = [
      `data-name="${id}"`,
      `data-src="${island.script}"`,
      `data-wake="${on}"`,
      ...(media === undefined ? [] : [`data-media="${escapeHtml(media)}"`]),
      ...(html === null ? [`data-fresh data-reserve style="${reserve(island)}"`] : []),
      ...(slots === '' ? [] : [`data-slots="${slots}"`]),
      `data-prefix="${prefix}"`,
      ...(this.#dev && from !== undefined ? [`data-from="${escapeHtml(from)}"`] : []),
    ];
    const styles = [island, ...island.fills].flatMap(({ style }) =>
      style ? [`<link rel="stylesheet" href="${style}">`] : [],
    );
    const data = `<script type="application/json">${escapeJson(props.json)}</script>`;
    // Content not yet shown by the component, kept for later.
    const unusedContent = inner !== null && !html?.includes(CONTENT) ? `<template>${inner}</template>` : '';
    const root = `<pergola-root>${html ?? ''}</pergola-root>`;
    return `${note}<pergola-island ${attributes.join(' ')}>${styles.join('')}${data}${unusedContent}${root}</pergola-island>`;
  }

  /** Props as JSON, the only form a browser gets; the server renders from the same text. */
  #props({ schema }: Island, rawProps: unknown): { json: string } | { problems: string } {
    try {
      const parsed = schema.safeParse(rawProps ?? {});
      if (parsed.success) return { json: JSON.stringify(parsed.data) };
      const { issues } = parsed.error;
      return { problems: issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
    } catch (error) {
      return { problems: String(error) };
    }
  }

  /** Id prefix of an island: its number on the page, or in the containing fragment. */
  #prefix(ctx: object, fragment: string): string {
    const counts = this.#counts.get(ctx) ?? new Map<string, number>();
    this.#counts.set(ctx, counts);
    const number = (counts.get(fragment) ?? 0) + 1;
    counts.set(fragment, number);
    return `${fragment.replace(/\W/g, '-')}i${number}`;
  }

  /** Null if the island is rendered only in the browser, or is off; the error if it can't be rendered. */
  #html(
    island: Island,
    json: string,
    content: string | null,
    identifierPrefix: string,
    ctx: Ctx,
    { area = 'public', prefix, csrf }: IslandPlace,
  ): string | Error | null {
    const component = this.#components.get(island.id);
    const react = this.#react;
    if (!component || !react) return null;
    const { lang } = ctx;
    const key = `${island.id} ${identifierPrefix} ${area} ${lang} ${prefix} ${content === null} ${json}`;
    const filled = (html: string): string =>
      html.replaceAll(TOKEN, () => csrf()).replaceAll(WITHIN, () => content ?? '');
    const recent = this.#recent.get(key);
    if (recent !== undefined) return filled(recent);
    // Only texts available in the browser: otherwise hydration would change the text.
    const texts = this.#texts.get(`${area} ${lang}`);
    const services: Rendering = {
      lang,
      prefix,
      numbers: (digits) => this.#numbers(lang, digits),
      csrf: () => TOKEN,
      t: (addon, text, params) => fillText(translationOf(texts?.get(text) ?? text, addon), params),
      plural: (addon, one, other, n, params) => {
        const translation = texts?.get(pluralKey(one, n, texts.get(FORM_MARK) as string | undefined));
        const number = this.#numbers(lang, {}).format(n);
        return fillText(translationOf(translation ?? (n === 1 ? one : other), addon), { n: number, ...params });
      },
    };
    const part = partOf(island);
    const work = (): string => {
      const fills = island.fills.map(({ components }) => components);
      const placeholder = content === null ? null : WITHIN;
      const element = react.tree(component, JSON.parse(json) as Record<string, unknown>, placeholder, fills);
      return rendering.run(services, () => react.toString(element, { identifierPrefix }));
    };
    try {
      const html = this.#breakers.guard<string | null>(part, { visitor: ctx.network, input: json }, work, (error) => {
        if (error !== undefined) throw error;
        this.#breakers.note(ctx.get(contextTools).tracker, part);
        return null;
      });
      if (html === null) return null;
      this.#recent.set(key, html);
      return filled(html);
    } catch (error) {
      return Error.isError(error) ? error : new Error(String(error));
    }
  }

  /**
   * Logs why an island can't be rendered. In development, the page shows it too, with the source line of the island and the place in the
   * template.
   */
  #failed({ id, addon, folder }: Island, error: Error, from?: string): string {
    currentAccount()?.failed(error);
    const fields = { addon, island: id, from };
    const message = 'An island failed while it was rendered; the browser tries again';
    if (!this.#dev) {
      this.#log.error({ ...fields, err: error }, message);
      return '';
    }
    error.stack = withIslandPlaces(error.stack ?? '');
    const problem = problemIn(error, [{ name: addon, folder }]);
    const { file, line } = problem.file === undefined ? {} : problem;
    const text = `island "${id}", placed in ${from ?? 'code'}, fails on the server: ${error.message}`;
    this.#log.error({ ...fields, err: error, problem: { addon, file, line, message: text } }, message);
    const source = file && line ? sourceLines(path.join(folder, file), line) : '';
    return this.#note(describeProblem({ addon, file, line, message: text }), source);
  }

  /** Caches formatters, which are slow to create; components use few number formats. */
  #numbers(lang: string, digits: Digits): Intl.NumberFormat {
    const key = `${lang} ${JSON.stringify(digits)}`;
    const format = this.#formats.get(key) ?? new Intl.NumberFormat(localeOf(lang), digits);
    this.#formats.set(key, format);
    return format;
  }

  #note(text: string, source = ''): string {
    if (!this.#dev) return '';
    const code = source === '' ? '' : `<pre class="mb-0 mt-2">${escapeHtml(source)}</pre>`;
    return `<div class="alert alert-warning" role="note">${escapeHtml(text)}${code}</div>`;
  }
}

function partOf({ id, addon, folder, file }: Island): GuardedPart {
  const place = () => ({ file, line: lineNaming(path.join(folder, file), ['default']) ?? 1 });
  return { addon, kind: 'island', name: id, place };
}

/**
 * Placeholders in cached HTML for the token field of forms and for the template's content within an island. Each page fills in its own;
 * random, so that content can't contain them.
 */
const TOKEN = `pergola-token-${randomBytes(16).toString('hex')}-`;
const WITHIN = `pergola-within-${randomBytes(16).toString('hex')}-`;

/** Tag in which a component shows its content; see `packages/browser/react/tree.ts`. */
const CONTENT = '<pergola-content>';

async function loadFrom<T>(folder: string, file: string): Promise<T> {
  return (await import(pathToFileURL(path.join(folder, file)).href)) as T;
}

function reserve({ settings: { width = '100%', height } }: Island): string {
  const size = (value: string | number): string => escapeHtml(typeof value === 'number' ? `${value}px` : value);
  return `width:${size(width)}${height === undefined ? '' : `;min-height:${size(height)}`}`;
}
