import type { Ctx } from 'pergola';
import { ownText } from 'pergola/pages';
import { type AccountPart, accountEntries, type EntryState } from '../points/account-entries.ts';
import { t } from '../texts.ts';

/** A link on the account page, ready to render. */
interface ShownEntry {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly icon: string;
  readonly url: string;
  readonly count: number;
}

/** Returns the account page's links by section, without links that don't apply to the user. */
export async function accountHub(ctx: Ctx) {
  const all = ctx.get(accountEntries);
  const states = await Promise.all(all.map(async ({ load }): Promise<EntryState | null> => (load ? load(ctx) : {})));
  const entries = all.flatMap(({ addon, part, ...entry }, index) => {
    const state = states[index];
    if (!state) return [];
    const link: ShownEntry = {
      id: entry.id,
      label: ownText(ctx, addon, entry.label),
      help: ownText(ctx, addon, entry.help),
      icon: entry.icon,
      url: state.url ?? entry.url,
      count: state.count ?? 0,
    };
    return [{ part, link }];
  });
  const headings: readonly (readonly [AccountPart, string])[] = [
    ['orders', t(ctx, 'Orders and tickets')],
    ['profile', t(ctx, 'About me')],
    ['security', t(ctx, 'Sign-in')],
  ];
  return headings.flatMap(([id, title]) => {
    const links = entries.filter(({ part }) => part === id).map(({ link }) => link);
    return links.length === 0 ? [] : [{ id, title, entries: links }];
  });
}
