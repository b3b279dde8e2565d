import type { Contributions } from './contributions.ts';

/** What an addon says of itself. */
export interface Manifest {
  /** The folder's name: small letters, digits, `_`. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** `1.2.0` */
  readonly version: string;
  readonly category?: string;
  /** A Bootstrap icon's name for the Apps screen. */
  readonly icon?: string;
  /** Addons this one needs. */
  readonly depends?: readonly string[];
  /** Cannot be switched off (base, web). */
  readonly permanent?: boolean;
  /** Enabled by itself once all it depends on is (glue between two addons). */
  readonly auto?: boolean;
}

/** An addon: what it says of itself, and what it registers. */
export type AddonDefinition = Manifest & Partial<Contributions>;

/**
 * Declares an addon: a table of contents by value, without logic. Importing it does nothing. Templates, islands, behaviours, data, demo,
 * migrations, translations, styles and static files are found by their folders beside `addon.ts`.
 *
 * ```ts
 * export default defineAddon({ name: 'hello', title: 'Hello', summary: 'Says hello', version: '1.0.0', depends: ['website'], routes: [hello] });
 * ```
 */
export function defineAddon(definition: AddonDefinition): AddonDefinition {
  return Object.freeze(definition);
}

/** An addon read from its folder: its definition and the files found beside it. */
export interface Addon {
  readonly name: string;
  readonly definition: AddonDefinition;
  /** Absolute folder. */
  readonly folder: string;
  /** Whether the folder is outside the repository (`ADDONS_PATH`). */
  readonly outside: boolean;
  /** Names of files by their folder, sorted. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}
