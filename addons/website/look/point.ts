import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { contributionPoint, z } from 'pergola';
import { id, text } from 'pergola/kernel';
import { type Schemes, schemes, unreadable } from './colours.ts';

/** Colour palette for light and dark mode. */
export interface Palette extends Schemes {
  /** `addon.name` */
  readonly id: string;
  readonly label: string;
}

/** Font family. */
export interface FontFamily {
  /** CSS name: `Figtree`. */
  readonly name: string;
  /**
   * Fontsource package with the font files (`@fontsource-variable/figtree`), a dependency of the addon. Without it the font depends on the
   * visitor's system.
   */
  readonly package?: string;
  /** Weights in the package's file: `'300 900'`. */
  readonly weights?: string;
  /** Fallback until the font has loaded, or if it is unavailable. */
  readonly fallback: string;
  /**
   * System fonts scaled to the metrics of this family, so that loading it doesn't shift the layout. `size` is the text width in this family
   * as a percentage of the system font; line heights are relative to the family's own size.
   */
  readonly like?: {
    readonly ascent: number;
    readonly descent: number;
    readonly faces: readonly {
      /** Full names for `local()`: `Arial Bold`. */
      readonly local: readonly string[];
      readonly weights: string;
      readonly size: number;
    }[];
  };
}

/** Pair of font families. */
export interface FontPair {
  readonly id: string;
  readonly label: string;
  readonly headings: FontFamily;
  readonly text: FontFamily;
}

/** Layout variant of the header or footer: CSS rules for the elements of `web.frontend_layout`. */
export interface Variant {
  readonly id: string;
  readonly label: string;
  /** CSS with custom properties for colours (`var(--pg-strong)`). */
  readonly css: string;
  /** Background of the header, by default `background`; dark backgrounds use the dark-mode logo. */
  readonly ground?: 'background' | 'strong';
}

/** Look contributions of an addon. */
export interface LookParts {
  readonly palettes?: readonly Palette[];
  readonly fonts?: readonly FontPair[];
  readonly headers?: readonly Variant[];
  readonly footers?: readonly Variant[];
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Palettes, font pairs, and header and footer variants for site owners. */
    looks: LookParts;
  }
}

const baseShape = { id, label: text };
const variants = z
  .array(z.object({ ...baseShape, css: z.string(), ground: z.enum(['background', 'strong']).optional() }))
  .optional();
const family = z.object({
  name: text,
  package: text.optional(),
  weights: text.optional(),
  fallback: text,
  like: z.object({ ascent: z.number(), descent: z.number(), faces: z.array(z.looseObject({})) }).optional(),
});

/**
 * Choices in the “Look” panel.
 *
 * ```ts
 * looks: { palettes: [{ id: 'studio.clay', label: 'Clay', light: { background: '#fdf8f4', … }, dark: { … } }] },
 * ```
 */
export const looks = contributionPoint('looks', {
  shape: z.object({
    palettes: z.array(schemes.extend(baseShape)).optional(),
    fonts: z.array(z.object({ ...baseShape, headings: family, text: family })).optional(),
    headers: variants,
    footers: variants,
  }),
  names: {
    what: 'part of the look',
    of: (parts) => Object.values(parts).flatMap((list) => list.map((item: { id: string }) => item.id)),
  },
  build({ contributions, report }): Looks {
    const files = new Map<string, FontFile>();
    for (const { addon, value } of contributions) {
      for (const palette of value.palettes ?? []) {
        const [worst] = unreadable(palette).sort((a, b) => a.ratio - b.ratio);
        if (!worst) continue;
        const { scheme, colour, on, ratio } = worst;
        const message = `palette "${palette.id}", ${scheme}: nobody can read ${colour} on ${on} (${ratio} of 4.5).`;
        report({ addon: addon.name, message, remedy: 'Move the two colours further apart.' });
      }
      const require = createRequire(path.join(addon.folder, 'addon.ts'));
      for (const { headings, text: body } of value.fonts ?? []) {
        for (const { name, package: source } of [headings, body]) {
          if (!source) continue;
          try {
            for (const file of filesOf(require.resolve, source)) files.set(file.address, file);
          } catch {
            const message = `the font "${name}" is not there: package ${source} has no variable files of Fontsource.`;
            report({ addon: addon.name, message, remedy: `npm install ${source}` });
          }
        }
      }
    }
    const parts = contributions.map(({ value }) => value);
    return {
      palettes: byId(parts.flatMap(({ palettes = [] }) => palettes)),
      fonts: byId(parts.flatMap(({ fonts = [] }) => fonts)),
      headers: byId(parts.flatMap(({ headers = [] }) => headers)),
      footers: byId(parts.flatMap(({ footers = [] }) => footers)),
      files,
    };
  },
});

/** Available choices by id, and font files by URL path. */
export interface Looks {
  readonly palettes: ReadonlyMap<string, Palette>;
  readonly fonts: ReadonlyMap<string, FontPair>;
  readonly headers: ReadonlyMap<string, Variant>;
  readonly footers: ReadonlyMap<string, Variant>;
  readonly files: ReadonlyMap<string, FontFile>;
}

function byId<T extends { readonly id: string }>(list: readonly T[]): ReadonlyMap<string, T> {
  return new Map(list.map((item) => [item.id, item]));
}

/** Font file for a subset of characters. */
export interface FontFile {
  /** `/website/font/figtree-latin-5.3.0.woff2`; changes with the font version. */
  readonly address: string;
  readonly package: string;
  readonly file: string;
  readonly subset: Subset;
  /** CSS `unicode-range` of the file. */
  readonly range: string;
}

/** Western and central European languages; the first subset is sufficient for English and French. */
const subsets = ['latin', 'latin-ext'] as const;
type Subset = (typeof subsets)[number];

function filesOf(resolve: NodeJS.RequireResolve, source: string): FontFile[] {
  const folder = path.dirname(resolve(`${source}/package.json`));
  const read = (name: string) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Record<string, string>;
  const { version } = read('package.json');
  const ranges = read('unicode.json');
  const slug = path.basename(source);
  return subsets.flatMap((subset) => {
    const range = ranges[subset];
    const file = path.join(folder, `files/${slug}-${subset}-wght-normal.woff2`);
    return range === undefined
      ? []
      : [{ address: `/website/font/${slug}-${subset}-${version}.woff2`, package: source, file, subset, range }];
  });
}
