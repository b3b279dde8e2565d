import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ComponentType, ReactElement } from 'react';
import type { Ctx } from '../context.ts';
import type { Log } from '../log.ts';
import type { IslandOptions } from '../page/render-context.ts';
import { jsonForHtml } from './head.ts';
import { vendorFile } from './names.ts';
import { rendering } from './server-face.ts';
import type { Island } from './types.ts';

type Element = (component: ComponentType<Record<string, unknown>>, props: Record<string, unknown>) => ReactElement;
type ToString = (element: ReactElement, options: { identifierPrefix: string }) => string;

/** Renders islands into pages. Components are loaded when a generation is built, so that rendering waits for nothing. */
export class IslandRenderer {
  readonly #islands: ReadonlyMap<string, Island>;
  readonly #log: Log;
  readonly #dev: boolean;
  readonly #components = new Map<string, ComponentType<Record<string, unknown>>>();
  /** How many islands a context's page holds so far: their ids must not meet. */
  readonly #counts = new WeakMap<object, number>();
  #react: { element: Element; toString: ToString } | null = null;

  constructor(islands: ReadonlyMap<string, Island>, { log, dev }: { log: Log; dev: boolean }) {
    this.#islands = islands;
    this.#log = log;
    this.#dev = dev;
  }

  /** Loads the components, and React from where they have it too; a component that cannot be loaded is shown by the browser alone. */
  async load(reactFolder: string): Promise<void> {
    if (this.#islands.size === 0) return;
    const [{ createElement }, { renderToString }] = await Promise.all([
      loadFrom<typeof import('react')>(reactFolder, 'react'),
      loadFrom<typeof import('react-dom/server')>(reactFolder, 'react-dom/server'),
    ]);
    this.#react = { element: createElement as Element, toString: renderToString };
    for (const { id, addon, server, settings } of this.#islands.values()) {
      if (settings.ssr === false || !existsSync(server)) continue;
      try {
        const module = (await import(pathToFileURL(server).href)) as { default?: unknown };
        if (typeof module.default === 'function')
          this.#components.set(id, module.default as ComponentType<Record<string, unknown>>);
        else this.#log.error({ addon, island: id }, 'An island exports no component by default');
      } catch (error) {
        this.#log.error({ err: error, addon, island: id }, 'An island could not be loaded on the server');
      }
    }
  }

  /** HTML of the island, its props beside it as data. */
  render(id: string, props: unknown, { on, media }: IslandOptions, ctx: Ctx): string {
    const island = this.#islands.get(id);
    if (!island) return this.#note(`There is no island "${id}".`);
    const parsed = island.schema.safeParse(props ?? {});
    if (!parsed.success) {
      const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
      this.#log.error({ addon: island.addon, island: id, problems }, 'The props of an island do not fit its schema');
      return this.#note(`The props of island "${id}" do not fit: ${problems}`);
    }
    const number = (this.#counts.get(ctx) ?? 0) + 1;
    this.#counts.set(ctx, number);
    const prefix = `i${number}`;
    const html = this.#html(island, parsed.data as Record<string, unknown>, prefix, ctx);
    const attributes = [
      `data-src="${island.script}"`,
      `data-wake="${on}"`,
      ...(media === undefined ? [] : [`data-media="${escapeHtml(media)}"`]),
      ...(html === null ? [`data-fresh data-reserve style="${reserve(island)}"`] : []),
      `data-prefix="${prefix}"`,
    ];
    const style = island.style ? `<link rel="stylesheet" href="${island.style}">` : '';
    const data = `<script type="application/json">${jsonForHtml(parsed.data)}</script>`;
    return `<pergola-island ${attributes.join(' ')}>${style}${data}<pergola-root>${html ?? ''}</pergola-root></pergola-island>`;
  }

  /** null when it is shown by the browser alone. */
  #html(island: Island, props: Record<string, unknown>, identifierPrefix: string, ctx: Ctx): string | null {
    const component = this.#components.get(island.id);
    const react = this.#react;
    if (!component || !react) return null;
    try {
      const about = {
        lang: ctx.lang,
        t: (text: string, params?: Readonly<Record<string, string | number>>) => ctx.t(text, params),
      };
      return rendering.run(about, () => react.toString(react.element(component, props), { identifierPrefix }));
    } catch (error) {
      this.#log.error(
        { err: error, addon: island.addon, island: island.id },
        'An island failed while it was rendered; the browser tries again',
      );
      return null;
    }
  }

  #note(text: string): string {
    return this.#dev ? `<p class="alert alert-warning" role="note">${escapeHtml(text)}</p>` : '';
  }
}

async function loadFrom<T>(folder: string, name: string): Promise<T> {
  return (await import(pathToFileURL(path.join(folder, vendorFile(name))).href)) as T;
}

function reserve({ settings: { width = '100%', height } }: Island): string {
  const size = (value: string | number): string => escapeHtml(typeof value === 'number' ? `${value}px` : value);
  return `width:${size(width)}${height === undefined ? '' : `;min-height:${size(height)}`}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
