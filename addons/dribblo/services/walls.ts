import { onWebsite } from '@pergola/website';
import {
  app,
  type FieldsOf,
  type FileRef,
  type Id,
  type Ids,
  NotAllowed,
  NotFound,
  type Row,
  service,
  TooMany,
} from 'pergola';
import { pictureUrl } from 'pergola/pages';
import { Wall } from '../models/club-wall.ts';
import { WallPost } from '../models/club-wall-post.ts';
import { WALL_MANAGER } from '../security.ts';
import { t } from '../texts.ts';

/** Number of posts on the first page of a wall, and per further page. */
export const PAGE_SIZE = 6;
/** Maximum number of pending posts per author. */
export const MOST_WAITING = 5;
/** Aspect ratio to which post images are cropped. */
const PHOTO_ASPECT = 5 / 3;
const LARGEST_PHOTO = { width: 1600, height: 960 } as const;

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

/** An uploaded image with the selected area in pixels. */
export interface Photo {
  readonly content: Uint8Array;
  readonly crop: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  } | null;
}

export interface NewPost {
  readonly wall: Id;
  readonly name: string;
  readonly descr: string;
  readonly image: FileRef | null;
}

export type PostRow = Row<FieldsOf<WallPost>, typeof postSelect>;

/** Maximum size of images in call responses, in pixels. */
const JSON_BOX = { width: 640, height: 384 } as const;

/** A post for display. */
export interface PostView {
  readonly id: Id;
  readonly wallId: Id;
  readonly name: string;
  readonly descr: string;
  readonly author: string;
  readonly date: Date;
  readonly href: string;
  readonly image: string;
  readonly waiting: boolean;
  readonly removalAsked: boolean;
  readonly mayDelete: boolean;
  /** Whether the reader is the author, who can request its removal. */
  readonly isOwn: boolean;
}

/** Walls and their posts. */
export class Walls extends service('dribblo.walls', { ctx: app.ctx }) {
  /**
   * Returns a wall visible to the caller.
   *
   * @throws NotFound if it doesn't exist, isn't published, or belongs to another website
   */
  async of(id: Id) {
    const wall = await this.ctx.model(Wall).first([['id', '=', id], ...onWebsite(this.ctx)], {
      select: { name: true, description: true, member_posts: true, website_published: true },
    });
    if (!wall) throw new NotFound('We can’t find that wall.', { code: 'dribblo.no_wall' });
    return wall;
  }

  /** Whether the caller can post on a wall, and whether posts are published immediately. */
  mayPost(wall: { readonly member_posts: boolean }): 'at once' | 'on approval' | false {
    if (this.ctx.has(WALL_MANAGER)) return 'at once';
    return wall.member_posts && this.ctx.user.id !== null ? 'on approval' : false;
  }

  /** Whether the caller can post on any wall. */
  async isPosting(): Promise<boolean> {
    if (this.ctx.has(WALL_MANAGER)) return true;
    return this.ctx.user.id !== null && (await this.ctx.model(Wall).count([['member_posts', '=', true]])) > 0;
  }

  /** Posts of a wall, newest first, except those already displayed. */
  async posts(wall: Id, options: { displayed?: Ids; limit?: number }) {
    const { displayed = [], limit = PAGE_SIZE } = options;
    const visible = [
      ['wall_id', '=', wall],
      ['website_published', '=', true],
    ] as const;
    // Author names are public next to a post; a deleted contact leaves the name empty.
    const names = this.ctx.sudo().model(WallPost);
    const ids = await this.ctx
      .model(WallPost)
      .search([...visible, ...(displayed.length > 0 ? ([['id', 'not in', displayed]] as const) : [])], {
        order: 'create_date desc, id desc',
        limit,
      });
    return {
      rows: await names.read(ids, { select: postSelect }),
      total: await this.ctx.model(WallPost).count(visible),
    };
  }

  /** Posts of a wall awaiting approval. */
  async waiting(wall: Id): Promise<PostRow[]> {
    // Author names are public next to a post.
    return this.ctx
      .sudo()
      .model(WallPost)
      .find([['wall_id', '=', wall], '|', ['website_published', '=', false], ['removal_asked', '=', true]], {
        select: postSelect,
        limit: 50,
      });
  }

  /** Stores a photo, cropped to the selected area. Slow: call it before the transaction. Errors refer to the photo field. */
  async keepPhoto({ content, crop }: Photo): Promise<FileRef> {
    const limits = { fit: LARGEST_PHOTO, ...(crop ? { crop: { ...crop, aspect: PHOTO_ASPECT } } : {}) };
    return this.ctx.files.putImage(content, { name: 'photo', field: 'image', ...limits });
  }

  /**
   * Adds a post to a wall; posts of members await approval by a wall manager.
   *
   * @throws NotAllowed if the caller can't post there, TooMany if they have too many pending posts
   */
  async add({ wall: wallId, name, descr, image }: NewPost): Promise<Id> {
    const wall = await this.of(wallId);
    const right = this.mayPost(wall);
    if (!right) throw new NotAllowed('You can’t post on this wall.', { code: 'dribblo.no_posting' });
    // Members have no write access to posts; the wall's permission was checked above.
    const posts = this.ctx.sudo().model(WallPost);
    if (right === 'on approval') {
      await this.ctx.lock(Wall, [wallId]);
      const waiting = await posts.count([
        ['author_id', '=', this.ctx.user.partnerId],
        ['website_published', '=', false],
      ]);
      if (waiting >= MOST_WAITING) {
        throw new TooMany('You have posts awaiting approval. You can post again once they’ve been reviewed.', {
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
      author_id: this.ctx.user.partnerId,
      website_published: right === 'at once',
    });
  }

  /**
   * Deletes a post.
   *
   * @throws NotAllowed unless the caller is a wall manager, NotFound if the post doesn't exist
   */
  async delete(id: Id): Promise<Id> {
    if (!this.ctx.has(WALL_MANAGER)) {
      throw new NotAllowed('Only wall managers can delete posts.', { code: 'dribblo.no_deleting' });
    }
    const [post] = await this.ctx.model(WallPost).read([id], { select: { wall_id: true } });
    if (!post) throw new NotFound('We can’t find that post.', { code: 'dribblo.no_post' });
    await this.ctx.model(WallPost).unlink(id);
    return post.wall_id;
  }

  /** Records the author's removal request; a wall manager decides. */
  async askRemoval(id: Id): Promise<void> {
    const [post] = await this.ctx.model(WallPost).read([id], { select: { author_id: true } });
    if (!post || post.author_id === null || post.author_id !== this.ctx.user.partnerId) {
      throw new NotFound('We can’t find that post.', { code: 'dribblo.no_post' });
    }
    // Authors can't write posts, except for this request.
    await this.ctx.sudo().model(WallPost).write(id, { removal_asked: true });
  }

  /** Prepares posts for templates. `redirect` is the path and query of the page to return to. */
  views(rows: readonly PostRow[], redirect = ''): PostView[] {
    return rows.map((row) => ({
      id: row.id,
      wallId: row.wall_id,
      name: row.name,
      descr: row.descr ?? '',
      author: row.author_id?.name ?? t(this.ctx, 'former member'),
      date: row.create_date,
      href: `${row.url_post}${redirect === '' ? '' : `?redirect=${encodeURIComponent(redirect)}`}`,
      image: pictureUrl('club.wall.post', row.id, 'image', row.image, 1024) ?? '',
      waiting: !row.website_published,
      removalAsked: row.removal_asked,
      mayDelete: this.ctx.has(WALL_MANAGER),
      isOwn: this.ctx.user.partnerId !== null && row.author_id?.id === this.ctx.user.partnerId,
    }));
  }

  /** A post as JSON for calls: the image is base64, or false. */
  async toJson(row: PostRow) {
    return {
      id: row.id,
      name: row.name,
      descr: row.descr ?? '',
      image: await this.#base64(row.image),
      create_date: row.create_date.toISOString().slice(0, 19).replace('T', ' '),
      url_post: row.url_post ?? '',
      wall_id: row.wall_id,
    };
  }

  async #base64(image: FileRef | null): Promise<string | false> {
    if (!image) return false;
    const content = await this.ctx.files.get((await this.ctx.files.resized(image, JSON_BOX)).hash);
    return content ? Buffer.from(content).toString('base64') : false;
  }
}
