import type { LoadedAddon } from '../generation.ts';
import type { CoreManifest } from './core-build.ts';
import type { Manifest } from './types.ts';

/** Pages for everybody, or the backend's. */
export type Area = 'public' | 'web';

/** What the loader finds in a page. */
export interface PageData {
  readonly lang: string;
  /** Where the texts of the page's language are; null when the source texts are right. */
  readonly texts: string | null;
  /** Selectors with the modules that live on them. */
  readonly elements: readonly (readonly [selector: string, script: string, style: string | null])[];
}

/**
 * Makes the part of a page's head that loads things. It is the same for all pages of an area and language: so the import map's hash can stand
 * in the CSP of kept pages.
 */
export function createHead(about: {
  readonly core: CoreManifest;
  /** JSON */
  readonly importMap: string;
  readonly built: readonly { readonly addon: LoadedAddon; readonly manifest: Manifest }[];
  readonly texts: ReadonlyMap<string, string>;
  readonly dev: boolean;
}): (area: Area, lang: string) => string {
  const made = new Map<string, string>();
  return (area, lang) => {
    const key = `${area} ${lang}`;
    const head = made.get(key) ?? compose(about, area, lang);
    made.set(key, head);
    return head;
  };
}

function compose(
  { core, importMap, built, texts, dev }: Parameters<typeof createHead>[0],
  area: Area,
  lang: string,
): string {
  const styles = [
    `/_assets/core/${core.style}`,
    ...built.flatMap(({ addon, manifest }) =>
      [...manifest.styles.public, ...(area === 'web' ? manifest.styles.web : [])].map(
        (file) => `/_assets/${addon.name}/${file}`,
      ),
    ),
  ];
  const page: PageData = {
    lang,
    texts: texts.get(lang) ?? null,
    elements: built.flatMap(({ addon, manifest }) =>
      Object.entries(addon.definition.elements ?? {}).flatMap(([id, selector]) => {
        const file = manifest.elements[id.slice(addon.name.length + 1)];
        return file
          ? [
              [
                selector,
                `/_assets/${addon.name}/${file.script}`,
                file.style && `/_assets/${addon.name}/${file.style}`,
              ] as const,
            ]
          : [];
      }),
    ),
  };
  return [
    ...styles.map((file) => `<link rel="stylesheet" href="${file}">`),
    `<script type="importmap">${importMap}</script>`,
    `<script type="application/json" id="pergola-page">${jsonForHtml(page)}</script>`,
    `<script type="module" src="/_assets/core/${core.loader}"></script>`,
    ...(dev ? [`<script type="module" src="/_assets/core/${core.dev}"></script>`] : []),
  ].join('\n');
}

/** JSON that may stand in a script element: no end tag, no comment, no line separator can begin in it. */
export function jsonForHtml(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
