import { Language } from '@pergola/base';
import { type Ctx, type Id, type Ids, requestAttribute, signText, timingSafeEqualText } from 'pergola';
import type { RequestAttribute } from 'pergola/pages';
import { ShopPricelist } from '../models/product-pricelist.ts';
import { codeKey } from './promo-code.ts';

/** Cookie with a visitor's pricelist: `l<id>` for a public list, or `c<signature>` for a list whose code they entered. */
export const PRICELIST_COOKIE = 'shop_pricelist';

/** Prices of a visitor, as far as they don't depend on their account. */
interface ShopPrices {
  /** Null if there are no pricelists: products keep their own prices. */
  readonly pricelist: Id | null;
  /** Code that opened the list. */
  readonly code: string | null;
  /** Whether the visitor entered a code or chose the list in this browser. */
  readonly isChosen: boolean;
  /** Lists visitors can choose from; empty if there is only one. */
  readonly choices?: readonly List[];
}

declare module 'pergola' {
  interface RequestAttributes {
    /** Missing outside of requests: in jobs and commands. */
    readonly shop?: ShopPrices;
  }
}

/** A pricelist available to visitors. */
export interface List {
  readonly id: Id;
  /** Name and currency of the list, by language. */
  readonly names: Readonly<Record<string, string>>;
  readonly website: Id | null;
  readonly code: string | null;
  /** Cookie value of visitors who entered the code. It is signed, so codes can only be guessed through the form. */
  readonly cookie: string | null;
  readonly selectable: boolean;
}

/** Pricelist of a request. The cache of shop pages varies by it, and by nothing else about the visitor. */
export const shopAttribute: RequestAttribute<'shop', List[]> = requestAttribute('shop', {
  prepare: readLists,
  resolve(lists, { cookies, attributes }) {
    const siteLists = lists.filter((list) => isOnSite(list, attributes.website?.id));
    const requested = listOf(siteLists, cookies[PRICELIST_COOKIE]);
    const list = requested ?? defaultList(siteLists);
    const choices = choosable(siteLists);
    return {
      pricelist: list?.id ?? null,
      code: requested?.code ?? null,
      isChosen: requested !== undefined,
      choices: choices.length > 1 ? choices : [],
    };
  },
  key: (prices) =>
    JSON.stringify([prices?.pricelist, prices?.code === null, prices?.choices?.map(({ id, names }) => [id, names])]),
});

/** Reads the pricelists of the shop in their order: all of them, or only the ones that don't require a code. */
async function readLists(ctx: Ctx, scope: 'all' | 'open' = 'all'): Promise<List[]> {
  const rows = await ctx
    .model(ShopPricelist)
    .find([['active', '=', true], ...(scope === 'open' ? ([['code', '=', null]] as const) : [])], {
      select: { currency_id: { name: true }, code: true, selectable: true, website_id: true },
    });
  const names = await namesOf(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, currency_id, website_id, code, selectable }) => ({
    id,
    names: Object.fromEntries(
      [...names].map(([lang, translations]) => [lang, `${translations.get(id) ?? ''} (${currency_id?.name ?? ''})`]),
    ),
    website: website_id,
    code: code?.trim() ? code.trim() : null,
    cookie: code?.trim() ? `c${signText(ctx.config.sessionSecret, PRICELIST_COOKIE, `${id}:${code.trim()}`)}` : null,
    selectable,
  }));
}

/** Returns the names of lists by language. */
async function namesOf(ctx: Ctx, ids: Ids): Promise<Map<string, Map<Id, string>>> {
  const languages = await ctx.model(Language).find([['active', '=', true]], { select: { code: true } });
  const all = new Map<string, Map<Id, string>>();
  for (const { code: lang } of languages) {
    const rows = await ctx
      .as({ lang })
      .model(ShopPricelist)
      .read(ids, { select: { name: true } });
    all.set(lang, new Map(rows.map(({ id, name }) => [id, name])));
  }
  return all;
}

const isOnSite = ({ website }: List, site: Id | undefined): boolean => website === null || website === site;

/** Returns the default list of visitors without a code or choice. */
function defaultList(lists: readonly List[]): List | undefined {
  return lists.find(({ code }) => code === null);
}

/** Returns the lists of this site that visitors can choose from, including the default. */
export async function listsToChoose(ctx: Ctx): Promise<List[]> {
  // The lists visitors can choose from are public.
  const siteLists = (await readLists(ctx.sudo(), 'open')).filter((list) => isOnSite(list, ctx.attributes.website?.id));
  return choosable(siteLists);
}

function choosable(siteLists: readonly List[]): List[] {
  const first = defaultList(siteLists);
  return siteLists.filter((list) => list === first || (list.selectable && list.code === null));
}

/** Returns the default list for visitors without a code, or null if there are no lists. */
export async function usualList(ctx: Ctx): Promise<Id | null> {
  return (await listsToChoose(ctx))[0]?.id ?? null;
}

function listOf(lists: readonly List[], cookie: string | undefined): List | undefined {
  if (!cookie) return undefined;
  // A list with a code is only opened by the code, even if it is selectable.
  if (cookie.startsWith('l'))
    return lists.find(({ id, selectable, code }) => selectable && code === null && `l${id}` === cookie);
  return lists.find((list) => list.cookie !== null && timingSafeEqualText(list.cookie, cookie));
}

/**
 * Returns a pricelist that a visitor of this site can only have by choice: through a code that is still valid, or from the currency menu.
 * Returns null for all others, such as the shop's default.
 */
export async function openedList(
  ctx: Ctx,
  id: Id | null,
): Promise<{ readonly id: Id; readonly code: string | null } | null> {
  if (id === null || id === ctx.attributes.shop?.pricelist) return null;
  const [list] = await ctx
    .sudo() // The code belongs to a cart of the caller.
    .model(ShopPricelist)
    .read([id], { select: { active: true, code: true, selectable: true, website_id: true } });
  if (!list?.active || (list.website_id !== null && list.website_id !== ctx.attributes.website?.id)) return null;
  const code = list.code?.trim() || null;
  return code !== null || list.selectable ? { id, code } : null;
}

/** Returns the list opened by a promo code on this site, or null for an unknown code. */
export async function pricelistByCode(
  ctx: Ctx,
  code: string,
): Promise<{ readonly id: Id; readonly cookie: string } | null> {
  if (codeKey(code) === '') return null;
  // Knowing the code grants access to its prices.
  const lists = await readLists(ctx.sudo());
  const match = lists.find(
    (list) => list.code !== null && codeKey(list.code) === codeKey(code) && isOnSite(list, ctx.attributes.website?.id),
  );
  return match?.cookie ? { id: match.id, cookie: match.cookie } : null;
}

/**
 * Returns the lists a visitor can choose between, by name and currency, or null if there is no choice.
 *
 * @param current list used for the prices on the page
 */
export function choicesOf(
  ctx: Ctx,
  current: Id | null,
): readonly { readonly id: Id; readonly name: string; readonly chosen: boolean }[] | null {
  const { choices = [] } = ctx.attributes.shop ?? {};
  if (choices.length === 0) return null;
  return choices.map(({ id, names }) => ({ id, name: names[ctx.lang] ?? '', chosen: id === current }));
}
