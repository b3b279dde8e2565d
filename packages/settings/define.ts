import { declaredHere } from '@pergola/core';
import type { z } from 'zod';

/** A value that administrators can change, stored in the database. */
export interface Setting<T> {
  readonly kind: 'setting';
  /** `addon.name` */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly fallback: T;
  readonly label: string;
  readonly help?: string;
  /** Heading on the settings screen. */
  readonly section?: string;
  /** Group that can see and change it. Default `base.group_system`. */
  readonly groups?: string;
  /** Labels of an enumeration's values. Default: the values themselves. */
  readonly choices?: Readonly<Record<string, { readonly label: string }>>;
  /** Never shown again once set, and encrypted in the database and in backups. */
  readonly secret?: boolean;
  /** For a secret: the setting with the address it is sent to. If that changes, the secret is cleared and has to be entered again. */
  readonly sentTo?: Setting<string>;
  readonly $?: T;
}

/**
 * Declares a setting with its schema and default value.
 *
 * ```ts
 * export const holdMinutes = setting('sale.hold_minutes', z.number().int().min(1), 15, { label: 'Minutes a cart holds its seats' });
 * ```
 */
export function setting<T>(
  name: string,
  schema: z.ZodType<T>,
  fallback: T,
  options: Omit<Setting<T>, 'kind' | 'name' | 'schema' | 'fallback' | '$'>,
): Setting<T> {
  return Object.freeze(declaredHere({ kind: 'setting' as const, name, schema, fallback, ...options }, setting));
}

declare module '@pergola/core/context' {
  interface Ctx {
    readonly settings: {
      /** Its value, or the default if it was never changed. A page that reads it is rendered again after a change. */
      get<T>(setting: Setting<T>): Promise<T>;
      /** Throws InvalidInput for a value its schema rejects. */
      set<T>(setting: Setting<T>, value: T): Promise<void>;
    };
  }
}
