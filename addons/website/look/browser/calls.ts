import { rpc } from 'pergola/browser';
import type { Palette } from '../point.ts';
import type { openLook, previewLook } from '../routes.ts';
import type { Look } from '../shape.ts';

export type { Look } from '../shape.ts';

/** Selectable option. */
export interface Choice {
  readonly id: string;
  readonly label: string;
}

type LookPicture = 'logo' | 'logo_dark' | 'favicon' | 'favicon_dark';

/** Initial data of the panel. */
export interface LookAbout {
  readonly site: {
    readonly id: number;
    readonly name: string;
    /** Whether it is the site of the page next to the panel. */
    readonly isHere: boolean;
  } & Readonly<Record<LookPicture, string | null>>;
  readonly look: Look;
  /** URL of its style sheet. */
  readonly sheet: string;
  /** Colours of the panel itself, so that it is readable regardless of the page's look. */
  readonly panel: string;
  /** Default look. */
  readonly shipped: Look;
  readonly palettes: readonly Palette[];
  readonly fonts: readonly Choice[];
  readonly headers: readonly Choice[];
  readonly footers: readonly Choice[];
}

/** Images of the site by field: content as base64, or false to remove the image. */
export type Pictures = Readonly<Partial<Record<LookPicture, string | false>>>;

export const lookCalls = {
  open: (website: number | undefined) => rpc<typeof openLook>('/website/look/open', { website }),
  preview: (look: Look) => rpc<typeof previewLook>('/website/look/preview', { look }),
  save: (id: number, look: Look, pictures: Pictures) =>
    rpc('/web/dataset/call_kw/website/write', {
      model: 'website',
      method: 'write',
      args: [[id], { look, ...pictures }],
      kwargs: {},
    }),
};
