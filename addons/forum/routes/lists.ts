import { onWebsite, seoOf } from '#addons/website';
import { type Ctx, type Id, type PageInput, redirect, route, z } from '#core';
import { Forum } from '../models/forum.ts';
import { ForumPost } from '../models/forum-post.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { forumPath, tagPath } from './paths.ts';
import { MANAGERS } from '../services/permissions.ts';
import { type ForumRow, headerOf, requireHere } from '../pages/header.ts';
import {
  type Filter,
  filters,
  type Listing,
  questionsOf,
  type Sorting,
  similarTo,
  sortings,
} from '../services/questions.ts';
import { pagerFor, withQuery } from '../pages/pager.ts';
import { forumParam, notHere, pageParam, tagParam } from './params.ts';

/** Odoo wrote `write_date desc` and the like. */
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
const query = z.object({
  filters: z.string().max(40).default('all'),
  sorting,
  search: z.string().max(200).default(''),
});

/** The forums of the site. */
const index = route.page('/forum', { name: 'forum.index', sitemap: indexAddress }, async ({ ctx, render, url }) => {
  const forums = await ctx.model(Forum).find([...onWebsite(ctx)], { select: { name: true, description: true } });
  const shown = [];
  for (const forum of forums) shown.push({ ...forum, path: forumPath(forum), ...(await figuresOf(ctx, forum.id)) });
  const [only] = shown;
  if (only && shown.length === 1 && !ctx.has(MANAGERS)) return redirect(url(only.path), 302);
  return render('forum.index', {
    forums: shown,
    mayManage: ctx.has(MANAGERS),
    seo: { title: ctx.t('Forums'), description: ctx.t('Questions and answers') },
  });
});

/** Questions and answers of a forum are counted up to here. */
const MOST_COUNTED = 10_000;

async function figuresOf(ctx: Ctx, forum: Id) {
  const posts = ctx.model(ForumPost);
  const of = ['forum_id', '=', forum] as const;
  const [latest] = await posts.find([of, ['parent_id', '=', null], ['state', '=', 'active']], {
    select: { name: true, last_activity_date: true },
    order: 'last_activity_date desc, id desc',
    limit: 1,
  });
  const upTo = { most: MOST_COUNTED + 1 };
  const questions = await posts.count([of, ['parent_id', '=', null], ['state', '=', 'active']], upTo);
  const answers = await posts.count([of, ['parent_id', '!=', null]], upTo);
  return {
    questions: Math.min(questions, MOST_COUNTED),
    moreQuestions: questions > MOST_COUNTED,
    answers: Math.min(answers, MOST_COUNTED),
    moreAnswers: answers > MOST_COUNTED,
    latest: latest ?? null,
  };
}

/** Makes a forum; for those who manage them. */
const create = route.form(
  '/forum/new',
  {
    name: 'forum.new',
    auth: 'user',
    writes: true,
    body: z.object({ forum_name: z.string().trim().max(120).default('') }),
  },
  async ({ ctx, body, url }) => {
    const id = await ctx.model(Forum).create({ name: body.forum_name || ctx.t('New Forum') });
    return redirect(url(`/forum/${id}`));
  },
);

type ListInput = Pick<PageInput<unknown, undefined>, 'ctx' | 'render'> & { readonly query: z.infer<typeof query> };

async function list(
  { ctx, render, query: asked }: ListInput,
  forum: ForumRow,
  tag: { id: Id; name: string } | null,
  page: number,
) {
  const { header, viewer } = await headerOf(ctx, forum, 'questions');
  const filter: Filter = filters.find((name) => name === asked.filters) ?? 'all';
  const listing: Listing = { filter, sorting: asked.sorting, search: asked.search.trim(), tag: tag?.id ?? null, page };
  const found = await questionsOf(ctx, forum, listing);
  const base = tag ? tagPath(forum, tag) : forumPath(forum);
  const kept = {
    filters: filter === 'all' ? undefined : filter,
    search: listing.search,
    sorting: asked.sorting ?? undefined,
  };
  const link = (changes: Partial<typeof kept>) => withQuery(base, { ...kept, ...changes });
  const isPlain = filter === 'all' && listing.search === '' && asked.sorting === null;
  const canonical = found.page > 1 ? `${base}/page/${found.page}` : base;
  const name = tag ? ctx.t('Questions about {tag}', { tag: tag.name }) : forum.name;
  return render('forum.list', {
    header,
    ...found,
    tag,
    feed: `${tag ? tagPath(forum, tag) : forumPath(forum)}/rss`.replace('/questions/rss', '/rss'),
    search: listing.search,
    clear: link({ search: undefined }),
    action: base,
    filter,
    kept,
    filters: filterLinks(ctx, viewer.userId !== null).map(({ id, label }) => ({
      label,
      href: link({ filters: id === 'all' ? undefined : id }),
      active: id === filter,
    })),
    sortings: sortingLinks(ctx).map(({ id, label }) => ({
      id,
      label,
      href: link({ sorting: id }),
      active: id === found.sorting,
    })),
    pager: pagerFor(found.page, found.count, 10, (number) =>
      withQuery(number === 1 ? base : `${base}/page/${number}`, kept),
    ),
    follow: await followOf(ctx, forum, tag, viewer.partnerId),
    tags: tag ? [] : await popularTags(ctx, forum, 20),
    welcome: viewer.userId === null && isPlain && page === 1 && !tag ? await welcomeOf(ctx, forum.id) : null,
    seo: seoOf(forum, {
      title: name,
      description: forum.description,
      canonical,
      noindex: !isPlain,
      breadcrumbs: [{ name: forum.name, url: forumPath(forum) }, ...(tag ? [{ name: tag.name, url: base }] : [])],
    }),
  });
}

/** The button to follow the forum or a tag of it; none for visitors. */
async function followOf(ctx: Ctx, forum: ForumRow, tag: { id: Id; name: string } | null, partner: Id | null) {
  if (partner === null) return null;
  return tag
    ? {
        id: tag.id,
        model: 'forum.tag',
        path: tagPath(forum, tag),
        isFollowed: await ctx.model(ForumTag).isFollower(tag.id, partner),
      }
    : {
        id: forum.id,
        model: 'forum.forum',
        path: forumPath(forum),
        isFollowed: await ctx.model(Forum).isFollower(forum.id, partner),
      };
}

function filterLinks(ctx: Ctx, isKnown: boolean): { id: Filter; label: string }[] {
  return [
    { id: 'all', label: ctx.t('All') },
    { id: 'unanswered', label: ctx.t('Unanswered') },
    ...(isKnown
      ? ([
          { id: 'followed', label: ctx.t('Followed') },
          { id: 'favourites', label: ctx.t('Favourites') },
          { id: 'mine', label: ctx.t('Mine') },
        ] as const)
      : []),
  ];
}

function sortingLinks(ctx: Ctx): { id: Sorting; label: string }[] {
  return [
    { id: 'date', label: ctx.t('Last activity') },
    { id: 'creation', label: ctx.t('Newest') },
    { id: 'vote', label: ctx.t('Most votes') },
    { id: 'relevancy', label: ctx.t('Relevance') },
    { id: 'answered', label: ctx.t('Most answers') },
  ];
}

async function popularTags(ctx: Ctx, forum: ForumRow, limit: number) {
  const rows = await ctx.model(ForumTag).find(
    [
      ['forum_id', '=', forum.id],
      ['posts_count', '>', 0],
    ],
    { select: { name: true, posts_count: true }, limit },
  );
  return rows.map((tag) => ({ ...tag, path: tagPath(forum, tag) }));
}

async function welcomeOf(ctx: Ctx, forum: Id): Promise<string | null> {
  return (await ctx.model(Forum).get(forum, { select: { welcome_message: true } })).welcome_message;
}

const forum = { forum: forumParam };
const ofForum = { ...forum, page: pageParam };
const ofTag = { ...forum, tag: tagParam };

/** Where there is one forum, its list leads there at once. */
async function indexAddress(ctx: Ctx) {
  return (await ctx.model(Forum).count([...onWebsite(ctx)])) === 1 ? [] : [{ path: '/forum' }];
}

async function forumAddresses(ctx: Ctx) {
  const forums = await ctx.model(Forum).find([...onWebsite(ctx)], { select: { name: true, write_date: true } });
  return forums.map((row) => ({ path: forumPath(row), lastmod: row.write_date }));
}

async function tagAddresses(ctx: Ctx) {
  const tags = await ctx
    .model(ForumTag)
    .find([['posts_count', '>', 1]], { select: { name: true, forum_id: { name: true } }, limit: 5_000 });
  return tags.flatMap((tag) => (tag.forum_id ? [{ path: tagPath(tag.forum_id, tag) }] : []));
}

const first = route.page(
  '/forum/:forum',
  { name: 'forum.list', params: forum, query, sitemap: forumAddresses },
  (input) => list(input, input.params.forum, null, 1),
);
const further = route.page('/forum/:forum/page/:page', { name: 'forum.list_page', params: ofForum, query }, (input) =>
  list(input, input.params.forum, null, input.params.page),
);

function requireOwnTag(ctx: Ctx, { forum: of, tag }: { forum: ForumRow; tag: { forum_id: Id } }): void {
  requireHere(ctx, of);
  if (tag.forum_id !== of.id) throw notHere();
}

const tagged = route.page(
  '/forum/:forum/tag/:tag/questions',
  { name: 'forum.tagged', params: ofTag, query, sitemap: tagAddresses },
  (input) => {
    requireOwnTag(input.ctx, input.params);
    return list(input, input.params.forum, input.params.tag, 1);
  },
);
const taggedFurther = route.page(
  '/forum/:forum/tag/:tag/questions/page/:page',
  { name: 'forum.tagged_page', params: { ...ofTag, page: pageParam }, query },
  (input) => {
    requireOwnTag(input.ctx, input.params);
    return list(input, input.params.forum, input.params.tag, input.params.page);
  },
);

const guidelines = route.page(
  '/forum/:forum/faq',
  { name: 'forum.faq', params: forum },
  async ({ ctx, params, render }) => {
    const { header } = await headerOf(ctx, params.forum, 'faq');
    const row = await ctx.model(Forum).get(params.forum.id, { select: { faq: true } });
    return render('forum.faq', {
      header,
      row,
      karma: karmaGuide(ctx, params.forum),
      seo: seoOf(params.forum, {
        title: ctx.t('Guidelines'),
        canonical: `${forumPath(params.forum)}/faq`,
        breadcrumbs: [
          { name: params.forum.name, url: forumPath(params.forum) },
          { name: ctx.t('Guidelines'), url: `${forumPath(params.forum)}/faq` },
        ],
      }),
    });
  },
);

/** What one may do with how much karma, the least first. */
function karmaGuide(ctx: Ctx, table: ForumRow): { label: string; karma: number }[] {
  return [
    { label: ctx.t('Ask a question'), karma: table.karma_ask },
    { label: ctx.t('Answer a question'), karma: table.karma_answer },
    { label: ctx.t('Upvote'), karma: table.karma_upvote },
    { label: ctx.t('Comment on all posts'), karma: table.karma_comment_all },
    { label: ctx.t('Accept an answer to your question'), karma: table.karma_answer_accept_own },
    { label: ctx.t('Put links and pictures into posts'), karma: table.karma_editor },
    { label: ctx.t('Downvote'), karma: table.karma_downvote },
    { label: ctx.t('Make new tags'), karma: table.karma_retag },
    { label: ctx.t('Ask without being looked at first'), karma: table.karma_post },
    { label: ctx.t('Close your questions'), karma: table.karma_close_own },
    { label: ctx.t('Edit all posts'), karma: table.karma_edit_all },
    { label: ctx.t('Flag and close posts'), karma: Math.max(table.karma_flag, table.karma_close_all) },
    { label: ctx.t('Show a biography beside posts'), karma: table.karma_user_bio },
    { label: ctx.t('Moderate'), karma: table.karma_moderate },
  ].sort((a, b) => a.karma - b.karma);
}

const tags = route.page(
  '/forum/:forum/tag',
  { name: 'forum.tags', params: forum, query: z.object({ q: z.string().max(35).default('') }) },
  async ({ ctx, params, query: { q }, render }) => {
    const { header } = await headerOf(ctx, params.forum, 'tags');
    const rows = await ctx
      .model(ForumTag)
      .find(
        [
          ['forum_id', '=', params.forum.id],
          ['posts_count', '>', 0],
          ...(q === '' ? [] : ([['name', 'ilike', q]] as const)),
        ],
        { select: { name: true, posts_count: true }, limit: 300 },
      );
    return render('forum.tags', {
      header,
      q,
      tags: rows.map((tag) => ({ ...tag, path: tagPath(params.forum, tag) })),
      seo: seoOf(params.forum, { title: ctx.t('Tags'), canonical: `${forumPath(params.forum)}/tag` }),
    });
  },
);

/** Tags that begin like a text: a bare list of them, or of their names for `t=texttext`. */
const getTags = route.json(
  '/forum/get_tags',
  {
    name: 'forum.get_tags',
    query: z.object({
      q: z.string().max(100).default(''),
      l: z.coerce.number().int().min(1).max(100).default(50).catch(50),
      t: z.string().max(20).default('select2'),
      forum: z.coerce.number().int().positive().optional().catch(undefined),
    }),
  },
  async ({ ctx, query: { q, l, t, forum: of } }) => {
    const here = await ctx.model(Forum).search([...onWebsite(ctx)]);
    const rows = await ctx
      .model(ForumTag)
      .find(
        [
          ['forum_id', 'in', of === undefined ? here : here.filter((id) => id === of)],
          ...(q === '' ? [] : ([['name', '=ilike', `${q.trim().replace(/[\\%_]/g, '\\$&')}%`]] as const)),
        ],
        { select: { name: true }, order: 'posts_count desc, name', limit: l },
      );
    return t === 'texttext' ? rows.map(({ name }) => name) : rows.map(({ id, name }) => ({ id, name }));
  },
);

/** Questions like the one somebody is typing. */
const similar = route.json(
  '/forum/:forum/similar',
  {
    name: 'forum.similar',
    params: forum,
    query: z.object({ q: z.string().max(300).default('') }),
    rate: { calls: 120, seconds: 60 },
  },
  async ({ ctx, params, query: { q }, url }) => {
    requireHere(ctx, params.forum);
    const found = await similarTo(ctx, params.forum, q);
    return found.map(({ id, name, path, child_count, has_validated_answer }) => ({
      id,
      name,
      url: url(path),
      answers: child_count ?? 0,
      solved: has_validated_answer,
    }));
  },
);

export const listRoutes = [index, create, first, further, tagged, taggedFurther, guidelines, tags, getTags, similar];
