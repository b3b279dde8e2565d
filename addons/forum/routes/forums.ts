import { type IdRange, onWebsite, type SitemapEntry } from '@pergola/website';
import { type Ctx, type Id, redirect, route, z } from 'pergola';
import { TAG } from '../constants.ts';
import { Forum } from '../models/forum.ts';
import { ForumTag } from '../models/forum-tag.ts';
import { faqPage } from '../pages/faq.ts';
import { type ForumRow, requireHere } from '../pages/header.ts';
import { indexPage } from '../pages/index.ts';
import { listPage, listQuery as query } from '../pages/list.ts';
import { tagsPage } from '../pages/tags.ts';
import { MANAGERS } from '../services/permissions.ts';
import { Questions } from '../services/questions.ts';
import { t } from '../texts.ts';
import { forumParam, notHere, pageParam, tagParam } from './params.ts';
import { forumPath, tagPath } from './paths.ts';

/** List of the site's forums; redirects to the forum if there is only one. */
const index = route.page('/forum', { name: 'forum.index', sitemap: isIndexListed }, async ({ ctx, render, url }) => {
  const forums = await ctx.model(Forum).find([...onWebsite(ctx)], { select: { name: true }, limit: 2 });
  const [only] = forums;
  if (only && forums.length === 1 && !ctx.has(MANAGERS)) return redirect(url(forumPath(only)), 302);
  return render('forum.index', await indexPage(ctx));
});

/** Creates a forum; for forum managers. */
const create = route.form(
  '/forum/new',
  {
    name: 'forum.new',
    page: '/forum',
    auth: 'user',
    writes: true,
    body: z.object({ forum_name: z.string().trim().max(120).default('') }),
  },
  async ({ ctx, body, url }) => {
    const id = await ctx.model(Forum).create({ name: body.forum_name || t(ctx, 'New forum') });
    return redirect(url(`/forum/${id}`));
  },
);

const forum = { forum: forumParam };
const ofForum = { ...forum, page: pageParam };
const ofTag = { ...forum, tag: tagParam };

/** A single forum makes the list a redirect. */
async function isIndexListed(ctx: Ctx): Promise<boolean> {
  return (await ctx.model(Forum).search([...onWebsite(ctx)], { limit: 2 })).length !== 1;
}

async function forumAddresses(ctx: Ctx, ids: IdRange): Promise<SitemapEntry[]> {
  const forums = await ctx.model(Forum).find([...ids, ...onWebsite(ctx)], { select: { name: true, write_date: true } });
  return forums.map((row) => ({ path: forumPath(row), lastmod: row.write_date }));
}

async function tagAddresses(ctx: Ctx, ids: IdRange): Promise<SitemapEntry[]> {
  const tags = await ctx
    .model(ForumTag)
    .find([...ids, ['posts_count', '>', 1]], { select: { name: true, forum_id: { name: true } } });
  return tags.flatMap((tag) => (tag.forum_id ? [{ path: tagPath(tag.forum_id, tag) }] : []));
}

const first = route.page(
  '/forum/:forum',
  { name: 'forum.list', params: forum, query, sitemap: { model: Forum, entries: forumAddresses } },
  async ({ ctx, params, query: listOptions, render }) =>
    render('forum.list', await listPage(ctx, listOptions, params.forum, null, 1)),
);
const listPages = route.page(
  '/forum/:forum/page/:page',
  { name: 'forum.list_page', params: ofForum, query },
  async ({ ctx, params, query: listOptions, render }) =>
    render('forum.list', await listPage(ctx, listOptions, params.forum, null, params.page)),
);

function requireOwnTag(ctx: Ctx, { forum: forumRow, tag }: { forum: ForumRow; tag: { forum_id: Id } }): void {
  requireHere(ctx, forumRow);
  if (tag.forum_id !== forumRow.id) throw notHere();
}

const tagList = route.page(
  '/forum/:forum/tag/:tag/questions',
  { name: 'forum.tagged', params: ofTag, query, sitemap: { model: ForumTag, entries: tagAddresses } },
  async ({ ctx, params, query: listOptions, render }) => {
    requireOwnTag(ctx, params);
    return render('forum.list', await listPage(ctx, listOptions, params.forum, params.tag, 1));
  },
);
const tagListPages = route.page(
  '/forum/:forum/tag/:tag/questions/page/:page',
  { name: 'forum.tagged_page', params: { ...ofTag, page: pageParam }, query },
  async ({ ctx, params, query: listOptions, render }) => {
    requireOwnTag(ctx, params);
    return render('forum.list', await listPage(ctx, listOptions, params.forum, params.tag, params.page));
  },
);

const guidelines = route.page(
  '/forum/:forum/faq',
  { name: 'forum.faq', params: forum },
  async ({ ctx, params, render }) => render('forum.faq', await faqPage(ctx, params.forum)),
);

const tags = route.page(
  '/forum/:forum/tag',
  { name: 'forum.tags', params: forum, query: z.object({ q: z.string().max(TAG.max).default('') }) },
  async ({ ctx, params, query: { q }, render }) => render('forum.tags', await tagsPage(ctx, params.forum, q)),
);

/** Tags starting with a text: a plain list of records, or of names for `t=texttext`. */
const getTags = route.json(
  '/forum/get_tags',
  {
    name: 'forum.get_tags',
    query: z.object({
      q: z.string().max(100).default(''),
      l: z.coerce.number().int().min(1).max(100).default(TAG.suggestions).catch(TAG.suggestions),
      t: z.string().max(20).default('select2'),
      forum: z.coerce.number().int().positive().optional().catch(undefined),
    }),
  },
  async ({ ctx, query: { q, l, t, forum: forumId } }) => {
    const siteForums = await ctx.model(Forum).search([...onWebsite(ctx)]);
    const rows = await ctx
      .model(ForumTag)
      .find(
        [
          ['forum_id', 'in', forumId === undefined ? siteForums : siteForums.filter((id) => id === forumId)],
          ...(q === '' ? [] : ([['name', '=ilike', `${q.trim().replace(/[\\%_]/g, '\\$&')}%`]] as const)),
        ],
        { select: { name: true }, order: 'posts_count desc, name', limit: l },
      );
    return t === 'texttext' ? rows.map(({ name }) => name) : rows.map(({ id, name }) => ({ id, name }));
  },
);

/** Questions similar to the text being typed. */
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
    const questions = await ctx.get(Questions).similar(params.forum, q);
    return questions.map(({ id, name, path, child_count, has_validated_answer }) => ({
      id,
      name,
      url: url(path),
      answers: child_count ?? 0,
      solved: has_validated_answer,
    }));
  },
);

export const forumRoutes = [index, create, first, listPages, tagList, tagListPages, guidelines, tags, getTags, similar];
