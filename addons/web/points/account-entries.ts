import { type Ctx, contributionPoint, z } from 'pergola';
import { declaredHere, iconName, id, shaped, text } from 'pergola/kernel';

/** Where an entry stands on the page. */
const parts = ['orders', 'profile', 'security'] as const;
export type AccountPart = (typeof parts)[number];

/** What an entry says of who is signed in. */
export interface EntryState {
  /** How many there are. */
  readonly count?: number;
  /** Where it leads, when that differs from person to person. */
  readonly url?: string;
}

/** A way from the page of one's own account. */
export interface AccountEntry {
  readonly id: string;
  readonly part: AccountPart;
  readonly label: string;
  /** What one finds there, in a sentence. */
  readonly help: string;
  /** A Bootstrap icon's name. */
  readonly icon: string;
  readonly url: string;
  /** Asked on each view of the page, so cheap; null: there is nothing for this person. */
  readonly load?: (ctx: Ctx) => Promise<EntryState | null>;
}

/**
 * Declares a way from the page `/my/account`, where people find all that is theirs.
 *
 * ```ts
 * accountEntries: [accountEntry('studio.bookings', { part: 'orders', label: 'Bookings', help: 'Your courses', icon: 'cup-hot', url: '/my/bookings' })]
 * ```
 *
 * @param id `addon.thing`
 */
export function accountEntry(id: string, about: Omit<AccountEntry, 'id'>): AccountEntry {
  return Object.freeze(declaredHere({ id, ...about }, accountEntry));
}

declare module 'pergola/contributions' {
  interface Contributions {
    /** Ways from the page of one's own account: `accountEntry(…)`. */
    accountEntries: readonly AccountEntry[];
  }
}

/** Ways from the page of one's own account, in the order of the addons. */
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
  names: { what: 'account entry', of: (list) => list.map((one) => one.id) },
  build: ({ contributions }) =>
    contributions.flatMap(({ addon, value }): (AccountEntry & { readonly addon: string })[] =>
      value.map((one) => ({ ...one, addon: addon.name })),
    ),
});
