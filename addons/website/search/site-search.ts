import { app, liveValues, service } from 'pergola';
import { anonymousIdentity } from 'pergola/http';
import { correctWords, wordsOf } from 'pergola/kernel';
import { ownText } from 'pergola/pages';
import { type SearchHit, searchables } from './point.ts';

/** Names of one kind that its words are taken from. */
const MOST_NAMES = 5_000;
/** Of each kind so many of the best texts are looked at for the best names. */
const MOST_RANKED = 40;

/** What was found of one kind. */
export interface SearchGroup {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly hits: readonly SearchHit[];
}

/** What was found, and what was looked for instead where what was typed finds nothing. */
export interface Found {
  readonly groups: readonly SearchGroup[];
  readonly corrected: string | null;
}

/** Looks through everything that addons have for visitors, with the rights of whoever asks. */
export class SiteSearch extends service('website.search', { ctx: app.ctx, searchables }) {
  /**
   * At most `limit` of each kind, the best first; of one addon's kinds only, where it is named. Where nothing has the words, mistyped ones are
   * corrected, the same on every database.
   */
  async find(typed: string, limit: number, addon?: string): Promise<Found> {
    const text = typed.trim();
    if (!/[\p{L}\p{N}]/u.test(text)) return { groups: [], corrected: null };
    const look = (words: string) => this.#findAll(words, limit, addon);
    const { found, corrected } = await this.meant(text, look, (groups) => groups.length > 0);
    return { groups: found, corrected };
  }

  /** What `look` finds for the words as they were typed, or, where that is nothing, for those that are meant: then they are `corrected`. */
  async meant<T>(
    typed: string,
    look: (words: string) => Promise<T>,
    isAny: (found: T) => boolean,
  ): Promise<{ readonly found: T; readonly corrected: string | null }> {
    const found = await look(typed);
    const corrected = isAny(found) || typed === '' ? null : await this.#correct(typed);
    const other = corrected === null ? found : await look(corrected);
    return isAny(other) ? { found: other, corrected } : { found, corrected: null };
  }

  async #findAll(text: string, limit: number, addon?: string): Promise<SearchGroup[]> {
    const { ctx } = this;
    const groups: SearchGroup[] = [];
    for (const { id, label, icon, find, details } of this.searchables) {
      const [owner = ''] = id.split('.');
      if (addon !== undefined && addon !== owner) continue;
      const best = byName(await find(ctx, text, MOST_RANKED), text, ({ title }) => title).slice(0, limit);
      if (best.length === 0) continue;
      const hits = details ? await details(ctx, best) : best;
      groups.push({ id, label: ownText(ctx, owner, label), icon, hits });
    }
    return byName(groups, text, ({ hits: [best] }) => best?.title ?? '');
  }

  /** The text with each word that nothing is called as the nearest word that something is; null when none is near. */
  async #correct(text: string): Promise<string | null> {
    const { ctx } = this;
    const known = await ctx.get(searchedWords).get(ctx, JSON.stringify([ctx.attributes.website?.id ?? null, ctx.lang]));
    return correctWords(text, known);
  }
}

/** `[site, language]`: the words of all that visitors find something by. */
export const searchedWords = liveValues('website.searched_words', {
  read: async (system, key): Promise<readonly string[]> => {
    const [, lang] = JSON.parse(key) as [unknown, string];
    const user = await anonymousIdentity(system);
    if (!user) return [];
    const visitor = system.as({ user, lang });
    const words = new Set<string>();
    for (const { names } of system.get(searchables)) {
      for (const name of await names(visitor, MOST_NAMES)) for (const word of wordsOf(name)) words.add(word);
    }
    return [...words];
  },
  most: 20,
});

/** Those first whose names have more of the words, at their beginning before elsewhere: databases weigh texts, each in its own way. The others stay in order. */
export function byName<T>(list: readonly T[], text: string, nameOf: (one: T) => string): T[] {
  const words = wordsOf(text);
  const weight = (one: T): number => {
    const own = wordsOf(nameOf(one));
    const found = words.filter((word) => own.some((name) => name.startsWith(word))).length;
    return found + (own[0]?.startsWith(words[0] ?? ' ') ? 0.5 : 0);
  };
  const weights = new Map(list.map((one) => [one, weight(one)]));
  return [...list].sort((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0));
}
