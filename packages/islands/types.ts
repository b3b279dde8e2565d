import type { Fills } from '@pergola/browser';
import type { z } from 'zod';

/** When an island is made alive. */
export type Wake = 'load' | 'idle' | 'visible' | 'touch' | 'media' | 'return';

/** What a template says where it places an island. */
export interface IslandOptions {
  /** When it is made alive in the browser. */
  readonly on: Wake;
  /** The media query that `on="media"` waits for. */
  readonly media?: string;
  /** HTML of the template within it. */
  readonly content?: string;
  /** Where the template places it, for developers: `templates/shop.page.hbs:12`. */
  readonly from?: string;
}

/** What an island's props file says beside its schema: `export const island = { ssr: false, height: 320 }`. */
interface IslandSettings {
  /** false: only in the browser; the place is kept by `width` and `height`. */
  readonly ssr?: boolean;
  readonly width?: string | number;
  readonly height?: string | number;
  /** Names of its slots, which other addons may fill. */
  readonly slots?: readonly string[];
}

/** What one addon's build made, as kept beside the files; addresses below `/_assets/<addon>/`. */
export interface Manifest {
  /** Names the inputs: equal when nothing changed. */
  readonly key: string;
  readonly islands: Readonly<
    Record<string, { readonly script: string; readonly style: string | null; readonly server: string }>
  >;
  /** What it puts into slots of other addons' islands, by the island's id. */
  readonly slots: Manifest['islands'];
  readonly behaviours: Readonly<Record<string, { readonly script: string; readonly style: string | null }>>;
  /** What other addons' browser code may import: `browser.ts`, `kit.ts`; script by name. */
  readonly faces: Readonly<Record<string, string>>;
  readonly styles: {
    readonly public: readonly string[];
    readonly web: readonly string[];
    /** `styles/<name>.page.scss` by name: loaded where a template says so. */
    readonly pages: Readonly<Record<string, string>>;
  };
  /** Files that were read, with their sizes and times, to see whether the build still holds. */
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
  /** The server build's file; of an island for the browser alone there is none. */
  readonly server: string;
  /** What other addons put into its slots, in their order. */
  readonly fills: readonly Fill[];
}

/** One addon's components for the slots of an island. */
interface Fill {
  readonly addon: string;
  readonly script: string;
  readonly style: string | null;
  readonly components: Fills;
}
