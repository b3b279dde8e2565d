import { Currency, Language } from '@pergola/base';
import type { Ctx } from 'pergola';
import { holdsMails } from 'pergola/mail';
import { aroundAmount } from 'pergola/pages';
import type { Start } from '../../backend/types.ts';
import { Preference } from '../../models/web-preference.ts';
import { menusFor } from './menus.ts';

/** Returns the start data of backend screens for the current user. */
export async function startOf(ctx: Ctx): Promise<Start> {
  const [languages, preferences, currencies] = await Promise.all([
    ctx.model(Language).find([], { select: { code: true, name: true } }),
    ctx.model(Preference).find([], { select: { key: true, value: true } }),
    ctx.model(Currency).find([], { select: { name: true, symbol: true, position: true, decimal_places: true } }),
  ]);
  const { id, partnerId, name, login, groups } = ctx.user;
  return {
    user: {
      id: id ?? 0,
      partnerId,
      name,
      login: login ?? '',
      timezone: ctx.timezone,
      isAdmin: ctx.has('base.group_system'),
      groups: [...groups],
    },
    lang: ctx.lang,
    siteTimezone: ctx.siteTimezone,
    keepsMails: await holdsMails(ctx),
    languages: languages.map(({ code, name: language }) => ({ code, name: language })),
    currencies: Object.fromEntries(
      currencies.map(({ name: code, symbol, position, decimal_places: digits }) => [
        code,
        { digits, ...aroundAmount({ symbol, position: position ?? 'after' }) },
      ]),
    ),
    menus: menusFor(ctx),
    preferences: Object.fromEntries(preferences.map(({ key, value }) => [key, value])),
  };
}
