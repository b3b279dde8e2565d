import type { Contributions } from './contributions.ts';

/** Name, version and dependencies of an addon. */
export interface Manifest {
  /** Same as the folder: lowercase letters, digits and `_`. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** `1.2.0` */
  readonly version: string;
  readonly category?: string;
  /** Bootstrap icon for the Apps screen. */
  readonly icon?: string;
  /** Addons it requires. */
  readonly depends?: readonly string[];
  /** Can't be disabled (base, web). */
  readonly permanent?: boolean;
  /** Enabled automatically once all its dependencies are (glue between two addons). */
  readonly auto?: boolean;
}

/** Definition of an addon: its manifest and its contributions. */
export type AddonDefinition = Manifest & Partial<Contributions>;

/**
 * Declares an addon: a table of contents by value, without logic. Importing it has no side effects. Templates, islands, behaviours, data,
 * demo, migrations, translations, styles and static files are discovered in folders next to `addon.ts`.
 *
 * The manifest (`name` to `auto`) consists of fixed values: it is read without running the code, which isn't loaded before the addon is
 * enabled.
 *
 * ```ts
 * export default defineAddon({ name: 'hello', title: 'Hello', summary: 'Says hello', version: '1.0.0', depends: ['website'], routes:
 * [hello] });
 * ```
 */
export function defineAddon(definition: AddonDefinition): AddonDefinition {
  return Object.freeze(definition);
}

/** An addon in a folder. */
export interface ListedAddon {
  readonly name: string;
  /** Only the manifest unless the code was loaded. */
  readonly definition: AddonDefinition;
  /** Absolute path. */
  readonly folder: string;
  /** Whether the folder is outside the repository (`ADDONS_PATH`). */
  readonly outside: boolean;
}

/** An addon whose code was loaded: its whole definition and the files next to it. */
export interface Addon extends ListedAddon {
  /** Sorted file names by folder. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}
