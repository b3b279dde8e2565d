import {
  app,
  type FieldsOf,
  type FileRef,
  type Id,
  type Ids,
  InvalidInput,
  NotAllowed,
  NotFound,
  type Row,
  service,
  TooMany,
} from 'pergola';
import { pictureUrl } from 'pergola/pages';
import { beside, onWebsite } from '#addons/website';
import { Wall } from '../models/club-wall.ts';
import { WallPost } from '../models/club-wall-post.ts';
import { WALL_MANAGER } from '../security.ts';
import { t } from '../texts.ts';

/** Posts on the first page of a wall, and how many more come at a time. */
export const PAGE_SIZE = 6;
/** Posts of one author that may wait for approval. */
export const MOST_WAITING = 5;
/** The picture of a post is cut to this proportion. */
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

export interface NewPost {
  readonly wall: Id;
  readonly name: string;
  readonly descr: string;
  readonly image: FileRef | null;
}

export type PostRow = Row<FieldsOf<WallPost>, typeof postSelect>;

/** Box of the picture that calls answer, in pixels. */
const JSON_BOX = { width: 640, height: 384 } as const;

/** A post as pages show it. */
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
  /** Whether the reader wrote it, and so may ask for its removal. */
  readonly isOwn: boolean;
}

/** Walls and their posts. */
export class Walls extends service('dribblo.walls', { ctx: app.ctx }) {
  /**
   * A wall as the caller may see it.
   *
   * @throws NotFound for one that is not there, not published, or of another website.
   */
  async of(id: Id) {
    const wall = await this.ctx.model(Wall).first([['id', '=', id], ...onWebsite(this.ctx)], {
      select: { name: true, description: true, member_posts: true, website_published: true },
    });
    if (!wall) throw new NotFound('There is no such wall.', { code: 'dribblo.no_wall' });
    return wall;
  }

  /** Whether the caller may post on a wall, and whether what they post is shown at once. */
  mayPost(wall: { readonly member_posts: boolean }): 'at once' | 'on approval' | false {
    if (this.ctx.has(WALL_MANAGER)) return 'at once';
    return wall.member_posts && this.ctx.user.id !== null ? 'on approval' : false;
  }

  /** Whether the caller may post on any wall. */
  async isPosting(): Promise<boolean> {
    if (this.ctx.has(WALL_MANAGER)) return true;
    return this.ctx.user.id !== null && (await this.ctx.model(Wall).count([['member_posts', '=', true]])) > 0;
  }

  /** Posts of a wall, the latest first, without those already displayed. */
  async posts(wall: Id, about: { displayed?: Ids; limit?: number }) {
    const { displayed = [], limit = PAGE_SIZE } = about;
    const shown = [
      ['wall_id', '=', wall],
      ['website_published', '=', true],
    ] as const;
    // Who wrote a post is named with it; a contact that is gone has become nobody.
    const names = this.ctx.sudo().model(WallPost);
    const ids = await this.ctx
      .model(WallPost)
      .search([...shown, ...(displayed.length > 0 ? ([['id', 'not in', displayed]] as const) : [])], {
        order: 'create_date desc, id desc',
        limit,
      });
    return { rows: await names.read(ids, { select: postSelect }), total: await this.ctx.model(WallPost).count(shown) };
  }

  /** Posts of a wall that its managers have to decide on. */
  async waiting(wall: Id): Promise<PostRow[]> {
    // The names of authors stand beside their posts.
    return this.ctx
      .sudo()
      .model(WallPost)
      .find([['wall_id', '=', wall], '|', ['website_published', '=', false], ['removal_asked', '=', true]], {
        select: postSelect,
        limit: 50,
      });
  }

  /** Keeps a photo, cut to the part that was chosen. Slow, so it is done before the transaction. What is refused is said beside the photo. */
  async keepPhoto({ content, crop }: Photo): Promise<FileRef> {
    const limits = { fit: LARGEST_PHOTO, ...(crop ? { crop: { ...crop, aspect: PHOTO_ASPECT } } : {}) };
    try {
      return await this.ctx.files.putImage(content, { name: 'photo', ...limits });
    } catch (error) {
      throw error instanceof InvalidInput ? beside('image', error) : error;
    }
  }

  /**
   * Posts on a wall; a member's post waits until a wall manager has approved it.
   *
   * @throws NotAllowed for whoever may not post there, TooMany while too many posts of theirs wait.
   */
  async add({ wall: wallId, name, descr, image }: NewPost): Promise<Id> {
    const wall = await this.of(wallId);
    const right = this.mayPost(wall);
    if (!right) throw new NotAllowed('You may not post on this wall.', { code: 'dribblo.no_posting' });
    // Members have no rights on posts; that the wall lets them post was checked above.
    const posts = this.ctx.sudo().model(WallPost);
    if (right === 'on approval') {
      await this.ctx.lock(Wall, [wallId]);
      const waiting = await posts.count([
        ['author_id', '=', this.ctx.user.partnerId],
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
      author_id: this.ctx.user.partnerId,
      website_published: right === 'at once',
    });
  }

  /**
   * Deletes a post. For wall managers alone.
   *
   * @throws NotAllowed, or NotFound for a post that is not there.
   */
  async delete(id: Id): Promise<Id> {
    if (!this.ctx.has(WALL_MANAGER)) {
      throw new NotAllowed('Only wall managers delete posts.', { code: 'dribblo.no_deleting' });
    }
    const [post] = await this.ctx.model(WallPost).read([id], { select: { wall_id: true } });
    if (!post) throw new NotFound('There is no such post.', { code: 'dribblo.no_post' });
    await this.ctx.model(WallPost).unlink(id);
    return post.wall_id;
  }

  /** Notes that the author wants a post removed; a wall manager decides. */
  async askRemoval(id: Id): Promise<void> {
    const [post] = await this.ctx.model(WallPost).read([id], { select: { author_id: true } });
    if (!post || post.author_id === null || post.author_id !== this.ctx.user.partnerId) {
      throw new NotFound('There is no such post.', { code: 'dribblo.no_post' });
    }
    // Authors may not write posts, and this one wish is theirs.
    await this.ctx.sudo().model(WallPost).write(id, { removal_asked: true });
  }

  /** Posts for templates. `redirect` is the page to come back to from a post, with its query. */
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

  /** A post as calls answer it: the picture is base64, false where there is none. */
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
