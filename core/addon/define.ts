import type { z } from 'zod';
import type { Operation } from '../model/access/compiled.ts';
import type { Id } from '../model/fields.ts';
import type { ModelRef } from '../model/types.ts';
import type { GroupDefinition } from './security.ts';

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
