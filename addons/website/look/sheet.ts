import { createHash } from 'node:crypto';
import type { Ctx } from 'pergola';
import { isDark, propertiesOf, type Schemes } from './colours.ts';
import { type FontFamily, type FontFile, type Looks, looks } from './point.ts';
import { type Look, lookOf } from './shape.ts';

/** Look of a site as used in pages. */
export interface SiteLook {
  readonly chosen: Look;
  /** Style sheet URL, which changes with its content. */
  readonly sheet: string;
  /** Font file of body text, preloaded for the first paint; null for system fonts. */
  readonly font: string | null;
  /** Page background, for the browser's UI. */
  readonly ground: { readonly light: string; readonly dark: string };
}

/** Look of a site from its stored value. */
export function siteLook(ctx: Ctx, stored: unknown): SiteLook {
  const parts = ctx.get(looks);
  const look = shownLook(parts, lookOf(stored));
  const css = sheetOf(parts, look);
  const { light, dark } = coloursOf(parts, look);
  return {
    chosen: look,
    sheet: `/website/look-${createHash('sha256').update(css).digest('base64url').slice(0, 12)}.css`,
    font: filesOf(parts, partOf(parts.fonts, look.fonts).text)[0]?.address ?? null,
    ground: { light: light.background, dark: dark.background },
  };
}

/**
 * Style sheet of a look: custom properties, fonts, and CSS of the header and footer variants. Only the body font is preloaded: preloads
 * delay the first paint, and the headings' fallback has the same metrics.
 */
export function sheetOf(parts: Looks, storedLook: Look): string {
  const look = shownLook(parts, storedLook);
  const { light, dark } = coloursOf(parts, look);
  const { headings, text } = partOf(parts.fonts, look.fonts);
  const { css, ground = 'background' } = partOf(parts.headers, look.header);
  const families = [...new Set([text, headings])];
  // Skips the default colours, which the core's style sheet already has.
  const isShipped = look.palette === 'website.pergola';
  return [
    ...families.flatMap((family) => facesOf(parts, family)),
    block(root, {
      '--bs-font-sans-serif': stackOf(text),
      '--pg-heading-font': stackOf(headings),
      ...buttons[look.buttons],
      ...corners[look.corners],
      ...densities[look.density],
      ...(isShipped ? {} : propertiesOf(light)),
      ...logoOn(light[ground]),
    }),
    inDark(root, { ...(isShipped ? {} : propertiesOf(dark)), ...logoOn(dark[ground]) }),
    css,
    // Mega menus use page colours regardless of the header's background.
    ...(ground === 'background'
      ? []
      : [
          block(mega, { color: 'var(--bs-body-color)', ...noButtons, ...buttons[look.buttons] }),
          coloursFor(mega, parts, look),
        ]),
    partOf(parts.footers, look.footer).css,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Look as displayed: replaces choices from disabled addons with the defaults. */
export function shownLook({ palettes, fonts, headers, footers }: Looks, look: Look): Look {
  const shipped = lookOf(null);
  return {
    ...look,
    palette:
      (look.palette === 'own' && look.own !== null) || palettes.has(look.palette) ? look.palette : shipped.palette,
    fonts: fonts.has(look.fonts) ? look.fonts : shipped.fonts,
    header: headers.has(look.header) ? look.header : shipped.header,
    footer: footers.has(look.footer) ? look.footer : shipped.footer,
  };
}

/** Colours of a look for one element, independent of the page's scheme. */
export function coloursFor(selector: string, parts: Looks, look: Look): string {
  const { light, dark } = coloursOf(parts, look);
  return `${block(selector, propertiesOf(light))}\n${inDark(selector, propertiesOf(dark))}`;
}

/** More specific than `:root`, so that the order of the style sheets doesn't matter; backend pages don't belong to a website. */
const root = 'html[data-website-id]';

const mega = '.site-mega>.dropdown-menu';

/** Resets button colours to their defaults. */
const noButtons = { '--pg-button-bg': 'initial', '--pg-button-color': 'initial', '--pg-button-border': 'initial' };
const buttons: Readonly<Record<Look['buttons'], Readonly<Record<string, string>>>> = {
  filled: {},
  soft: {
    '--pg-button-bg': 'var(--bs-primary-bg-subtle)',
    '--pg-button-color': 'var(--bs-primary-text-emphasis)',
    '--pg-button-border': 'var(--bs-primary-bg-subtle)',
  },
  outline: { '--pg-button-bg': 'transparent', '--pg-button-color': 'var(--bs-primary)' },
};
const corners: Readonly<Record<Look['corners'], Readonly<Record<string, string>>>> = {
  square: radii(0, 0, 0, 0),
  soft: {},
  round: { ...radii(0.75, 1, 1.5, 2), '--pg-button-radius': '2rem' },
};
const densities: Readonly<Record<Look['density'], Readonly<Record<string, string>>>> = {
  compact: { '--pg-density': '0.8' },
  normal: {},
  airy: { '--pg-density': '1.25' },
};

function radii(small: number, medium: number, large: number, largest: number): Record<string, string> {
  return {
    '--bs-border-radius-sm': `${small}rem`,
    '--bs-border-radius': `${medium}rem`,
    '--bs-border-radius-lg': `${large}rem`,
    '--bs-border-radius-xl': `${largest}rem`,
  };
}

function block(selector: string, properties: Readonly<Record<string, string>>): string {
  const lines = Object.entries(properties).map(([name, value]) => `${name}:${value};`);
  return `${selector}{${lines.join('')}}`;
}

/** Shows the logo that matches a background. */
function logoOn(ground: string): Record<string, string> {
  return isDark(ground)
    ? { '--pg-logo': 'none', '--pg-logo-dark': 'block' }
    : { '--pg-logo': 'block', '--pg-logo-dark': 'none' };
}

function inDark(selector: string, properties: Readonly<Record<string, string>>): string {
  return `@media (prefers-color-scheme: dark) {\n${block(selector, properties)}\n}`;
}

function coloursOf({ palettes }: Looks, { palette, own: customColours }: Look): Schemes {
  return palette === 'own' && customColours !== null ? customColours : partOf(palettes, palette);
}

function partOf<T>(all: ReadonlyMap<string, T>, id: string): T {
  const part = all.get(id);
  if (part === undefined) throw new Error(`“${id}” is missing from what the website ships.`);
  return part;
}

function filesOf({ files }: Looks, family: FontFamily): FontFile[] {
  return [...files.values()].filter((file) => file.package === family.package);
}

/** Font stack: the family, its scaled fallback, and generic fonts. */
function stackOf({ name, package: source, fallback, like }: FontFamily): string {
  return [...(source ? [quoted(name)] : []), ...(like ? [quoted(standIn(name))] : []), fallback].join(', ');
}

function facesOf(parts: Looks, family: FontFamily): string[] {
  const { name, weights = '400', like } = family;
  // For characters in several files the last one wins, so the first subset, which pages need anyway, goes last.
  const fontFaces = filesOf(parts, family)
    .reverse()
    .map(
      ({ address, range }) =>
        `@font-face{font-family:${quoted(name)};font-weight:${weights};font-display:swap;src:url("${address}") format("woff2");unicode-range:${range};}`,
    );
  const standIns = (like?.faces ?? []).map((face) => {
    const sources = face.local.map((font) => `local(${quoted(font)})`).join(',');
    const height = (part: number): string => ((part / face.size) * 100).toFixed(1);
    return `@font-face{font-family:${quoted(standIn(name))};font-weight:${face.weights};src:${sources};size-adjust:${face.size}%;ascent-override:${height(like?.ascent ?? 0)}%;descent-override:${height(like?.descent ?? 0)}%;line-gap-override:0%;}`;
  });
  return [...fontFaces, ...standIns];
}

function standIn(name: string): string {
  return `${name} fallback`;
}

function quoted(name: string): string {
  return `"${name.replace(/["\\\n]/g, '')}"`;
}
