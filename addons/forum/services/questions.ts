import { Follower } from '@pergola/mail';
import { app, type Domain, type FieldsOf, fold, type Id, kept, liveValues, type Row, service } from 'pergola';
import { anonymousIdentity } from 'pergola/http';
import { PAGE } from '../constants.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumTag } from '../models/forum-tag.ts';
import type { ForumRow } from '../pages/header.ts';
import { questionPath, tagPath } from '../routes/paths.ts';
import { Authors } from './authors.ts';
import { otherLanguage, teaser } from './html-text.ts';

export const filters = ['all', 'unanswered', 'followed', 'favourites', 'mine'] as const;
export type Filter = (typeof filters)[number];
export const sortings = ['date', 'creation', 'vote', 'relevancy', 'answered'] as const;
export type Sorting = (typeof sortings)[number];

const orders: Readonly<Record<Sorting, string>> = {
  date: 'last_activity_date desc, id desc',
  creation: 'create_date desc, id desc',
  vote: 'vote_count desc, id desc',
  relevancy: 'relevancy desc, id desc',
  answered: 'child_count desc, id desc',
};

/**
 * Maximum number of questions that are counted and paged through. For searches, only the best matches are ranked; a sort order applies
 * within those.
 */
const MAX_QUESTIONS = { all: 10_000, tag: 1_000, found: 200 } as const;

/** Filters and sort order of a question list. */
export interface Listing {
  readonly filter: Filter;
  readonly sorting: Sorting | null;
  readonly search: string;
  readonly tag: Id | null;
  readonly page: number;
}

type PostDomain = Domain<FieldsOf<ForumPost>>;

const alikeSelect = {
  name: true,
  lang: true,
  child_count: true,
  vote_count: true,
  has_validated_answer: true,
} as const;
type AlikeRows = readonly Row<FieldsOf<ForumPost>, typeof alikeSelect>[];

/** Default sort order: search results by relevance, all others by the forum's setting. */
function sortingOf(forum: Pick<ForumRow, 'default_order'>, { sorting, search }: Listing): Sorting | null {
  return sorting ?? (search === '' ? forum.default_order : null);
}

/** Questions with a tag are looked up one by one. */
function maxCount({ tag }: Listing): number {
  return tag === null ? MAX_QUESTIONS.all : MAX_QUESTIONS.tag;
}

/** Common words of both languages, which are ignored when comparing questions. */
const common: ReadonlySet<string> = Object.freeze(
  new Set(
    `what which when where whose does have with from that this there their your about could would should into just before after
    every many much often some than then them they will comment quel quelle quels quelles quand pour dans avec sans peut faut
    cette sont nous vous leur mais plus moins tout tous faire fait etre avoir apres avant entre chez`.split(/\s+/),
  ),
);

/** Keyed by `[forum, question, title]`. */
export const alikeQuestions = liveValues('forum.alike', {
  read: async (system, key): Promise<AlikeRows> => {
    const [forum, question, title] = JSON.parse(key) as [Id, Id, string | null];
    const user = await anonymousIdentity(system);
    return user
      ? system
          .as({ user })
          .get(Questions)
          .find(forum, title ?? '', question)
      : [];
  },
});

/** Number of newest questions in live updates; larger numbers of missed questions are reported as this. */
const NEWEST = 20;

/** Newest public questions of a forum. */
export const newestQuestions = kept('forum.newest_questions', (ctx, forum: Id) =>
  ctx.model(ForumPost).search(
    [
      ['forum_id', '=', forum],
      ['parent_id', '=', null],
      ['state', '=', 'active'],
      ['website_visible', '=', true],
    ],
    { order: 'id desc', limit: NEWEST },
  ),
);

/** Filtered and sorted lists of a forum's questions. */
export class Questions extends service('forum.questions', { ctx: app.ctx, authors: Authors }) {
  /**
   * Returns one page of questions with their authors, and their number (up to a limit; `more` if it is exceeded). A fixed number of
   * queries.
   */
  async list(forum: ForumRow, listing: Listing) {
    const posts = this.ctx.model(ForumPost);
    const domain = await this.#domain(forum, listing);
    // Searches fetch their ranked matches once; other lists are only counted.
    const matches = listing.search === '' ? null : await posts.search(domain, { limit: MAX_QUESTIONS.found + 1 });
    const max = matches ? MAX_QUESTIONS.found : maxCount(listing);
    const total = matches ? matches.length : await this.#count(domain, listing);
    const hasMore = total > max;
    const count = Math.min(total, max);
    const last = Math.max(1, Math.ceil(count / PAGE.questions));
    const page = Math.min(listing.page, last);
    const sorting = sortingOf(forum, listing);
    const offset = (page - 1) * PAGE.questions;
    const best = matches?.slice(0, max);
    const pageIds = sorting ? best : best?.slice(offset, offset + PAGE.questions);
    const rows = await posts.find(pageIds ? [['id', 'in', pageIds]] : domain, {
      select: {
        name: true,
        lang: true,
        content: true,
        vote_count: true,
        child_count: true,
        has_validated_answer: true,
        views: true,
        create_uid: true,
        create_date: true,
        last_activity_date: true,
        tag_ids: { name: true },
      },
      ...(sorting ? { order: orders[sorting], offset } : {}),
      limit: PAGE.questions,
    });
    if (pageIds && !sorting) rows.sort((a, b) => pageIds.indexOf(a.id) - pageIds.indexOf(b.id));
    const author = await this.authors.of(
      forum,
      rows.flatMap(({ create_uid }) => create_uid ?? []),
    );
    return {
      count,
      more: hasMore,
      page,
      sorting,
      questions: rows.map(({ tag_ids, content, ...row }) => ({
        ...row,
        path: questionPath(forum, row),
        language: otherLanguage(this.ctx, row.lang),
        teaser: teaser(content),
        author: author(row.create_uid),
        tags: tag_ids.map((tag) => ({ name: tag.name, path: tagPath(forum, tag) })),
      })),
    };
  }

  /** Public questions similar to another one, cached for all readers. */
  async alike(forum: ForumRow, { id, name }: { readonly id: Id; readonly name: string | null }) {
    const similarRows = await this.ctx.get(alikeQuestions).get(this.ctx, JSON.stringify([forum.id, id, name]));
    return similarRows.map((row) => ({
      ...row,
      path: questionPath(forum, row),
      language: otherLanguage(this.ctx, row.lang),
    }));
  }

  /** Questions similar to a text that is being asked. */
  async similar(forum: ForumRow, text: string) {
    return (await this.find(forum.id, text)).map((row) => ({ ...row, path: questionPath(forum, row) }));
  }

  /** Questions of a forum similar to a text, best match first. */
  async find(forum: Id, text: string, except: Id = 0) {
    const words = text
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 3 && !common.has(fold(word)))
      .slice(0, 8);
    if (words.length === 0) return [];
    // One query per word: ranked searches with a limit are fast even if many posts contain the words.
    const find = (matching: string, limit: number) =>
      this.ctx.model(ForumPost).find(
        [
          ['forum_id', '=', forum],
          ['parent_id', '=', null],
          ['state', 'in', ['active', 'close']],
          ['id', '!=', except],
          ['id', 'matches', matching],
        ],
        { select: alikeSelect, limit },
      );
    const questions = await find(words.join(' '), PAGE.similar);
    if (questions.length < PAGE.similar && words.length > 1) {
      // Then adds questions with some of the words: the more words a title shares, the more similar it is.
      const matchesByWord = new Map<Id, (typeof questions)[number]>();
      for (const word of words.slice(0, 3))
        for (const row of await find(word, 5 * PAGE.similar)) matchesByWord.set(row.id, row);
      const sharedWords = ({ name }: { readonly name: string | null }): number =>
        words.filter((word) => fold(name ?? '').includes(fold(word))).length;
      const knownIds = new Set(questions.map(({ id }) => id));
      const candidates = [...matchesByWord.values()].filter(({ id }) => !knownIds.has(id));
      questions.push(...candidates.toSorted((a, b) => sharedWords(b) - sharedWords(a) || b.vote_count - a.vote_count));
    }
    return questions.slice(0, PAGE.similar);
  }

  /** Posts the caller follows, newest first. */
  async followed(): Promise<Id[]> {
    if (this.ctx.user.partnerId === null) return [];
    // Users have no access to followers; these records are the caller's.
    const rows = await this.ctx
      .sudo()
      .model(Follower)
      .find(
        [
          ['res_model', '=', 'forum.post'],
          ['partner_id', '=', this.ctx.user.partnerId],
        ],
        { select: { res_id: true }, order: 'id desc', limit: 500 },
      );
    return rows.map(({ res_id }) => res_id);
  }

  async #domain(forum: ForumRow, { filter, search, tag }: Listing): Promise<PostDomain> {
    const user = this.ctx.user.id ?? 0;
    return [
      ['forum_id', '=', forum.id],
      ['parent_id', '=', null],
      ['state', '=', 'active'],
      ...(tag === null ? [] : ([['tag_ids', '=', tag]] as const)),
      ...(search === '' ? [] : ([['id', 'matches', search]] as const)),
      ...(filter === 'unanswered' ? ([['child_count', '=', 0]] as const) : []),
      ...(filter === 'followed' ? ([['id', 'in', await this.followed()]] as const) : []),
      ...(filter === 'favourites' ? ([['favourite_ids', '=', user]] as const) : []),
      ...(filter === 'mine' ? ([['create_uid', '=', user]] as const) : []),
    ];
  }

  /** Counts matching questions, up to one more than the limit. For very common tags, the stored count is enough. */
  async #count(domain: PostDomain, listing: Listing): Promise<number> {
    const max = maxCount(listing);
    if (listing.tag !== null && listing.filter === 'all') {
      const { posts_count } = await this.ctx.model(ForumTag).get(listing.tag, { select: { posts_count: true } });
      if ((posts_count ?? 0) > 2 * max) return max + 1;
    }
    return this.ctx.model(ForumPost).count(domain, { most: max + 1 });
  }
}
