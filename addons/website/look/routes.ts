import { readFile } from 'node:fs/promises';
import { type Ctx, type FileRef, type Id, InvalidInput, NotFound, reply, route, z } from 'pergola';
import { ownText, pictureUrl } from 'pergola/pages';
import { Website } from '../models/website.ts';
import type { CurrentWebsite } from '../services/current-website.ts';
import { checkLook } from './check.ts';
import { looks } from './point.ts';
import { lookOf, lookShape } from './shape.ts';
import { coloursFor, sheetOf, shownLook, siteLook } from './sheet.ts';

const immutable = 'public, max-age=31536000, immutable';

/** Style sheet of the site's look. Cached pages with an old hash get the current one. */
export const lookSheet = route.http(
  '/website/look-:hash(^[\\w-]+).css',
  { name: 'website.look_sheet', method: 'GET', params: { hash: z.string() } },
  ({ ctx, request }) => {
    const site = ctx.attributes.website;
    if (!site) throw new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
    const { chosen: look, sheet } = site.look;
    const caching = request.path === sheet ? immutable : 'no-cache';
    return reply.body(sheetOf(ctx.get(looks), look), 'text/css; charset=utf-8', { 'Cache-Control': caching });
  },
);

/** Font file of an addon; the path contains the version. */
export const fontFile = route.http(
  '/website/font/:name(^[\\w.-]+)',
  { name: 'website.font', method: 'GET', params: { name: z.string() } },
  async ({ ctx, request }) => {
    const font = ctx.get(looks).files.get(request.path);
    if (!font) throw new NotFound('This font doesn’t exist.', { code: 'website.no_font' });
    return reply.body(await readFile(font.file), 'font/woff2', { 'Cache-Control': immutable });
  },
);

const forDesigners = { auth: 'user', groups: ['website.group_website_designer'] } as const;

/** Data for the “Look” panel: available choices, and the look of the given site, by default the request's. */
export const openLook = route.rpc(
  '/website/look/open',
  { ...forDesigners, name: 'website.look_open', input: z.object({ website: z.number().int().positive().optional() }) },
  async ({ ctx, input }) => {
    const currentSite = ctx.attributes.website?.id ?? 0;
    const id = input.website ?? currentSite;
    const { name, look, logo, logo_dark, favicon, favicon_dark } = await ctx
      .model(Website)
      .get(id, { select: { name: true, look: true, logo: true, logo_dark: true, favicon: true, favicon_dark: true } });
    const parts = ctx.get(looks);
    const visibleLook = shownLook(parts, lookOf(look));
    const labelled = <T extends { readonly id: string; readonly label: string }>(all: ReadonlyMap<string, T>) =>
      [...all.values()].map((item) => ({ ...item, label: ownText(ctx, item.id.split('.')[0] ?? '', item.label) }));
    return {
      site: {
        id,
        name,
        isHere: id === currentSite,
        logo: pictureAt(id, 'logo', logo),
        logo_dark: pictureAt(id, 'logo_dark', logo_dark),
        favicon: pictureAt(id, 'favicon', favicon),
        favicon_dark: pictureAt(id, 'favicon_dark', favicon_dark),
      },
      look: visibleLook,
      sheet: siteLook(ctx, look).sheet,
      panel: coloursFor('.look-root', parts, visibleLook),
      shipped: lookOf(null),
      palettes: labelled(parts.palettes),
      fonts: labelled(parts.fonts).map(({ id: pair, label }) => ({ id: pair, label })),
      headers: labelled(parts.headers).map(({ id: variant, label }) => ({ id: variant, label })),
      footers: labelled(parts.footers).map(({ id: variant, label }) => ({ id: variant, label })),
    };
  },
);

/** Style sheet of an unsaved look and its contrast errors. */
export const previewLook = route.rpc(
  '/website/look/preview',
  { ...forDesigners, name: 'website.look_preview', input: z.object({ look: lookShape }) },
  ({ ctx, input }) => ({ css: sheetOf(ctx.get(looks), input.look), faults: faultsOf(ctx, input.look) }),
);

function pictureAt(id: Id, field: keyof CurrentWebsite['pictures'], file: FileRef | null): string | null {
  return file && pictureUrl('website', id, field, file, 180);
}

function faultsOf(ctx: Ctx, look: unknown): Readonly<Record<string, string>> {
  try {
    checkLook(ctx, look);
    return {};
  } catch (error) {
    if (error instanceof InvalidInput) return error.fields;
    throw error;
  }
}
