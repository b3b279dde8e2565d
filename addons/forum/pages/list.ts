import { pagerOf, SiteSearch, seoOf } from '@pergola/website';
import { type Ctx, type Id, kept, z } from 'pergola';
import { PAGE } from '../constants.ts';
import { Forum } from '../models/forum.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { feedPath, forumPath, tagPath } from '../routes/paths.ts';
import {
  type Filter,
  filters,
  type Listing,
  newestQuestions,
  Questions,
  type Sorting,
  sortings,
} from '../services/questions.ts';
import { t } from '../texts.ts';
import { type ForumRow, headerOf } from './header.ts';
import { withQuery } from './with-query.ts';

/** Sort orders of old Odoo links. */
const oldSortings: Readonly<Record<string, Sorting>> = {
  'write_date desc': 'date',
  'create_date desc': 'creation',
  'vote_count desc': 'vote',
  'relevancy desc': 'relevancy',
  'child_count desc': 'answered',
};
const sorting = z
  .string()
  .max(40)
  .optional()
  .transform((text): Sorting | null => {
    if (text === undefined || text === '') return null;
    return sortings.find((name) => name === text) ?? oldSortings[text] ?? 'creation';
  });
/** Query parameters of a list. */
export const listQuery = z.object({
  filters: z.string().max(40).default('all'),
  sorting,
  search: z.string().max(200).default(''),
  /** Set after a post was flagged without JavaScript. */
  flagged: z.literal('1').optional().catch(undefined),
});

type ListQuery = z.infer<typeof listQuery>;

/** One page of a forum's questions, optionally limited to a tag. */
export async function listPage(
  ctx: Ctx,
  query: ListQuery,
  forum: ForumRow,
  tag: { id: Id; name: string } | null,
  page: number,
) {
  const { header, viewer } = await headerOf(ctx, forum, 'questions');
  const filter: Filter = filters.find((name) => name === query.filters) ?? 'all';
  const listing: Listing = { filter, sorting: query.sorting, search: query.search.trim(), tag: tag?.id ?? null, page };
  const look = (search: string) => ctx.get(Questions).list(forum, { ...listing, search });
  const { found: result, corrected } = await ctx.get(SiteSearch).meant(listing.search, look, ({ count }) => count > 0);
  const base = tag ? tagPath(forum, tag) : forumPath(forum);
  const currentQuery = {
    filters: filter === 'all' ? undefined : filter,
    search: listing.search,
    sorting: query.sorting ?? undefined,
  };
  const link = (changes: Partial<typeof currentQuery>) => withQuery(base, { ...currentQuery, ...changes });
  const isPlain = filter === 'all' && listing.search === '' && query.sorting === null;
  const canonical = result.page > 1 ? `${base}/page/${result.page}` : base;
  const feed = feedPath(forum, tag);
  const name = tag ? t(ctx, 'Questions about {tag}', { tag: tag.name }) : forum.name;
  return {
    header,
    flagged: query.flagged,
    ...result,
    tag,
    feed,
    search: listing.search,
    corrected,
    clear: link({ search: undefined }),
    action: base,
    filter,
    kept: currentQuery,
    filters: filterLinks(ctx, viewer.userId !== null).map(({ id, label }) => ({
      label,
      href: link({ filters: id === 'all' ? undefined : id }),
      active: id === filter,
    })),
    sortings: sortingLinks(ctx).map(({ id, label }) => ({
      id,
      label,
      href: link({ sorting: id }),
      active: id === result.sorting,
    })),
    pager: pagerOf({
      page: result.page,
      count: result.count,
      size: PAGE.questions,
      address: (number) => withQuery(number === 1 ? base : `${base}/page/${number}`, currentQuery),
    }),
    follow: await followOf(ctx, forum, tag, viewer.partnerId),
    tags: tag ? [] : await popularTags(ctx, forum),
    welcome: viewer.userId === null && isPlain && page === 1 && !tag ? forum.welcome_message : null,
    live: isPlain && page === 1 && !tag ? await liveOf(ctx, forum) : null,
    seo: seoOf(forum, {
      title: name,
      description: forum.description,
      canonical,
      noindex: !isPlain,
      feeds: [{ title: name, path: feed }],
      breadcrumbs: [{ name: forum.name, url: forumPath(forum) }, ...(tag ? [{ name: tag.name, url: base }] : [])],
    }),
  };
}

/** Initial state for the page's live updates. */
async function liveOf(ctx: Ctx, forum: ForumRow) {
  // The newest questions are public.
  const [newest = 0] = await newestQuestions.get(ctx.sudo(), forum.id);
  return { forum: forum.id, newest };
}

/** Follow button for the forum or one of its tags; null for visitors. */
async function followOf(ctx: Ctx, forum: ForumRow, tag: { id: Id; name: string } | null, partner: Id | null) {
  if (partner === null) return null;
  return tag
    ? {
        id: tag.id,
        object: 'forum.tag',
        path: tagPath(forum, tag),
        isFollowed: await ctx.model(ForumTag).isFollower(tag.id, partner),
      }
    : {
        id: forum.id,
        object: 'forum.forum',
        path: forumPath(forum),
        isFollowed: await ctx.model(Forum).isFollower(forum.id, partner),
      };
}

function filterLinks(ctx: Ctx, isKnown: boolean): { id: Filter; label: string }[] {
  return [
    { id: 'all', label: t(ctx, 'All') },
    { id: 'unanswered', label: t(ctx, 'Unanswered') },
    ...(isKnown
      ? ([
          { id: 'followed', label: t(ctx, 'Followed') },
          { id: 'favourites', label: t(ctx, 'Favourites') },
          { id: 'mine', label: t(ctx, 'My questions') },
        ] as const)
      : []),
  ];
}

function sortingLinks(ctx: Ctx): { id: Sorting; label: string }[] {
  return [
    { id: 'date', label: t(ctx, 'Last activity') },
    { id: 'creation', label: t(ctx, 'Newest') },
    { id: 'vote', label: t(ctx, 'Most votes') },
    { id: 'relevancy', label: t(ctx, 'Relevance') },
    { id: 'answered', label: t(ctx, 'Most answers') },
  ];
}

/** Most used tags of a forum. */
export const tagCloud = kept('forum.tag_cloud', (ctx, forum: Id) =>
  ctx.model(ForumTag).find(
    [
      ['forum_id', '=', forum],
      ['posts_count', '>', 0],
    ],
    { select: { name: true, posts_count: true }, limit: PAGE.tags },
  ),
);

async function popularTags(ctx: Ctx, forum: ForumRow) {
  // Tags are public.
  const rows = await tagCloud.get(ctx.sudo(), forum.id);
  return rows.map((tag) => ({ ...tag, path: tagPath(forum, tag) }));
}
