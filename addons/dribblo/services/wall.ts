import { beside, onWebsite } from '#addons/website';
import { type Ctx, type FileRef, type Id, type Ids, InvalidInput, NotAllowed, NotFound, TooMany } from '#core';
import { Wall } from '../models/club-wall.ts';
import { WallPost } from '../models/club-wall-post.ts';
import { WALL_MANAGER } from '../security.ts';

/** Posts on the first page of a wall, and how many more come at a time. */
export const PAGE_SIZE = 6;
/** Posts of one author that may wait for approval. */
export const MOST_WAITING = 5;
/** The picture of a post is cut to this proportion. */
export const PHOTO_ASPECT = 5 / 3;
const LARGEST_PHOTO = { width: 1600, height: 960 } as const;

/**
 * A wall as the caller may see it.
 *
 * @throws NotFound for one that is not there, not published, or of another website.
 */
export async function wallFor(ctx: Ctx, id: Id) {
  const wall = await ctx.model(Wall).first([['id', '=', id], ...onWebsite(ctx)], {
    select: { name: true, description: true, member_posts: true, website_published: true },
  });
  if (!wall) throw new NotFound('There is no such wall.', { code: 'dribblo.no_wall' });
  return wall;
}

/** Whether the caller may post on a wall, and whether what they post is shown at once. */
export function mayPost(ctx: Ctx, wall: { readonly member_posts: boolean }): 'at once' | 'on approval' | false {
  if (ctx.has(WALL_MANAGER)) return 'at once';
  return wall.member_posts && ctx.user.id !== null ? 'on approval' : false;
}

export const postSelect = {
  wall_id: true,
  name: true,
  descr: true,
  image: true,
  create_date: true,
  author_id: { name: true },
  website_published: true,
  removal_asked: true,
  url_post: true,
} as const;

/** Posts of a wall, the latest first, without those already displayed. */
export async function morePosts(ctx: Ctx, wall: Id, about: { displayed?: Ids; limit?: number }) {
  const { displayed = [], limit = PAGE_SIZE } = about;
  const shown = [
    ['wall_id', '=', wall],
    ['website_published', '=', true],
  ] as const;
  // Who wrote a post is named with it; a contact that is gone has become nobody.
  const names = ctx.sudo().model(WallPost);
  const ids = await ctx
    .model(WallPost)
    .search([...shown, ...(displayed.length > 0 ? ([['id', 'not in', displayed]] as const) : [])], {
      order: 'create_date desc, id desc',
      limit,
    });
  return { rows: await names.read(ids, { select: postSelect }), total: await ctx.model(WallPost).count(shown) };
}

/** A picture that came with a post, and the part of it that is wanted, in pixels. */
export interface Photo {
  readonly content: Uint8Array;
  readonly crop: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  } | null;
}

/** Keeps a photo, cut to the part that was chosen. Slow, so it is done before the transaction. What is refused is said beside the photo. */
export async function keepPhoto(ctx: Ctx, { content, crop }: Photo): Promise<FileRef> {
  const limits = { fit: LARGEST_PHOTO, ...(crop ? { crop: { ...crop, aspect: PHOTO_ASPECT } } : {}) };
  try {
    return await ctx.files.putImage(content, { name: 'photo', ...limits });
  } catch (error) {
    throw error instanceof InvalidInput ? beside('image', error) : error;
  }
}

export interface NewPost {
  readonly wall: Id;
  readonly name: string;
  readonly descr: string;
  readonly image: FileRef | null;
}

/**
 * Posts on a wall; a member's post waits until a wall manager has approved it.
 *
 * @throws NotAllowed for whoever may not post there, TooMany while too many posts of theirs wait.
 */
export async function addPost(ctx: Ctx, { wall: wallId, name, descr, image }: NewPost): Promise<Id> {
  const wall = await wallFor(ctx, wallId);
  const right = mayPost(ctx, wall);
  if (!right) throw new NotAllowed('You may not post on this wall.', { code: 'dribblo.no_posting' });
  // Members have no rights on posts; that the wall lets them post was checked above.
  const posts = ctx.sudo().model(WallPost);
  if (right === 'on approval') {
    await ctx.lock(Wall, [wallId]);
    const waiting = await posts.count([
      ['author_id', '=', ctx.user.partnerId],
      ['website_published', '=', false],
    ]);
    if (waiting >= MOST_WAITING) {
      throw new TooMany('Posts of yours wait for approval. Post again when they have been read.', {
        code: 'dribblo.posts_waiting',
        retryAfter: 3600,
      });
    }
  }
  return posts.create({
    wall_id: wallId,
    name: name.trim(),
    descr,
    image,
    author_id: ctx.user.partnerId,
    website_published: right === 'at once',
  });
}

/**
 * Deletes a post. For wall managers alone.
 *
 * @throws NotAllowed, or NotFound for a post that is not there.
 */
export async function deletePost(ctx: Ctx, id: Id): Promise<Id> {
  if (!ctx.has(WALL_MANAGER)) {
    throw new NotAllowed('Only wall managers delete posts.', { code: 'dribblo.no_deleting' });
  }
  const [post] = await ctx.model(WallPost).read([id], { select: { wall_id: true } });
  if (!post) throw new NotFound('There is no such post.', { code: 'dribblo.no_post' });
  await ctx.model(WallPost).unlink(id);
  return post.wall_id;
}

/** Notes that the author wants a post removed; a wall manager decides. */
export async function askRemoval(ctx: Ctx, id: Id): Promise<void> {
  const [post] = await ctx.model(WallPost).read([id], { select: { author_id: true } });
  if (!post || post.author_id === null || post.author_id !== ctx.user.partnerId) {
    throw new NotFound('There is no such post.', { code: 'dribblo.no_post' });
  }
  // Authors may not write posts, and this one wish is theirs.
  await ctx.sudo().model(WallPost).write(id, { removal_asked: true });
}
