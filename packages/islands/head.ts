import type { PageData } from '@pergola/browser';
import { escapeAttribute } from '@pergola/content';
import type { Addon } from '@pergola/core';
import { languageParameters } from '@pergola/texts';
import type { CoreManifest } from './core-build.ts';
import type { Manifest } from './types.ts';

/** Public pages, or the backend's. */
export type Area = 'public' | 'web';

/** Development only: applies saved changes, and shows what can't be served. */
export const developerScript = '<script type="module" src="/_dev/client.js"></script>';

/**
 * Records presses of buttons that do nothing without JavaScript until the loader has run, then repeats them: islands and behaviours keep
 * clicks until they are ready. Module scripts run before `DOMContentLoaded`, and the loader starts in a task of its own. Buttons that the
 * browser handles itself are left alone.
 */
export const pressRecorder =
  '{let p=new Set,f=e=>{let b=e.target.closest(\'button[type=button]:not([popovertarget],[commandfor]),[role=button]:not([href]),a[href="#"]\');b&&p.add(b)};addEventListener("click",f,!0);addEventListener("DOMContentLoaded",()=>setTimeout(()=>{removeEventListener("click",f,!0);for(let b of p)b.click()}))}';

/**
 * Marks the page as `data-elsewhere` if this device's clock differs from the site's, now or in half a year. Runs before the first paint, so
 * that adding the zone to times of the site (`time[data-zone]`) doesn't move anything.
 */
export const zoneMarker =
  '{let z=document.currentScript.dataset.zone,t=(d,z)=>d.toLocaleString("en",{timeZone:z});[0,183].some(n=>{let d=new Date(Date.now()+n*864e5);return t(d,z)!=t(d)})&&(document.documentElement.dataset.elsewhere="")}';

/**
 * Creates the part of a page's head that loads assets. It is the same for all pages of a site, area and language, so the hash of the import map
 * fits the CSP of cached pages.
 */
export function createHead(options: {
  readonly core: CoreManifest;
  /** Addresses of the style sheets on every page, in order. */
  readonly sheets: Readonly<Record<Area, readonly string[]>>;
  /** Addresses of the style sheets for individual kinds of pages. */
  readonly pageSheets: readonly string[];
  /** JSON */
  readonly importMap: string;
  readonly built: readonly { readonly addon: Addon; readonly manifest: Manifest }[];
  /** Selectors of each addon's behaviours, by their ids. */
  readonly behaviours: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Addresses by `<area> <language>`. */
  readonly texts: ReadonlyMap<string, string>;
  readonly dev: boolean;
}): (area: Area, lang: string, prefix: string, zone: string) => string {
  const heads = new Map<string, string>();
  return (area, lang, prefix, zone) => {
    const key = `${area} ${lang} ${prefix} ${zone}`;
    const head = heads.get(key) ?? compose(options, area, lang, prefix, zone);
    heads.set(key, head);
    return head;
  };
}

function compose(
  { core, sheets, pageSheets, importMap, built, behaviours: selectors, texts, dev }: Parameters<typeof createHead>[0],
  area: Area,
  lang: string,
  prefix: string,
  zone: string,
): string {
  const address = ({ name }: Addon, file: string): string => `/_assets/${name}/${file}`;
  const behaviours = built.flatMap(({ addon, manifest }) =>
    Object.entries(selectors.get(addon.name) ?? {}).flatMap(([id, selector]) => {
      const file = manifest.behaviours[id.slice(addon.name.length + 1)];
      return file ? [[selector, address(addon, file.script), file.style && address(addon, file.style)] as const] : [];
    }),
  );
  const { decimal_point: decimal } = languageParameters(lang);
  const page: PageData = {
    lang,
    prefix,
    decimal,
    texts: texts.get(`${area} ${lang}`) ?? null,
    behaviours,
    ...(area === 'public' && { sheets: pageSheets }),
  };
  return [
    // Before the style sheets: inline scripts wait for preceding sheets and block the parser until they have run.
    `<script type="importmap">${importMap}</script>`,
    `<script>${pressRecorder}</script>`,
    ...(area === 'public' ? [`<script data-zone="${escapeAttribute(zone)}">${zoneMarker}</script>`] : []),
    ...sheets[area].map((file) => `<link rel="stylesheet" href="${file}">`),
    `<script type="application/json" id="pergola-page">${escapeJson(JSON.stringify(page))}</script>`,
    // Before the loader: React looks for the refresh hook when the loader imports it.
    ...(dev ? [developerScript] : []),
    `<script type="module" src="/_assets/core/${core.loader}"></script>`,
  ].join('\n');
}

/** Escapes JSON for a script element, so that it can't contain an end tag, a comment or a line separator. */
export function escapeJson(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
