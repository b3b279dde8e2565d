import type { z } from 'zod';
import type { Ctx, Identity } from '../context.ts';
import type { Problem } from '../errors.ts';
import type { RouteDefinition, RouteExtension } from '../http/route.ts';
import type { JobDefinition } from '../jobs/define.ts';
import type { MailDefinition } from '../mail/define.ts';
import type { Operation } from '../model/access/compiled.ts';
import type { Id, Ids } from '../model/fields.ts';
import type { ModelRef } from '../model/types.ts';
import type {
  AddressResolver,
  BlockDefinition,
  FactDefinition,
  FallbackDefinition,
  FragmentDefinition,
  TourDefinition,
} from '../page/define.ts';
import type { ServiceToken } from '../service.ts';
import type { DataSet } from './data.ts';
import type { Contribution } from './extension-point.ts';
import type { Plan, Sentence } from './plan.ts';
import type { AccessList, GroupDefinition, RecordRule } from './security.ts';
import type { Setting } from './settings.ts';
import type { MenuDefinition, ViewDefinition } from './views.ts';

/** A method that calls from outside (`call_kw`, form buttons) may name; everything else is refused. */
export interface PublicMethod {
  readonly model: string;
  readonly method: string;
  readonly writes: boolean;
  /**
   * What the caller must be allowed to do with the model by its access lists, asked before the method runs; which records is for the method and the
   * record rules to say. A method that is for everybody says why.
   */
  readonly right: Operation | { readonly none: string };
  /** Odoo's calls give ids first; `false` for methods of the model as a whole. */
  readonly onRecords: boolean;
  /** Arguments after the ids, checked before the call. */
  readonly args: z.ZodType;
}
export function publicMethod<I>(
  model: ModelRef<I>,
  method: keyof I & string,
  about: { writes: boolean; right: PublicMethod['right']; onRecords?: boolean; args?: z.ZodType },
): PublicMethod {
  return Object.freeze({
    model: model.modelName,
    method,
    writes: about.writes,
    right: about.right,
    onRecords: about.onRecords ?? true,
    args: about.args ?? (null as unknown as z.ZodType),
  });
}

/** How users are found; provided once, by addon base. */
export interface IdentityProvider {
  /** The identity of a user, or null when it is gone or disabled. Rows it reads are followed: a change is seen by the next call on every node (C16). */
  load(ctx: Ctx, userId: Id): Promise<Identity | null>;
  /** Everybody who has not signed in. */
  anonymous(ctx: Ctx): Promise<Identity>;
}

/** A new value of a field that says `tracked`. Values are as the field keeps them; x2many fields as lists of ids, translated ones by language. */
export interface TrackedChange {
  /** The model's name. */
  readonly model: string;
  readonly id: Id;
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

/** What an enabled generation declares, for addons that keep records about it (groups, menus, languages). */
export interface Declared {
  readonly addons: readonly {
    readonly name: string;
    readonly title: string;
    readonly summary: string;
    readonly version: string;
  }[];
  readonly groups: readonly (GroupDefinition & { readonly addon: string })[];
  readonly models: readonly { readonly name: string; readonly label: string; readonly addon: string }[];
  /** Languages its texts are compiled in, the default one first. */
  readonly languages: readonly string[];
}

export interface AddonDefinition {
  /** The folder's name: small letters, digits, `_`. */
  name: string;
  title: string;
  summary: string;
  /** `1.2.0` */
  version: string;
  category?: string;
  /** A Bootstrap icon's name for the Apps screen. */
  icon?: string;
  /** Addons this one needs; `core` needs none. */
  depends?: readonly string[];
  /** Cannot be switched off (base, web). */
  permanent?: boolean;
  /** Enabled by itself once all it depends on is (glue between two addons). */
  auto?: boolean;

  models?: readonly ModelRef[];
  services?: readonly ServiceToken<unknown>[];
  routes?: readonly (RouteDefinition | readonly RouteDefinition[])[];
  routeExtensions?: readonly RouteExtension[];
  groups?: readonly GroupDefinition[];
  access?: readonly AccessList[];
  rules?: readonly RecordRule[];
  views?: readonly ViewDefinition[];
  menus?: readonly MenuDefinition[];
  // biome-ignore lint/suspicious/noExplicitAny: jobs of any input
  jobs?: readonly JobDefinition<any>[];
  // biome-ignore lint/suspicious/noExplicitAny: mails of any values
  mails?: readonly MailDefinition<any>[];
  // biome-ignore lint/suspicious/noExplicitAny: settings of any type
  settings?: readonly Setting<any>[];
  // biome-ignore lint/suspicious/noExplicitAny: blocks of any options
  blocks?: readonly BlockDefinition<any>[];
  fragments?: readonly FragmentDefinition[];
  // biome-ignore lint/suspicious/noExplicitAny: facts of any name and state
  facts?: readonly FactDefinition<any, any>[];
  tours?: readonly TourDefinition[];
  /** Public methods and templates: what calls from outside may name. */
  public?: { methods?: readonly PublicMethod[]; templates?: readonly string[] };
  /** Browser modules of `elements/` by CSS selector; each is loaded when its element is on the page. */
  elements?: Readonly<Record<string, string>>;
  contributes?: readonly Contribution[];
  /** Paths no route knows. */
  fallbacks?: readonly FallbackDefinition[];
  identity?: IdentityProvider;
  /** Languages texts are kept in, `en_US`, the default one first; provided once, by addon base. */
  languages?: (ctx: Ctx) => Promise<readonly string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: a resolver of any state
  address?: AddressResolver<any>;
  /**
   * Told of changes of tracked fields of existing records, in the transaction that makes them and as whoever makes them; keeps the audit
   * trail. Computed values count too.
   */
  audit?: (ctx: Ctx, changes: readonly TrackedChange[]) => Promise<void>;
  /**
   * Records about what the enabled addons declare (groups, say), as data with full external ids (`forum.group_moderator`). Asked in the
   * switch's transaction whenever the set of enabled addons changes, after the schema and before shipped data, which may refer to them.
   */
  reflect?: (ctx: Ctx, declared: Declared) => Promise<readonly DataSet[]>;
  /**
   * More sentences for the plan of a switch, asked of every enabled addon before anything is done: what the switch means for records that only
   * this addon knows (pages whose address a new route takes). Reads only.
   */
  planNotes?: (ctx: Ctx, plan: Plan) => Promise<readonly Sentence[]>;
  /**
   * Whether the site may be served as it is, asked before the server listens; with problems the start is refused (demo passwords in production).
   * Reads only.
   */
  startChecks?: readonly ((ctx: Ctx) => Promise<readonly Problem[]>)[];
}

/**
 * Declares an addon: a table of contents by value, without logic. Importing it does nothing. Templates, islands, elements, data, demo,
 * migrations, translations, styles and static files are found by their folders beside `addon.ts`.
 *
 * ```ts
 * export default defineAddon({ name: 'hello', title: 'Hello', summary: 'Says hello', version: '1.0.0', depends: ['website'], routes: [hello] });
 * ```
 */
export function defineAddon(definition: AddonDefinition): AddonDefinition {
  return Object.freeze(definition);
}

export type { Ids };
