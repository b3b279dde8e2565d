import { seoSelect } from '@pergola/website';
import { app, type Ctx, type FieldsOf, type Id, kept, NotFound, type Row } from 'pergola';
import { Forum } from '../models/forum.ts';
import { ForumNotification } from '../models/forum-notification.ts';
import { ForumPost } from '../models/forum-post.ts';
import { karmaSelect } from '../models/karma-fields.ts';
import { forumPath, postPath } from '../routes/paths.ts';
import { Permissions, type Viewer } from '../services/permissions.ts';
import { t } from '../texts.ts';

/** Forum fields used by all its pages. */
export const forumSelect = {
  name: true,
  description: true,
  active: true,
  website_id: true,
  welcome_message: true,
  allow_share: true,
  allow_bump: true,
  default_order: true,
  ...karmaSelect,
  ...seoSelect,
} as const;
export type ForumRow = Row<FieldsOf<Forum>, typeof forumSelect>;

/** @throws NotFound for a forum that is archived or belongs to another site */
export function requireHere(ctx: Ctx, forum: Pick<ForumRow, 'active' | 'website_id'>): void {
  const site = ctx.attributes.website;
  const isOnOtherSite = forum.website_id !== null && site !== undefined && forum.website_id !== site.id;
  if (!forum.active || isOnOtherSite) throw new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
}

/** Number of forums on a site. */
export const forumCount = kept('forum.count', (ctx, site: Id | null) =>
  ctx.model(Forum).count(site === null ? [] : ['|', ['website_id', '=', null], ['website_id', '=', site]]),
);

/** Active tab of a forum page. */
export type Tab = 'questions' | 'tags' | 'users' | 'badges' | 'faq' | 'queue' | 'notifications' | null;

const NOTES = 5;

/** Header of every forum page: tabs, the caller's karma and notifications, and whether their address needs confirmation. */
export async function headerOf(ctx: Ctx, forum: ForumRow, tab: Tab) {
  requireHere(ctx, forum);
  const viewer = await ctx.get(Permissions).onPage(forum);
  // Forums are public.
  const count = await forumCount.get(ctx.sudo(), ctx.attributes.website?.id ?? null);
  const news = await unreadOf(ctx, forum);
  return {
    viewer,
    header: {
      forum: { id: forum.id, name: forum.name, path: forumPath(forum) },
      hasOthers: count > 1,
      tab,
      path: forumPath(forum),
      user:
        ctx.user.id === null
          ? null
          : { name: ctx.user.name, karma: viewer.karma, path: `${forumPath(forum)}/user/${ctx.user.id}` },
      /** Only set if the caller has less. Visitors see a sign-in prompt. */
      askNeeds: viewer.userId === null || viewer.has('karma_ask') ? null : forum.karma_ask,
      canModerate: viewer.has('karma_moderate'),
      canSeeQueue: viewer.userId !== null && viewer.has('karma_post'),
      notes: { ...news, forum: forum.id, path: forumPath(forum) },
      unread: news.unread,
      validation: await validationOf(ctx, viewer),
    },
  };
}

/** Banner about the caller's address: `ask`, `sent`, `done` or null. */
async function validationOf(ctx: Ctx, viewer: Viewer): Promise<'ask' | 'sent' | 'done' | null> {
  if (ctx.user.id === null) return null;
  if (ctx.session.get('forum.validation_done') === true) return 'done';
  if (viewer.karma !== 0 || viewer.manages) return null;
  return ctx.session.get('forum.validation_sent') === true ? 'sent' : 'ask';
}

/** The caller's latest unread notifications, and their total number. */
export async function unreadOf(ctx: Ctx, forum: ForumName) {
  const notes = await notesOf(ctx, forum, NOTES);
  return {
    notes: notes.map((note) => ({ ...note, date: momentOf(ctx, note.date) })),
    unread: notes.length < NOTES ? notes.length : await unreadCount(ctx),
  };
}

function unreadCount(ctx: Ctx): Promise<number> {
  return ctx.model(ForumNotification).count([
    ['user_id', '=', ctx.user.id ?? 0],
    ['is_read', '=', false],
  ]);
}

/** A notification prepared for display. */
export interface Note {
  readonly id: Id;
  readonly text: string;
  readonly href: string | null;
  readonly date: Date;
  readonly isRead: boolean;
}

/** A timestamp for an island: machine-readable and relative. */
export function momentOf(ctx: Ctx, moment: Date) {
  return {
    machine: moment.toISOString(),
    text: ctx.get(app.formats).formatRelative(moment, ctx.now(), ctx.lang),
  };
}

type ForumName = Pick<ForumRow, 'id' | 'name'>;

/** The caller's notifications, newest first; only unread ones unless `all`. Badges link to this forum. */
export async function notesOf(ctx: Ctx, forum: ForumName, limit: number, all = false): Promise<Note[]> {
  if (ctx.user.id === null) return [];
  const rows = await ctx
    .model(ForumNotification)
    .find([['user_id', '=', ctx.user.id], ...(all ? [] : ([['is_read', '=', false]] as const))], {
      select: { kind: true, create_date: true, is_read: true, post_id: true, actor_id: true, badge_id: { name: true } },
      limit,
    });
  const posts = await placesOf(
    ctx,
    rows.flatMap(({ post_id }) => post_id ?? []),
  );
  return rows.map((row) => {
    const place = row.post_id === null ? null : (posts.get(row.post_id) ?? null);
    return {
      id: row.id,
      text: noteText(ctx, row.kind, place?.title ?? '', row.badge_id?.name ?? ''),
      href: place?.path ?? (row.badge_id ? `${forumPath(forum)}/badge/${row.badge_id.id}` : null),
      date: row.create_date,
      isRead: row.is_read,
    };
  });
}

function noteText(ctx: Ctx, kind: string, title: string, badge: string): string {
  switch (kind) {
    case 'answer':
      return t(ctx, 'New answer to “{title}”.', { title });
    case 'comment':
      return t(ctx, 'Someone commented on your post in “{title}”.', { title });
    case 'accepted':
      return t(ctx, 'Your answer to “{title}” was accepted.', { title });
    case 'badge':
      return t(ctx, 'You’ve earned the “{badge}” badge.', { badge });
    case 'validated':
      return t(ctx, 'Your question “{title}” is published.', { title });
    case 'refused':
      return t(ctx, 'Your question “{title}” was not published.', { title });
    default:
      return t(ctx, 'Your question “{title}” was closed.', { title });
  }
}

/** URLs of posts and titles of their questions, including posts the reader can no longer see. */
async function placesOf(ctx: Ctx, ids: readonly Id[]): Promise<Map<Id, { title: string; path: string }>> {
  // Notifications keep their titles; the linked page checks access.
  const rows = await ctx
    .sudo()
    .model(ForumPost)
    .read(ids, { select: { name: true, forum_id: { name: true }, parent_id: { name: true } } });
  return new Map(
    rows.flatMap(({ id, name, forum_id, parent_id }) => {
      if (!forum_id) return [];
      const path = postPath(forum_id, { id, name, parent_id });
      return [[id, { title: parent_id?.name ?? name ?? '', path }] as const];
    }),
  );
}
