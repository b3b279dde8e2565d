import type { Fills } from '@pergola/browser';
import type { z } from 'zod';

/** When an island is hydrated. */
export type Wake = 'load' | 'idle' | 'visible' | 'touch' | 'media' | 'return';

/** Options of an island tag in a template. */
export interface IslandOptions {
  /** When it is hydrated in the browser. */
  readonly on: Wake;
  /** The media query for `on="media"`. */
  readonly media?: string;
  /** HTML of the template within it. */
  readonly content?: string;
  /** Position in the template, for developers: `templates/shop.page.hbs:12`. */
  readonly from?: string;
}

/** Settings exported by an island's props file, besides the schema: `export const island = { ssr: false, height: 320 }`. */
interface IslandSettings {
  /** false: rendered only in the browser; `width` and `height` reserve the space. */
  readonly ssr?: boolean;
  readonly width?: string | number;
  readonly height?: string | number;
  /** Names of its slots, which other addons may fill. */
  readonly slots?: readonly string[];
}

/** Build output of one addon, stored with the files; addresses below `/_assets/<addon>/`. */
export interface Manifest {
  /** Digest of the inputs: equal if nothing changed. */
  readonly key: string;
  readonly islands: Readonly<
    Record<string, { readonly script: string; readonly style: string | null; readonly server: string }>
  >;
  /** Components for slots of other addons' islands, by island id. */
  readonly slots: Manifest['islands'];
  readonly behaviours: Readonly<Record<string, { readonly script: string; readonly style: string | null }>>;
  /** Modules other addons' browser code may import: `browser.ts`, `kit.ts`; script by name. */
  readonly faces: Readonly<Record<string, string>>;
  readonly styles: {
    readonly public: readonly string[];
    readonly web: readonly string[];
    /** `styles/<name>.page.scss` by name, loaded when a template requests it. */
    readonly pages: Readonly<Record<string, string>>;
  };
  /** Input files with their sizes and times, to check whether the build is up to date. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** An island ready to be rendered. */
export interface Island {
  readonly id: string;
  readonly addon: string;
  readonly schema: z.ZodType;
  readonly settings: IslandSettings;
  readonly script: string;
  readonly style: string | null;
  /** The addon's folder. */
  readonly folder: string;
  /** Its source, relative to that. */
  readonly file: string;
  /** File of the server build; missing for browser-only islands. */
  readonly server: string;
  /** Components of other addons for its slots, in dependency order. */
  readonly fills: readonly Fill[];
}

/** One addon's components for the slots of an island. */
interface Fill {
  readonly addon: string;
  readonly script: string;
  readonly style: string | null;
  readonly components: Fills;
}
