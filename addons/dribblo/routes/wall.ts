import { MAX_PICTURE_BYTES } from '@pergola/web';
import { pageShown, seoOf, seoSelect } from '@pergola/website';
import { action, type FileRef, NotFound, redirect, route, z } from 'pergola';
import type { SentForm } from 'pergola/http';
import { looksLikeHtml } from 'pergola/kernel';
import { Wall } from '../models/club-wall.ts';
import { requireTitle, WallPost } from '../models/club-wall-post.ts';
import { MOST_SHOWN, postCard, wallPage } from '../pages/wall-page.ts';
import { wallPostPage } from '../pages/wall-post-page.ts';
import { WALL_MANAGER } from '../security.ts';
import { PAGE_SIZE, postSelect, Walls } from '../services/walls.ts';
import { mark, t } from '../texts.ts';
import { recordId, recordNumber } from './inputs.ts';
import { bytesOf, cropFields, cropOf, postFields, title } from './wall-input.ts';

const MB = 1024 * 1024;
/** `/wall/1`: latest posts, with a form for users who can post. */
const page = route.page(
  '/wall/:id(^\\d{1,15}$)',
  {
    name: 'dribblo.wall',
    params: { id: recordId },
    query: z.object({ shown: z.coerce.number().int().min(PAGE_SIZE).max(MOST_SHOWN).optional().catch(undefined) }),
    sitemap: {
      model: Wall,
      async entries(ctx, ids) {
        const walls = await ctx
          .model(Wall)
          .find([...ids, ['website_published', '=', true]], { select: { website_url: true } });
        return walls.map(({ website_url }) => ({ path: website_url ?? '/' }));
      },
    },
  },
  async ({ ctx, params, query, render, request }) => {
    const values = await wallPage(ctx, params.id, { shown: query.shown, address: pageShown(request) });
    const [wallRow] = await ctx
      .model(Wall)
      .read([params.id], { select: { ...seoSelect, name: true, description: true } });
    const seo = wallRow
      ? seoOf(wallRow, { title: wallRow.name, description: wallRow.description, canonical: request.path })
      : {};
    return render('dribblo.wall_page', { ...values, seo, address: new URL(request.path, request.origin).href });
  },
);

/** `/wall/posts/3?redirect=/wall/1`: one post, with a link back. */
const postPage = route.page(
  '/wall/posts/:id(^\\d{1,15}$)',
  {
    name: 'dribblo.wall_post',
    params: { id: recordId },
    query: z.object({ redirect: z.string().max(2048).optional() }),
  },
  async ({ ctx, params, query, render, request }) =>
    render('dribblo.wall_post_page', await wallPostPage(ctx, params.id, query.redirect, request)),
);

/** `/dribblo/wall/new`: creates a post; returns it, with its card unless it awaits approval. */
export const create = action(
  '/dribblo/wall/new',
  {
    name: 'dribblo.new_post',
    auth: 'user',
    input: z.object({
      name: title,
      ...postFields,
      ...cropFields,
      image: z.union([z.string(), z.literal(false), z.null()]).optional(),
    }),
    // Calls send images as base64.
    limit: { bytes: MB, signedIn: Math.ceil(1.4 * MAX_PICTURE_BYTES) },
    rate: [{ calls: 30, seconds: 600, by: 'user' }],
    prepare: async ({ ctx, input, files }): Promise<FileRef | null> => {
      requireTitle(input.name);
      const content = bytesOf(input.image) ?? files.image?.[0]?.content;
      if (!content?.byteLength || !ctx.get(Walls).mayPost(await ctx.get(Walls).of(input.wall_id))) return null;
      return ctx.get(Walls).keepPhoto({ content, crop: cropOf(input) });
    },
    form: {
      files: { image: MAX_PICTURE_BYTES },
      invalid: async ({ ctx, values, errors, message, render, request }) => {
        const wallId = Number(/^\d{1,15}$/.exec(values.wall_id ?? '')?.[0] ?? 0);
        const pageValues = await wallPage(ctx, wallId, { address: `/wall/${wallId}` });
        return render('dribblo.wall_page', {
          ...pageValues,
          values,
          errors,
          message,
          address: new URL(`/wall/${wallId}`, request.origin).href,
          seo: { title: pageValues.wall.name, noindex: true },
        });
      },
    },
  },
  async ({ ctx, input, prepared, request }) => {
    const walls = ctx.get(Walls);
    const descr = request.path.endsWith('/form') ? asHtml(input.descr) : input.descr;
    const postId = await walls.add({ wall: input.wall_id, name: input.name, descr, image: prepared });
    // Returns the new post even if it awaits approval.
    const [row] = await ctx.sudo().model(WallPost).read([postId], { select: postSelect });
    if (!row) throw new NotFound('We can’t find that post.', { code: 'dribblo.no_post' });
    const [view] = walls.views([row], pageShown(request, `/wall/${row.wall_id}`));
    return {
      ...(await walls.toJson(row)),
      waiting: !row.website_published,
      card: view && row.website_published ? postCard(ctx, view) : null,
    };
  },
  ({ url, result }) => url(`/wall/${result.wall_id}`) + (result.waiting ? '#waiting' : ''),
);

/** Converts plain text from forms without the editor to HTML, keeping line breaks. */
function asHtml(text: string): string {
  if (looksLikeHtml(text)) return text;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped
    .split(/\r?\n\s*\r?\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${part.replace(/\r?\n/g, '<br>')}</p>`)
    .join('');
}

/** `/dribblo/wall`: next posts that aren't displayed yet. */
export const more = route.rpc(
  '/dribblo/wall',
  {
    name: 'dribblo.more_posts',
    input: z.object({
      displayed: z
        .array(recordNumber, mark('Enter the list of displayed posts.'))
        .max(5_000, mark('Enter the list of displayed posts.'))
        .default([]),
      wall_id: recordNumber,
    }),
  },
  async ({ ctx, input, request }) => {
    const walls = ctx.get(Walls);
    await walls.of(input.wall_id);
    const { rows, total } = await walls.posts(input.wall_id, { displayed: input.displayed });
    const views = walls.views(rows, pageShown(request, `/wall/${input.wall_id}`));
    const posts = [];
    for (const [index, row] of rows.entries()) {
      const view = views[index];
      if (view) posts.push({ ...(await walls.toJson(row)), card: postCard(ctx, view) });
    }
    return { posts, total };
  },
);

/** Page of the post submitted in the form. */
const pageOfPost = ({ values }: SentForm): string => `/wall/posts/${encodeURIComponent(values.post_id ?? '')}`;

/** `/dribblo/post/delete`: deletes a post; for wall managers. Returns true. */
export const remove = action(
  '/dribblo/post/delete',
  {
    name: 'dribblo.delete_post',
    auth: 'user',
    input: z.object({ post_id: recordNumber }),
    form: {
      page: pageOfPost,
      confirm: (ctx) => ({ question: t(ctx, 'Voulez vous vraiment supprimer ce post ?'), yes: t(ctx, 'Delete') }),
    },
    // The wall of the post, for the redirect.
    prepare: async ({ ctx, input }) => {
      const [post] = await ctx.model(WallPost).read([input.post_id], { select: { wall_id: true } });
      return post?.wall_id ?? null;
    },
  },
  async ({ ctx, input }) => {
    await ctx.get(Walls).delete(input.post_id);
    return true;
  },
  ({ prepared, url }) => url(`/wall/${prepared}`),
);

/** Approves a pending post, or keeps one despite its author's removal request. For wall managers. */
const approve = route.form(
  '/dribblo/post/approve',
  {
    name: 'dribblo.approve_post',
    page: pageOfPost,
    auth: 'user',
    groups: [WALL_MANAGER],
    writes: true,
    body: z.object({ post_id: recordNumber }),
  },
  async ({ ctx, body, url }) => {
    const post = await ctx.model(WallPost).get(body.post_id, { select: { wall_id: true } });
    await ctx.model(WallPost).write(post.id, { website_published: true, removal_asked: false });
    return redirect(url(`/wall/${post.wall_id}`));
  },
);

/** Requests the removal of a post, for its author. */
const wish = route.form(
  '/dribblo/post/ask-removal',
  {
    name: 'dribblo.ask_removal',
    confirm: (ctx) => ({ question: t(ctx, 'Request removal of this post?'), yes: t(ctx, 'Request removal') }),
    page: pageOfPost,
    auth: 'user',
    writes: true,
    body: z.object({ post_id: recordNumber }),
  },
  async ({ ctx, body, url }) => {
    await ctx.get(Walls).askRemoval(body.post_id);
    return redirect(url(`/wall/posts/${body.post_id}`));
  },
);

export const wallRoutes = [page, postPage, create, more, remove, approve, wish];
