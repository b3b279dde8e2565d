import type { IslandOptions } from '@pergola/islands';
import type { CurrencyFormat } from '@pergola/texts';
import type { Box, Picture } from './pictures.ts';

/**
 * What templates may ask of the request they are rendered for. The core makes one per request; helpers reach it as `options.data.render`
 * and nothing else of the request. Every text a hook answers that is not said to be HTML is escaped where it is printed.
 */
export interface RenderContext {
  /** `en_US`, `fr_FR`: the language templates are compiled in. */
  readonly lang: string;
  /** IANA zone that moments are shown in. */
  readonly timezone: string;
  /** IANA zone of the site whose page it is; null if it is read anywhere (mails), so that times of places always name theirs. */
  readonly siteTimezone: string | null;
  /** External ids of the reader's groups, implied ones included. */
  readonly groups: ReadonlySet<string>;
  /** Whether the page is shown to be edited. */
  readonly editor: boolean;
  /** Whether the reader may edit this field in place, on top of the row's own `mayWrite`. */
  editable(model: string, id: number, field: string): boolean;
  /** A currency by its record id or ISO code. */
  currency(idOrCode: number | string): CurrencyFormat | undefined;
  /** The time that relative moments are measured from. */
  now(): Date;
  /** A text in the context's language, `{name}` filled from `params`. */
  t(text: string, params?: Readonly<Record<string, string | number>>): string;
  /** What people call a value of a selection field, in the words of the addon that brought it; the value itself where it has no name. */
  choice(model: string, field: string, value: string): string;
  /** The address of a path on this site in the reader's language: `/shop` → `/fr/shop`; paths that have no language stay. */
  url(path: string): string;
  /** The address of a picture of a record, in a box it has to fit into. */
  image(model: string, id: number, field: string, file: Picture, box: Box): string;
  /** HTML of what a page's head loads: style sheets, import map, loader. */
  assets(area: 'public' | 'web'): string;
  /** Part of a request attribute of the request, by path: `website.id`; undefined when it is not there. */
  attribute(path: string): unknown;
  /** HTML that loads a style sheet that only some pages need. */
  stylesheet(id: string): string;
  /** HTML that loads the style sheets that sanitised HTML of a page needs and that are not on it yet. */
  contentStyles(html: string): string;
  /** An icon as inline SVG. */
  icon(name: string): string;
  /** HTML of an island, rendered in place; `props` are JSON. */
  island(id: string, props: unknown, options: IslandOptions): string;
  /** HTML of a part that is filled in for each visitor, or of what stands for it until then. */
  fragment(id: string): string;
  /** HTML of the hidden field that proves that a form was sent from a page of ours; empty where none is needed. */
  csrf(): string;
  /** HTML of a block with these options. */
  block(id: string, options: Readonly<Record<string, unknown>>): string;
  /** Sanitised HTML with each `<div data-block="…">` filled. */
  fillBlocks(html: string): string;
}

/** Part of a request attribute by path; own properties only, since paths are written in templates and attributes may hold anything. */
export function attributeAt(attributes: object, path: string): unknown {
  let value: unknown = attributes;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
