import type { AddonDefinition } from './addon/define.ts';
import type { GroupDefinition } from './addon/security.ts';
import type { ServiceContainer } from './container.ts';
import type { RouteTable } from './http/route-table.ts';
import type { Catalogs } from './i18n/catalog.ts';
import type { AssetSet } from './island/assets.ts';
import type { ModelRegistry } from './model/registry.ts';
import type { TemplateSet } from './page/templates.ts';

/** An addon read from its folder: its definition and the files found beside it. */
export interface LoadedAddon {
  readonly name: string;
  readonly definition: AddonDefinition;
  /** Absolute folder. */
  readonly folder: string;
  /** Whether the folder is outside the repository (`ADDONS_PATH`). */
  readonly outside: boolean;
  /** Names of files by their folder, sorted: `templates`, `islands`, `elements`, `data`, `demo`, `migrations`, `i18n`, `styles`. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

/**
 * Everything that serves requests, built whole from the enabled addons, checked whole, and swapped in by one pointer (law 4). Nothing in it
 * ever changes; requests end on the generation they began on.
 */
export interface Generation {
  /** Counts up with every switch; the same on all nodes. */
  readonly number: number;
  /** In dependency order. */
  readonly addons: readonly LoadedAddon[];
  readonly models: ModelRegistry;
  readonly routes: RouteTable;
  readonly templates: TemplateSet;
  readonly assets: AssetSet;
  readonly catalogs: Catalogs;
  readonly services: ServiceContainer;
  /** Groups with everything they imply (themselves included). */
  readonly groups: ReadonlyMap<string, GroupDefinition & { readonly addon: string; readonly all: ReadonlySet<string> }>;
  readonly contributions: ReadonlyMap<string, readonly unknown[]>;
  /** `fr_FR`, … the default language first. */
  readonly languages: readonly string[];
}
