import { type Ctx, contributionPoint, z } from 'pergola';
import { declaredHere, iconName, id, shaped, text } from 'pergola/kernel';

/** Section of the account page. */
const parts = ['orders', 'profile', 'security'] as const;
export type AccountPart = (typeof parts)[number];

/** State of an entry for the signed-in user. */
export interface EntryState {
  /** Number of records. */
  readonly count?: number;
  /** Address, if it differs by user. */
  readonly url?: string;
}

/** A link on the account page. */
export interface AccountEntry {
  readonly id: string;
  readonly part: AccountPart;
  readonly label: string;
  /** Description in one sentence. */
  readonly help: string;
  /** Name of a Bootstrap icon. */
  readonly icon: string;
  readonly url: string;
  /** Called on each view of the page, so it must be cheap. Null hides the entry. */
  readonly load?: (ctx: Ctx) => Promise<EntryState | null>;
}

/**
 * Declares a link on the account page `/my/account`.
 *
 * ```ts
 * accountEntries: [
 *   accountEntry('studio.bookings', { part: 'orders', label: 'Bookings', help: 'Your courses', icon: 'cup-hot', url: '/my/bookings' }),
 * ]
 * ```
 *
 * @param id `addon.thing`
 */
export function accountEntry(id: string, definition: Omit<AccountEntry, 'id'>): AccountEntry {
  return Object.freeze(declaredHere({ id, ...definition }, accountEntry));
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Links on the account page: `accountEntry(…)`. */
    accountEntries: readonly AccountEntry[];
  }
}

/** Links on the account page, in the order of the addons. */
export const accountEntries = contributionPoint('accountEntries', {
  shape: z.array(
    shaped('an account entry', '`accountEntry(…)`', {
      id,
      part: z.enum(parts),
      label: text,
      help: text,
      icon: iconName,
      url: text,
    }),
  ),
  names: { what: 'account entry', of: (list) => list.map((entry) => entry.id) },
  build: ({ contributions }) =>
    contributions.flatMap(({ addon, value }): (AccountEntry & { readonly addon: string })[] =>
      value.map((entry) => ({ ...entry, addon: addon.name })),
    ),
});
