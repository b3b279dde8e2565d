import { app, liveValues, service } from 'pergola';
import { anonymousIdentity } from 'pergola/http';
import { correctWords, wordsOf } from 'pergola/kernel';
import { ownText } from 'pergola/pages';
import { type SearchHit, searchables } from './point.ts';

/** Maximum names per kind used for corrections. */
const MOST_NAMES = 5_000;
/** Number of full-text matches per kind that are ranked by name. */
const MOST_RANKED = 40;

/** Results of one kind. */
export interface SearchGroup {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly hits: readonly SearchHit[];
}

/** Results, and the corrected query if the original found nothing. */
export interface Found {
  readonly groups: readonly SearchGroup[];
  readonly corrected: string | null;
}

/** Searches the contributions of all addons with the caller's access rights. */
export class SiteSearch extends service('website.search', { ctx: app.ctx, searchables }) {
  /**
   * Returns up to `limit` results per kind, best first, optionally of one addon. Corrects misspelled words if there are no results, the
   * same on every database.
   */
  async find(query: string, limit: number, addon?: string): Promise<Found> {
    const text = query.trim();
    if (!/[\p{L}\p{N}]/u.test(text)) return { groups: [], corrected: null };
    const findGroups = (words: string) => this.#findAll(words, limit, addon);
    const { found: results, corrected } = await this.meant(text, findGroups, (groups) => groups.length > 0);
    return { groups: results, corrected };
  }

  /** Runs `look` with the text as typed, or with the `corrected` text if that finds nothing. */
  async meant<T>(
    query: string,
    look: (words: string) => Promise<T>,
    isAny: (results: T) => boolean,
  ): Promise<{ readonly found: T; readonly corrected: string | null }> {
    const results = await look(query);
    const corrected = isAny(results) || query === '' ? null : await this.#correct(query);
    const correctedResults = corrected === null ? results : await look(corrected);
    return isAny(correctedResults) ? { found: correctedResults, corrected } : { found: results, corrected: null };
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

  /** Replaces unknown words with the nearest known word; null if no word is near enough. */
  async #correct(text: string): Promise<string | null> {
    const { ctx } = this;
    const words = await ctx.get(searchedWords).get(ctx, JSON.stringify([ctx.attributes.website?.id ?? null, ctx.lang]));
    return correctWords(text, words);
  }
}

/** Words of all public names, by `[site, language]`. */
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

/** Sorts by how many words occur in the name, at its start first. Databases rank full-text matches differently. The order is stable. */
export function byName<T>(list: readonly T[], text: string, nameOf: (item: T) => string): T[] {
  const words = wordsOf(text);
  const weight = (item: T): number => {
    const nameWords = wordsOf(nameOf(item));
    const matches = words.filter((word) => nameWords.some((name) => name.startsWith(word))).length;
    return matches + (nameWords[0]?.startsWith(words[0] ?? ' ') ? 0.5 : 0);
  };
  const weights = new Map(list.map((item) => [item, weight(item)]));
  return [...list].sort((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0));
}
