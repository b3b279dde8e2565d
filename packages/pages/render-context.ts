import type { IslandOptions } from '@pergola/islands';
import type { CurrencyFormat } from '@pergola/texts';
import type { Box, Picture } from './pictures.ts';

/**
 * Request data available to templates. The core creates one per request; helpers access it as `options.data.render` and see nothing else of
 * the request. Every text returned by a hook is escaped when printed, unless documented as HTML.
 */
export interface RenderContext {
  /** `en_US`, `fr_FR`: language of the compiled templates. */
  readonly lang: string;
  /** IANA time zone for datetimes. */
  readonly timezone: string;
  /**
   * IANA time zone of the page's site; null if the reader's site is unknown (emails), so that times of places always include their zone.
   */
  readonly siteTimezone: string | null;
  /** External ids of the reader's groups, implied ones included. */
  readonly groups: ReadonlySet<string>;
  /** Whether the page is shown in the editor. */
  readonly editor: boolean;
  /** Whether the reader may edit this field in place, in addition to the row's `mayWrite`. */
  editable(model: string, id: number, field: string): boolean;
  /** A currency by its record id or ISO code. */
  currency(idOrCode: number | string): CurrencyFormat | undefined;
  /** Reference time for relative datetimes. */
  now(): Date;
  /** Translates a text into the context's language, with `{name}` filled from `params`. */
  t(text: string, params?: Readonly<Record<string, string | number>>): string;
  /** Label of a selection value, translated by the addon that defines it; the value itself if it has no label. */
  choice(model: string, field: string, value: string): string;
  /** Address of a path on this site in the reader's language: `/shop` → `/fr/shop`; paths without languages are unchanged. */
  url(path: string): string;
  /** Address of a record's image, scaled to fit the box. */
  image(model: string, id: number, field: string, file: Picture, box: Box): string;
  /** HTML of a page's asset tags: style sheets, import map, loader. */
  assets(area: 'public' | 'web'): string;
  /** Part of a request attribute, by path: `website.id`; undefined if it doesn't exist. */
  attribute(path: string): unknown;
  /** HTML that loads a style sheet needed by some pages only. */
  stylesheet(id: string): string;
  /** HTML that loads the style sheets required by a page's sanitised HTML and not loaded yet. */
  contentStyles(html: string): string;
  /** An icon as inline SVG. */
  icon(name: string): string;
  /** HTML of an island, rendered in place; `props` have to be JSON. */
  island(id: string, props: unknown, options: IslandOptions): string;
  /** HTML of a part filled in for each visitor, or its placeholder. */
  fragment(id: string): string;
  /** HTML of the hidden CSRF field; empty if no token is needed. */
  csrf(): string;
  /** HTML of a block with these options. */
  block(id: string, options: Readonly<Record<string, unknown>>): string;
  /** Sanitised HTML with each `<div data-block="…">` filled. */
  fillBlocks(html: string): string;
}

/** Part of a request attribute by path; own properties only, since paths come from templates and attributes may contain anything. */
export function attributeAt(attributes: object, path: string): unknown {
  let value: unknown = attributes;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
