import { app, type Ctx, type Id, liveValues, NotAllowed, NotFound, sanitizeHtml, service } from 'pergola';
import { EDITOR_KARMA, TEXTS } from '../constants.ts';
import { Forum } from '../models/forum.ts';
import { type KarmaName, type KarmaTable, karmaSelect } from '../models/karma-fields.ts';
import type { RelevancyWeights } from '../models/relevancy.ts';
import { ForumUser } from '../models/res-users.ts';
import { addressesIn } from './html-text.ts';

/** The group that manages forums: no karma is asked of its members. */
export const MANAGERS = 'forum.group_forum_manager';

/** The numbers a forum goes by. */
export type ForumTable = KarmaTable & RelevancyWeights & { readonly id: Id };

/** The numbers of all forums, archived ones too, by their ids. They are no secret. */
export const forumTables = liveValues('forum.karma_tables', {
  read: async (ctx): Promise<ReadonlyMap<Id, ForumTable>> => {
    const rows = await ctx.model(Forum).find([['active', 'in', [true, false]]], {
      select: { ...karmaSelect, relevancy_post_vote: true, relevancy_time_decay: true },
    });
    return new Map(rows.map((row) => [row.id, row]));
  },
});

/** A user's karma as pages show it and go by it; the key is the user's id. Where something is decided it is read anew. */
export const shownKarma = liveValues('forum.karma', {
  read: (ctx, user) => ctx.model(ForumUser).karmaOf(Number(user)),
});

/** What the caller may do in forums, by their karma. */
export class Permissions extends service('forum.permissions', {
  ctx: app.ctx,
  forumTables,
  kept: shownKarma,
}) {
  /** The numbers of all forums by their ids. */
  tables(): Promise<ReadonlyMap<Id, ForumTable>> {
    return this.forumTables.get(this.ctx, '');
  }

  /**
   * The caller in one forum; nobody in particular when they are not signed in.
   *
   * @throws NotFound for a forum that is not there
   */
  async in(forum: Id): Promise<Viewer> {
    const table = (await this.tables()).get(forum);
    if (!table) throw new NotFound('There is no such forum.', { code: 'forum.no_forum' });
    const { id } = this.ctx.user;
    // Everybody may know their own karma.
    return new Viewer(this.ctx, table, id === null ? 0 : await this.ctx.sudo().model(ForumUser).karmaOf(id));
  }

  /** Whether the caller has the karma for pictures in any forum. */
  async mayUsePictures(): Promise<boolean> {
    const { id } = this.ctx.user;
    if (id === null) return false;
    const karma = await this.ctx.sudo().model(ForumUser).karmaOf(id);
    return [...(await this.tables()).values()].some((table) => new Viewer(this.ctx, table, karma).has('karma_editor'));
  }

  /** The same for pages, which know the forum and ask for the karma many times. */
  async onPage(table: KarmaTable & { readonly id: Id }): Promise<Viewer> {
    return new Viewer(this.ctx, table, await this.shownKarma());
  }

  /** The caller's karma as pages show it; 0 for visitors. */
  async shownKarma(): Promise<number> {
    const { id } = this.ctx.user;
    return id === null ? 0 : this.kept.get(this.ctx, String(id));
  }
}

/** What somebody may do in one forum. */
export class Viewer {
  readonly userId: Id | null;
  readonly partnerId: Id | null;
  readonly karma: number;
  /** Manages forums, or acts for the system. */
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

  /** Whether the karma is enough. */
  has(name: KarmaName): boolean {
    return this.#enough(this.table[name]);
  }

  /** The karma it takes on something of this author. */
  needs(own: KarmaName, all: KarmaName, author: Id | null): number {
    return this.table[author !== null && author === this.userId ? own : all];
  }

  /** Whether it is there. */
  may(own: KarmaName, all: KarmaName, author: Id | null): boolean {
    return this.#enough(this.needs(own, all, author));
  }

  /** @throws NotAllowed unless the karma is enough. */
  assertHas(name: KarmaName): void {
    if (!this.has(name)) throw karmaNeeded(this.table[name]);
  }

  /** @throws NotAllowed unless the karma is enough for something of this author. */
  assertMay(own: KarmaName, all: KarmaName, author: Id | null): void {
    if (!this.may(own, all, author)) throw karmaNeeded(this.needs(own, all, author));
  }

  /**
   * Refuses new links and pictures, and removing links, to those without the karma for it; what was in the text before may stay.
   *
   * @throws NotAllowed with the alert of the specification
   */
  requireEditor(html: unknown, before: string | null): void {
    if (this.has('karma_editor') || typeof html !== 'string') return;
    const known = addressesIn(before ?? '');
    const next = addressesIn(sanitizeHtml(html, 'comment'));
    const isNew = [...next].some((address) => !known.has(address));
    const isUnlinked = [...known].some((address) => address.startsWith('a ') && !next.has(address));
    if (isNew || isUnlinked)
      throw new NotAllowed(TEXTS.editorKarma, { code: 'forum.editor_karma', params: { n: EDITOR_KARMA } });
  }

  #enough(karma: number): boolean {
    return this.manages || (this.userId !== null && this.karma >= karma);
  }
}

/** The refusal of somebody with too little karma, in the words of the specification. */
export function karmaNeeded(n: number): NotAllowed {
  return new NotAllowed(TEXTS.karma, { code: 'forum.karma_required', params: { n }, title: 'Karma required' });
}

/** The signed-in caller. Throws NotAllowed for anybody else. */
export function requireUser(ctx: Ctx): Id {
  if (ctx.user.id === null) throw new NotAllowed('Please sign in first.', { code: 'forum.sign_in_first' });
  return ctx.user.id;
}
