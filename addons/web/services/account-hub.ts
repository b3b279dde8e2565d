import type { Ctx } from 'pergola';
import { ownText } from 'pergola/pages';
import { type AccountPart, accountEntries, type EntryState } from '../points/account-entries.ts';
import { t } from '../texts.ts';

/** A way from the page of one's own account, as it is shown. */
interface ShownEntry {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly icon: string;
  readonly url: string;
  readonly count: number;
}

/** The ways from the page of one's own account, under their headings; those that are not for this person are left out. */
export async function accountHub(ctx: Ctx) {
  const all = ctx.get(accountEntries);
  const states = await Promise.all(all.map(async ({ load }): Promise<EntryState | null> => (load ? load(ctx) : {})));
  const entries = all.flatMap(({ addon, part, ...entry }, at) => {
    const state = states[at];
    if (!state) return [];
    const shown: ShownEntry = {
      id: entry.id,
      label: ownText(ctx, addon, entry.label),
      help: ownText(ctx, addon, entry.help),
      icon: entry.icon,
      url: state.url ?? entry.url,
      count: state.count ?? 0,
    };
    return [{ part, shown }];
  });
  const headings: readonly (readonly [AccountPart, string])[] = [
    ['orders', t(ctx, 'Orders and tickets')],
    ['profile', t(ctx, 'About me')],
    ['security', t(ctx, 'Signing in')],
  ];
  return headings.flatMap(([id, title]) => {
    const own = entries.filter(({ part }) => part === id).map(({ shown }) => shown);
    return own.length === 0 ? [] : [{ id, title, entries: own }];
  });
}
