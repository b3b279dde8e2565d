import type { Ctx, FileRef, Id } from '#core';
import { WALL_MANAGER } from '../security.ts';
import type { morePosts } from './wall.ts';

export type PostRow = Awaited<ReturnType<typeof morePosts>>['rows'][number];

/** Box of the picture that calls answer, in pixels. */
const WIRE_BOX = { width: 640, height: 384 } as const;

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

/** Posts for templates. `redirect` is the page to come back to from a post, with its query. */
export function postViews(ctx: Ctx, rows: readonly PostRow[], redirect = ''): PostView[] {
  return rows.map((row) => ({
    id: row.id,
    wallId: row.wall_id,
    name: row.name,
    descr: row.descr ?? '',
    author: row.author_id?.name ?? ctx.t('former member'),
    date: row.create_date,
    href: `${row.url_post}${redirect === '' ? '' : `?redirect=${encodeURIComponent(redirect)}`}`,
    image: pictureAddress(row),
    waiting: !row.website_published,
    removalAsked: row.removal_asked,
    mayDelete: ctx.has(WALL_MANAGER),
    isOwn: ctx.user.partnerId !== null && row.author_id?.id === ctx.user.partnerId,
  }));
}

/** Where a post's photo is; empty where it has none. */
export function pictureAddress(
  { id, image }: { readonly id: Id; readonly image: FileRef | null },
  width = 1024,
): string {
  if (!image) return '';
  const query = new URLSearchParams({
    model: 'club.wall.post',
    field: 'image',
    id: String(id),
    width: String(width),
    height: String(width),
    unique: image.hash.slice(0, 12),
  });
  return `/web/binary/image?${query}`;
}

/** A post as calls answer it (specification 3): the picture is base64, false where there is none. */
export async function postOnTheWire(ctx: Ctx, row: PostRow) {
  return {
    id: row.id,
    name: row.name,
    descr: row.descr ?? '',
    image: await base64Of(ctx, row.image),
    create_date: row.create_date.toISOString().slice(0, 19).replace('T', ' '),
    url_post: row.url_post ?? '',
    wall_id: row.wall_id,
  };
}

async function base64Of(ctx: Ctx, image: FileRef | null): Promise<string | false> {
  if (!image) return false;
  const content = await ctx.files.get((await ctx.files.resized(image, WIRE_BOX)).hash);
  return content ? Buffer.from(content).toString('base64') : false;
}
