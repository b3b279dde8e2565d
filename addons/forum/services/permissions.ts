import { type Ctx, type Id, NotAllowed, NotFound } from '#core';
import { TEXTS } from '../constants.ts';
import type { KarmaName, KarmaTable } from '../models/karma-fields.ts';
import { forumTables, karmaOf, shownKarma } from '../posts/memories.ts';

/** The group that manages forums: no karma is asked of its members. */
export const MANAGERS = 'forum.group_forum_manager';

/** What somebody may do in one forum. */
export interface Viewer {
  readonly userId: Id | null;
  readonly partnerId: Id | null;
  readonly karma: number;
  /** Manages forums, or acts for the system. */
  readonly manages: boolean;
  readonly forum: Id;
  readonly table: KarmaTable;
  /** Whether the karma is enough. */
  has(name: KarmaName): boolean;
  /** The karma it takes on something of this author. */
  needs(own: KarmaName, all: KarmaName, author: Id | null): number;
  /** Whether it is there. */
  may(own: KarmaName, all: KarmaName, author: Id | null): boolean;
}

/** The caller as far as one forum is concerned; nobody in particular when they are not signed in. */
export async function viewerOf(ctx: Ctx, forum: Id): Promise<Viewer> {
  const table = (await ctx.get(forumTables).get(ctx, '')).get(forum);
  if (!table) throw new NotFound('There is no such forum.', { code: 'forum.no_forum' });
  return viewerWith(ctx, table, await ownKarma(ctx));
}

/** The same where the forum and the karma are known already. */
export function viewerWith(ctx: Ctx, table: KarmaTable & { readonly id: Id }, karma: number): Viewer {
  const { id: userId, partnerId } = ctx.user;
  const manages = ctx.su || ctx.has(MANAGERS);
  const known = userId !== null || ctx.su;
  const enough = (n: number): boolean => manages || (known && karma >= n);
  const needs = (own: KarmaName, all: KarmaName, author: Id | null): number =>
    table[author !== null && author === userId ? own : all];
  return {
    userId,
    partnerId,
    karma,
    manages,
    forum: table.id,
    table,
    has: (name) => enough(table[name]),
    needs,
    may: (own, all, author) => enough(needs(own, all, author)),
  };
}

/** The caller's karma, read anew; 0 for visitors. */
export async function ownKarma(ctx: Ctx): Promise<number> {
  // Everybody may know their own.
  return ctx.user.id === null ? 0 : karmaOf(ctx.sudo(), ctx.user.id);
}

/** The same for pages, which ask for it many times. */
export async function ownShownKarma(ctx: Ctx): Promise<number> {
  return ctx.user.id === null ? 0 : ctx.get(shownKarma).get(ctx, String(ctx.user.id));
}

/** The refusal of somebody with too little karma, in the words of the specification. */
export function karmaNeeded(n: number): NotAllowed {
  return new NotAllowed(TEXTS.karma, { code: 'forum.karma_required', params: { n }, title: 'Karma required' });
}

/** @throws NotAllowed unless the karma is enough. */
export function requireKarma(viewer: Viewer, name: KarmaName): void {
  if (!viewer.has(name)) throw karmaNeeded(viewer.table[name]);
}

/** @throws NotAllowed unless the karma is enough for something of this author. */
export function requireFor(viewer: Viewer, own: KarmaName, all: KarmaName, author: Id | null): void {
  if (!viewer.may(own, all, author)) throw karmaNeeded(viewer.needs(own, all, author));
}

/** The signed-in caller. Throws NotAllowed for anybody else. */
export function requireUser(ctx: Ctx): Id {
  if (ctx.user.id === null) throw new NotAllowed('Please sign in first.', { code: 'forum.sign_in_first' });
  return ctx.user.id;
}
