import { app, type Ctx, type Id, liveValues, NotAllowed, NotFound, sanitizeHtml, service } from 'pergola';
import { EDITOR_KARMA, TEXTS } from '../constants.ts';
import { Forum } from '../models/forum.ts';
import { type KarmaName, type KarmaTable, karmaSelect } from '../models/karma-fields.ts';
import type { RelevancyWeights } from '../models/relevancy.ts';
import { ForumUser } from '../models/res-users.ts';
import { addressesIn } from './html-text.ts';

/** Group of forum managers, who are exempt from karma requirements. */
export const MANAGERS = 'forum.group_forum_manager';

/** Karma and relevance settings of a forum. */
export type ForumTable = KarmaTable & RelevancyWeights & { readonly id: Id };

/** Settings of all forums by ID, including archived ones. They are public. */
export const forumTables = liveValues('forum.karma_tables', {
  read: async (ctx): Promise<ReadonlyMap<Id, ForumTable>> => {
    const rows = await ctx.model(Forum).find([['active', 'in', [true, false]]], {
      select: { ...karmaSelect, relevancy_post_vote: true, relevancy_time_decay: true },
    });
    return new Map(rows.map((row) => [row.id, row]));
  },
});

/** Cached karma by user ID, for display. Write operations read it from the database. */
export const shownKarma = liveValues('forum.karma', {
  read: (ctx, user) => ctx.model(ForumUser).karmaOf(Number(user)),
});

/** The caller's forum permissions, based on karma. */
export class Permissions extends service('forum.permissions', {
  ctx: app.ctx,
  forumTables,
  kept: shownKarma,
}) {
  /** Settings of all forums by ID. */
  tables(): Promise<ReadonlyMap<Id, ForumTable>> {
    return this.forumTables.get(this.ctx, '');
  }

  /**
   * Returns the caller's permissions in one forum, also for anonymous visitors.
   *
   * @throws NotFound if the forum doesn't exist
   */
  async in(forum: Id): Promise<Viewer> {
    const table = (await this.tables()).get(forum);
    if (!table) throw new NotFound('We can’t find that forum.', { code: 'forum.no_forum' });
    const { id } = this.ctx.user;
    // Users can always see their own karma.
    return new Viewer(this.ctx, table, id === null ? 0 : await this.ctx.sudo().model(ForumUser).karmaOf(id));
  }

  /** Whether the caller has the karma for images in any forum. */
  async mayUsePictures(): Promise<boolean> {
    const { id } = this.ctx.user;
    if (id === null) return false;
    const karma = await this.ctx.sudo().model(ForumUser).karmaOf(id);
    return [...(await this.tables()).values()].some((table) => new Viewer(this.ctx, table, karma).has('karma_editor'));
  }

  /** Same as `in` for pages, which already know the forum and use cached karma. */
  async onPage(table: KarmaTable & { readonly id: Id }): Promise<Viewer> {
    return new Viewer(this.ctx, table, await this.shownKarma());
  }

  /** The caller's cached karma; 0 for visitors. */
  async shownKarma(): Promise<number> {
    const { id } = this.ctx.user;
    return id === null ? 0 : this.kept.get(this.ctx, String(id));
  }
}

/** A user's permissions in one forum. */
export class Viewer {
  readonly userId: Id | null;
  readonly partnerId: Id | null;
  readonly karma: number;
  /** Whether the user manages forums, or acts as the system. */
  readonly manages: boolean;
  readonly forum: Id;
  readonly table: KarmaTable;

  constructor(ctx: Ctx, table: KarmaTable & { readonly id: Id }, karma: number) {
    this.userId = ctx.user.id;
    this.partnerId = ctx.user.partnerId;
    this.karma = karma;
    this.manages = ctx.su || ctx.has(MANAGERS);
    this.forum = table.id;
    this.table = table;
  }

  /** Whether the user has the required karma. */
  has(name: KarmaName): boolean {
    return this.#enough(this.table[name]);
  }

  /** Karma required for an action on a post of this author. */
  needs(ownKarma: KarmaName, all: KarmaName, author: Id | null): number {
    return this.table[author !== null && author === this.userId ? ownKarma : all];
  }

  /** Whether the user has the karma for an action on a post of this author. */
  may(ownKarma: KarmaName, all: KarmaName, author: Id | null): boolean {
    return this.#enough(this.needs(ownKarma, all, author));
  }

  /** @throws NotAllowed without the required karma */
  assertHas(name: KarmaName): void {
    if (!this.has(name)) throw karmaNeeded(this.table[name]);
  }

  /** @throws NotAllowed without the karma for a post of this author */
  assertMay(ownKarma: KarmaName, all: KarmaName, author: Id | null): void {
    if (!this.may(ownKarma, all, author)) throw karmaNeeded(this.needs(ownKarma, all, author));
  }

  /**
   * Rejects new links and images, and removed links, without the karma for them; existing ones may stay.
   *
   * @throws NotAllowed with the message from the specification
   */
  requireEditor(html: unknown, previousHtml: string | null): void {
    if (this.has('karma_editor') || typeof html !== 'string') return;
    const previousAddresses = addressesIn(previousHtml ?? '');
    const next = addressesIn(sanitizeHtml(html, 'comment'));
    const isNew = [...next].some((address) => !previousAddresses.has(address));
    const isUnlinked = [...previousAddresses].some((address) => address.startsWith('a ') && !next.has(address));
    if (isNew || isUnlinked)
      throw new NotAllowed(TEXTS.editorKarma, { code: 'forum.editor_karma', params: { n: EDITOR_KARMA } });
  }

  #enough(karma: number): boolean {
    return this.manages || (this.userId !== null && this.karma >= karma);
  }
}

/** Error for too little karma, verbatim from the specification. */
export function karmaNeeded(n: number): NotAllowed {
  return new NotAllowed(TEXTS.karma, { code: 'forum.karma_required', params: { n }, title: 'Karma required' });
}

/**
 * Returns the signed-in caller.
 *
 * @throws NotAllowed for visitors
 */
export function requireUser(ctx: Ctx): Id {
  if (ctx.user.id === null) throw new NotAllowed('Sign in first.', { code: 'forum.sign_in_first' });
  return ctx.user.id;
}
