import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { contributionPoint, z } from 'pergola';
import { id, text } from 'pergola/kernel';
import { type Schemes, schemes, unreadable } from './colours.ts';

/** Colours that go together, for light and for dark. */
export interface Palette extends Schemes {
  /** `addon.thing` */
  readonly id: string;
  readonly label: string;
}

/** A family of letters. */
export interface FontFamily {
  /** As style sheets name it: `Figtree`. */
  readonly name: string;
  /** The package of Fontsource with its files (`@fontsource-variable/figtree`), which the addon depends on. Without it visitors have the family, or not. */
  readonly package?: string;
  /** `'300 900'`: the weights that the package's file holds. */
  readonly weights?: string;
  /** What is shown until it has come, and where it does not. */
  readonly fallback: string;
  /**
   * What visitors have, stretched so that its lines are as long and as high as those of this one: nothing moves when it comes. `size` is how long a text is
   * in this family, in percent of the other; the height of lines is that of the family, by its own size.
   */
  readonly like?: {
    readonly ascent: number;
    readonly descent: number;
    readonly faces: readonly {
      /** Full names, as `local()` takes them: `Arial Bold`. */
      readonly local: readonly string[];
      readonly weights: string;
      readonly size: number;
    }[];
  };
}

/** Two families that go together. */
export interface FontPair {
  readonly id: string;
  readonly label: string;
  readonly headings: FontFamily;
  readonly text: FontFamily;
}

/** Another way to lay out the header or the footer of every page: rules over the elements of `web.frontend_layout`. */
export interface Variant {
  readonly id: string;
  readonly label: string;
  /** CSS; colours are custom properties (`var(--pg-strong)`). */
  readonly css: string;
  /** What a header stands on, `background` unless told: on a dark one stands the logo for dark grounds. */
  readonly ground?: 'background' | 'strong';
}

/** What an addon brings for the look of sites. */
export interface LookParts {
  readonly palettes?: readonly Palette[];
  readonly fonts?: readonly FontPair[];
  readonly headers?: readonly Variant[];
  readonly footers?: readonly Variant[];
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Palettes, pairs of fonts, and variants of header and footer that owners of sites choose from. */
    looks: LookParts;
  }
}

const named = { id, label: text };
const variants = z
  .array(z.object({ ...named, css: z.string(), ground: z.enum(['background', 'strong']).optional() }))
  .optional();
const family = z.object({
  name: text,
  package: text.optional(),
  weights: text.optional(),
  fallback: text,
  like: z.object({ ascent: z.number(), descent: z.number(), faces: z.array(z.looseObject({})) }).optional(),
});

/**
 * What owners of sites choose from in the panel "Look".
 *
 * ```ts
 * looks: { palettes: [{ id: 'studio.clay', label: 'Clay', light: { background: '#fdf8f4', … }, dark: { … } }] },
 * ```
 */
export const looks = contributionPoint('looks', {
  shape: z.object({
    palettes: z.array(schemes.extend(named)).optional(),
    fonts: z.array(z.object({ ...named, headings: family, text: family })).optional(),
    headers: variants,
    footers: variants,
  }),
  names: {
    what: 'part of the look',
    of: (parts) => Object.values(parts).flatMap((list) => list.map((one: { id: string }) => one.id)),
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
            for (const file of filesOf(require, source)) files.set(file.address, file);
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

/** What there is to choose from, by id, and the files of the fonts by their addresses. */
export interface Looks {
  readonly palettes: ReadonlyMap<string, Palette>;
  readonly fonts: ReadonlyMap<string, FontPair>;
  readonly headers: ReadonlyMap<string, Variant>;
  readonly footers: ReadonlyMap<string, Variant>;
  readonly files: ReadonlyMap<string, FontFile>;
}

function byId<T extends { readonly id: string }>(list: readonly T[]): ReadonlyMap<string, T> {
  return new Map(list.map((one) => [one.id, one]));
}

/** Letters of one part of the alphabet. */
export interface FontFile {
  /** `/website/font/figtree-latin-5.3.0.woff2`: another one for other letters. */
  readonly address: string;
  readonly package: string;
  readonly file: string;
  readonly subset: Subset;
  /** As style sheets say which letters are in it. */
  readonly range: string;
}

/** Western and central European languages; the first is all that English and French need. */
const subsets = ['latin', 'latin-ext'] as const;
type Subset = (typeof subsets)[number];

function filesOf(require: NodeJS.Require, source: string): FontFile[] {
  const folder = path.dirname(require.resolve(`${source}/package.json`));
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
