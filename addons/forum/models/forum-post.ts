import { Partner, User } from '@pergola/base';
import { Followers, Message } from '@pergola/mail';
import { Seo } from '@pergola/website';
import {
  type Domain,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  model,
  NotAllowed,
  NotFound,
  sanitizeHtml,
  type Values,
} from 'pergola';
import { BUMP_DAYS, DAY, HOURLY, TAG, TITLE_SIZE } from '../constants.ts';
import { postPath } from '../routes/paths.ts';
import { HourlyLimits } from '../services/hourly-limits.ts';
import { isBlank } from '../services/html-text.ts';
import { Notifications } from '../services/notifications.ts';
import { karmaNeeded, Permissions, requireUser, type Viewer } from '../services/permissions.ts';
import { htmlFromTyped } from '../services/typed-text.ts';
import { clicked, type VoteReply, type VoteValue } from '../services/vote-steps.ts';
import { ForumKarma, type KarmaReason } from './forum-karma.ts';
import { ForumPostReason } from './forum-post-reason.ts';
import { ForumPostView } from './forum-post-view.ts';
import { ForumPostVote, voteKarma } from './forum-post-vote.ts';
import { type PostRights, rightFields, rightsFor } from './post-rights.ts';
import { hasMoved, relevancyOf } from './relevancy.ts';
import { ForumUser } from './res-users.ts';

type PostValues = Values<FieldsOf<ForumPost>>;

/** Fields users can set when creating a post; all others are derived. */
const creatable = new Set(['name', 'content', 'tag_ids', 'forum_id', 'parent_id']);
/** Fields users can change later. */
const changeable = new Set(['name', 'content', 'tag_ids', 'active']);
/** States in which a post is public, unless another condition hides it. */
const shownStates: readonly string[] = ['active', 'close'];
const anyActive = ['active', 'in', [true, false]] as const;
/** Number of downvotes that a bad question costs its author. */
const CLOSED_COSTS = 5;
/** Milliseconds in which identical posts count as a double submission. */
const SENT_AGAIN = 600_000;
/** The relevance of older questions hardly changes. */
const MOVING_DAYS = 120;
/** Number of questions whose relevance is updated per transaction. */
const REFRESHED = 500;
/** Dependencies of the answer statistics of a question. */
const answerDepends = ['child_ids.website_visible', 'child_ids.is_correct', 'child_ids.create_uid'];

/** Answer statistics of a question. */
interface AnswerFigures {
  readonly child_count: number;
  readonly has_validated_answer: boolean;
  readonly self_reply: boolean;
}

/** Result of flagging a post. */
export type FlagReply =
  | { readonly success: 'post_flagged_moderator' | 'post_flagged_non_moderator' }
  | { readonly error: 'post_already_flagged' | 'post_non_flaggable' | 'anonymous_user' };

/** A submitted post: a question with a title, or an answer. */
interface SubmittedPost {
  readonly forum_id: Id;
  readonly parent_id?: Id | null;
  readonly name?: string | null;
  readonly content: string;
}

/** A locked post with the fields needed for moderation. */
interface LockedPost {
  readonly id: Id;
  readonly viewer: Viewer;
  readonly forum: Id;
  readonly author: Id | null;
  readonly state: string;
  readonly isQuestion: boolean;
}

/** A question, or an answer to one (`parent_id`). Comments are messages on the post. */
export class ForumPost extends model(
  'forum.post',
  {
    name: f.char({ size: TITLE_SIZE, label: 'Title' }),
    forum_id: f.many2one('forum.forum', { required: true, ondelete: 'restrict' }),
    content: f.html({ sanitize: 'comment', size: 100_000, label: 'Text' }),
    lang: f.char({ size: 10, readonly: true, label: 'Language', help: 'The site language its author was using' }),
    tag_ids: f.many2many('forum.tag', {
      empty: 'none',
      label: 'Tags',
      relation: { table: 'forum_tag_rel', from: 'forum_post_id', to: 'forum_tag_id' },
    }),
    active: f.boolean({ default: true, label: 'Not deleted' }),
    parent_id: f.many2one('forum.post', { ondelete: 'cascade', label: 'Question' }),
    edited_date: f.datetime({ readonly: true, label: 'Edited' }),
    edited_uid: f.many2one('res.users', { empty: 'none', readonly: true, label: 'Edited by' }),
    state: f.selection(
      {
        active: 'Open',
        pending: 'Awaiting moderation',
        close: 'Closed',
        offensive: 'Offensive',
        flagged: 'Flagged',
      },
      {
        default: 'active',
        readonly: true,
        required: true,
        label: 'Status',
        colors: { active: 'success', pending: 'warning', flagged: 'warning', offensive: 'danger' },
      },
    ),
    closed_reason_id: f.many2one('forum.post.reason', { ondelete: 'restrict', readonly: true, label: 'Reason' }),
    closed_uid: f.many2one('res.users', { empty: 'none', readonly: true, label: 'Closed by' }),
    closed_date: f.datetime({ readonly: true, label: 'Closed' }),
    flag_user_id: f.many2one('res.users', { empty: 'none', readonly: true, label: 'Flagged by' }),
    moderator_id: f.many2one('res.users', { empty: 'none', readonly: true, label: 'Moderated by' }),
    author_hidden: f.boolean({ readonly: true, label: 'Hidden: its author has no karma' }),
    website_visible: f.boolean({
      compute: 'computeVisible',
      depends: ['active', 'state', 'author_hidden', 'parent_id.active', 'parent_id.state', 'parent_id.author_hidden'],
      store: true,
      label: 'Visible to everyone',
    }),
    vote_ids: f.one2many('forum.post.vote', 'post_id', { label: 'Votes' }),
    vote_count: f.integer({
      compute: 'computeVoteCount',
      depends: ['vote_ids.vote'],
      store: true,
      required: true,
      label: 'Votes',
    }),
    user_vote: f.integer({ compute: 'computeUserVote', label: 'My vote' }),
    favourite_ids: f.many2many('res.users', {
      empty: 'none',
      label: 'Favourited by',
      readonly: true,
      relation: { table: 'forum_post_favourite_rel', from: 'post_id', to: 'user_id' },
    }),
    favourite_count: f.integer({
      compute: 'computeFavouriteCount',
      depends: ['favourite_ids'],
      store: true,
      label: 'Favourites',
    }),
    user_favourite: f.boolean({ compute: 'computeUserFavourite', label: 'My favourite' }),
    is_correct: f.boolean({ readonly: true, label: 'Accepted answer' }),
    child_ids: f.one2many('forum.post', 'parent_id', { label: 'Answers' }),
    child_count: f.integer({
      compute: 'computeAnswers',
      depends: answerDepends,
      store: true,
      label: 'Number of answers',
    }),
    has_validated_answer: f.boolean({
      compute: 'computeAnswers',
      depends: answerDepends,
      store: true,
      label: 'Has an accepted answer',
    }),
    self_reply: f.boolean({
      compute: 'computeAnswers',
      depends: answerDepends,
      store: true,
      label: 'Answered by the author',
    }),
    uid_has_answered: f.boolean({ compute: 'computeHasAnswered', label: 'I’ve answered' }),
    views: f.integer({ default: 0, required: true, readonly: true }),
    relevancy: f.float({ default: 0, required: true, readonly: true, label: 'Relevance' }),
    last_activity_date: f.datetime({ readonly: true, label: 'Last activity' }),
    bump_date: f.datetime({ readonly: true, label: 'Bumped on' }),
    website_url: f.char({ compute: 'postUrls', label: 'Address on the website' }),
    ...rightFields,
  },
  {
    order: 'is_correct desc, vote_count desc, last_activity_date desc, id',
    label: 'Forum post',
    search: ['name', 'content'],
    mixins: [Followers, Seo],
    indexes: [
      ['forum_id', 'last_activity_date', 'id'],
      ['forum_id', 'vote_count', 'id'],
      ['forum_id', 'relevancy', 'id'],
      ['forum_id', 'create_date', 'id'],
      ['forum_id', 'child_count', 'id'],
      // Covers all columns of list counts, so they only read the index.
      ['forum_id', 'parent_id', 'state', 'active', 'website_visible', 'child_count'],
      ['parent_id', 'create_uid'],
      ['create_uid', 'create_date'],
      ['last_activity_date'],
    ],
  },
) {
  override async beforeCreate(values: readonly PostValues[]): Promise<readonly PostValues[]> {
    const now = new Date(this.ctx.now());
    const posts: PostValues[] = [];
    // Sequential, so each post counts towards the limits of the next.
    for (const value of values) posts.push(this.ctx.su ? value : await this.#newPost(value));
    return super.beforeCreate(posts.map((value) => ({ last_activity_date: now, ...value })));
  }

  /**
   * Completes the values of a new post by the caller, including whether it awaits moderation and is visible.
   *
   * @throws NotAllowed for too little karma, InvalidInput for missing fields, TooMany
   */
  async #newPost(values: PostValues): Promise<PostValues> {
    const user = requireUser(this.ctx);
    requireNames(
      Object.entries(values).flatMap(([name, value]) => (value === undefined || value === true ? [] : [name])),
      creatable,
    );
    const { name, content, tag_ids, forum_id: forum, parent_id } = values;
    if (!forum) throw new InvalidInput('Choose a forum for this post.', { code: 'forum.no_forum' });
    const viewer = await this.ctx.get(Permissions).in(forum);
    viewer.requireEditor(content, null);
    const state = parent_id
      ? await this.#newAnswer(viewer, user, parent_id)
      : await this.#newQuestion(viewer, user, name ?? null);
    return {
      ...(parent_id ? {} : { name, tag_ids }),
      content,
      lang: this.ctx.lang,
      forum_id: forum,
      parent_id: parent_id ?? null,
      state,
      author_hidden: viewer.karma <= 0 && !viewer.manages,
    };
  }

  async #newQuestion(viewer: Viewer, user: Id, name: unknown): Promise<'active' | 'pending'> {
    viewer.assertHas('karma_ask');
    if (typeof name !== 'string' || name.trim() === '') throw missing('name', 'Enter a title for your question.');
    await this.#requireHourly(HOURLY.questions, user, ['parent_id', '=', null]);
    return viewer.has('karma_post') ? 'active' : 'pending';
  }

  async #newAnswer(viewer: Viewer, user: Id, question: Id): Promise<'active'> {
    viewer.assertHas('karma_answer');
    await this.#requireHourly(HOURLY.answers, user, ['parent_id', '!=', null]);
    await this.ctx.lock(ForumPost, [question]);
    // Links to questions the caller can't see have already been rejected.
    const row = await this.#system.first([['id', '=', question], anyActive], {
      select: { forum_id: true, parent_id: true, state: true, active: true },
    });
    if (!row || row.parent_id !== null || row.forum_id !== viewer.forum) {
      throw new InvalidInput('We can’t find that question in this forum.', { code: 'forum.no_question' });
    }
    if (!row.active || row.state !== 'active') {
      throw new InvalidInput('This question is closed and no longer accepts answers.', {
        code: 'forum.question_closed',
      });
    }
    if (await this.#hasAnswered(question, user)) {
      throw new InvalidInput('You’ve already answered this question. Edit your answer to add to it.', {
        code: 'forum.answered_already',
      });
    }
    return 'active';
  }

  #requireHourly(max: number, user: Id, kind: readonly ['parent_id', '=' | '!=', null]): Promise<void> {
    return this.ctx
      .get(HourlyLimits)
      .require(max, (system, since) =>
        system.model(ForumPost).count([['create_uid', '=', user], ['create_date', '>', since], kind, anyActive]),
      );
  }

  override async afterCreate(ids: Ids, values: readonly PostValues[]): Promise<void> {
    await super.afterCreate(ids, values);
    // Shipped and converted posts aren't announced.
    if (this.ctx.su) return;
    const rows = await this.#system.read(ids, {
      select: { create_uid: true, parent_id: true, state: true, forum_id: true },
    });
    for (const { id, create_uid: author, parent_id: question, state, forum_id: forum } of rows) {
      await this.#follow(id, author);
      if (question !== null) {
        await this.#follow(question, author);
        await this.#announceAnswer(id);
        await this.#system.write(question, { last_activity_date: new Date(this.ctx.now()) });
      } else if (state === 'active') {
        await this.#publishQuestion(id, await this.ctx.get(Permissions).in(forum), author);
      }
    }
  }

  /** Makes authors follow their posts, so they get notified of replies. */
  async #follow(post: Id, user: Id | null): Promise<void> {
    if (user === null) return;
    const system = this.ctx.sudo();
    const row = await system.model(User).first([['id', '=', user]], { select: { partner_id: true } });
    if (row?.partner_id) await this.#system.messageSubscribe([post], [row.partner_id]);
  }

  /** Emails a new answer to the followers of its question, and notifies the question's author on the site. */
  async #announceAnswer(id: Id): Promise<void> {
    const { content, parent_id: question } = await this.#system.get(id, {
      select: { content: true, parent_id: { name: true, create_uid: true } },
    });
    if (!question) return;
    await this.ctx.get(Notifications).notify('answer', id, question.create_uid);
    await this.#system.messagePost([question.id], {
      subject: `Re: ${question.name ?? ''}`,
      body: content ?? '',
      type: 'notification',
      published: false,
    });
  }

  /** Handles a question becoming public: awards karma for asking, and emails the followers. */
  async #publishQuestion(id: Id, { table, forum }: Viewer, author: Id | null): Promise<void> {
    await this.#moveKarma({ post_id: id, forum_id: forum }, 'asked', author, table.karma_gen_question_new);
    await this.ctx.get(Notifications).announceQuestion(
      await this.#system.get(id, {
        select: { name: true, content: true, create_uid: true, forum_id: { name: true }, tag_ids: true },
      }),
    );
  }

  override async beforeWrite(ids: Ids, values: PostValues): Promise<PostValues> {
    if (this.ctx.su) return super.beforeWrite(ids, values);
    await this.#checkChange(ids, values);
    if (!('name' in values || 'content' in values || 'tag_ids' in values)) return super.beforeWrite(ids, values);
    const now = new Date(this.ctx.now());
    return super.beforeWrite(ids, {
      ...values,
      edited_date: now,
      edited_uid: this.ctx.user.id,
      last_activity_date: now,
    });
  }

  /** Checks which fields users may change, and with how much karma. */
  async #checkChange(ids: Ids, values: PostValues): Promise<void> {
    requireUser(this.ctx);
    const names = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    requireNames(names, changeable);
    const rows = await this.#system.read(ids, {
      select: { forum_id: true, create_uid: true, content: true, state: true },
    });
    for (const { forum_id, create_uid: author, content, state } of rows) {
      const viewer = await this.ctx.get(Permissions).in(forum_id);
      if ('active' in values) {
        viewer.assertMay('karma_unlink_own', 'karma_unlink_all', author);
        if (state === 'offensive' || state === 'pending') viewer.assertHas('karma_moderate');
      }
      if (names.some((name) => name !== 'active')) viewer.assertMay('karma_edit_own', 'karma_edit_all', author);
      viewer.requireEditor(values.content, content);
      if ('content' in values && isBlank(values.content as string | null)) throw missing('content', 'Write something.');
    }
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (!['name', 'content', 'tag_ids', 'parent_id', 'forum_id'].some((name) => changed.has(name))) return;
    // Checks the whole post, even if the caller can't read all of it.
    const rows = await this.#system.read(ids, {
      select: { name: true, content: true, forum_id: true, parent_id: { forum_id: true }, tag_ids: { forum_id: true } },
    });
    for (const { name, content, forum_id, parent_id: question, tag_ids } of rows) {
      if (!question && !name?.trim()) throw missing('name', 'Enter a title for your question.');
      if (isBlank(content)) throw missing('content', 'Write something.');
      if (tag_ids.length > TAG.most) throw tooManyTags();
      if (question ? question.forum_id !== forum_id : tag_ids.some((tag) => tag.forum_id !== forum_id)) {
        throw new InvalidInput('This post belongs to another forum.', { code: 'forum.other_forum' });
      }
    }
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    await super.beforeUnlink(ids);
    const rows = await this.#system.read(ids, {
      select: { forum_id: true, parent_id: true, create_uid: true, is_correct: true },
    });
    for (const { id, forum_id, parent_id, create_uid, is_correct } of rows) {
      if (!this.ctx.su) {
        requireUser(this.ctx);
        const viewer = await this.ctx.get(Permissions).in(forum_id);
        viewer.assertMay('karma_unlink_own', 'karma_unlink_all', create_uid);
        if (parent_id === null && !viewer.manages) {
          throw new NotAllowed(
            'Questions can’t be deleted permanently. Use Delete on the question’s page to hide it with its answers.',
            {
              code: 'forum.put_away',
            },
          );
        }
      }
      if (is_correct) await this.#takeBackAcceptance(id, forum_id);
    }
  }

  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true, parent_id: true } });
    const questions = rows.flatMap(({ parent_id }) => parent_id ?? []);
    // An answer takes the title of its question, which its readers can see as well.
    const questionRows = await this.#system.read(questions, { select: { name: true } });
    const titles = new Map(questionRows.map(({ id, name }) => [id, name ?? '']));
    return new Map(
      rows.map(({ id, name, parent_id }) => [
        id,
        name || (parent_id === null ? String(id) : `${titles.get(parent_id) ?? ''} (${id})`),
      ]),
    );
  }

  /** URL of each post: a question has its own page, an answer is on the page of its question. */
  async postUrls(ids: Ids): Promise<Map<Id, string>> {
    // URLs already contain the names of the forum and the question.
    const rows = await this.#system.read(ids, {
      select: { name: true, forum_id: { name: true }, parent_id: { name: true } },
    });
    return new Map(
      rows.flatMap((row) => {
        if (!row.forum_id) return [];
        return [[row.id, postPath(row.forum_id, row)] as const];
      }),
    );
  }

  /** Returns the caller's permissions for each post, and the required karma. */
  async computeRights(ids: Ids): Promise<Map<Id, PostRights>> {
    // Only reads who wrote the posts.
    const rows = await this.#system.read(ids, {
      select: { forum_id: true, create_uid: true, parent_id: { create_uid: true } },
    });
    const viewers = new Map<Id, Viewer>();
    for (const forum of new Set(rows.map(({ forum_id }) => forum_id)))
      viewers.set(forum, await this.ctx.get(Permissions).in(forum));
    return new Map(
      rows.flatMap(({ id, forum_id, create_uid, parent_id }) => {
        const viewer = viewers.get(forum_id);
        const asker = parent_id ? parent_id.create_uid : create_uid;
        return viewer ? [[id, rightsFor(viewer, create_uid, asker)] as const] : [];
      }),
    );
  }

  // Visibility and states

  async computeVisible(ids: Ids): Promise<Map<Id, boolean>> {
    const rows = await this.read(ids, {
      select: {
        active: true,
        state: true,
        author_hidden: true,
        parent_id: { active: true, state: true, author_hidden: true },
      },
    });
    const open = (post: { active: boolean; state: string; author_hidden: boolean }): boolean =>
      post.active && shownStates.includes(post.state) && !post.author_hidden;
    return new Map(rows.map((row) => [row.id, open(row) && (row.parent_id === null || open(row.parent_id))]));
  }

  /** Closes open questions for a reason; bad reasons cost their authors karma. Returns whether any question was closed. */
  async close(ids: Ids, reason: Id): Promise<boolean> {
    const { costs_karma } = await this.#reason(reason);
    let closed = false;
    for (const { id, viewer, forum, author, state, isQuestion } of await this.#lockPosts(ids)) {
      if (!isQuestion) continue;
      viewer.assertMay('karma_close_own', 'karma_close_all', author);
      if (state !== 'active') continue;
      const amount = costs_karma ? CLOSED_COSTS * viewer.table.karma_gen_question_downvote : 0;
      await this.#system.write(id, { state: 'close', ...this.#closedFor(reason) });
      await this.#moveKarma({ post_id: id, forum_id: forum }, 'closed', author, amount);
      await this.ctx.get(Notifications).notify('closed', id, author);
      closed = true;
    }
    return closed;
  }

  /** Reopens closed questions and refunds the karma that closing cost. Returns whether any question was reopened. */
  async reopen(ids: Ids): Promise<boolean> {
    let opened = false;
    for (const { id, viewer, forum, author, state, isQuestion } of await this.#lockPosts(ids)) {
      if (!isQuestion) continue;
      viewer.assertMay('karma_close_own', 'karma_close_all', author);
      if (state !== 'close') continue;
      await this.#system.write(id, { state: 'active', ...notClosed });
      await this.#ledger.takeBack(id, forum, ['closed']);
      opened = true;
    }
    return opened;
  }

  /** Hides a post until a moderator has reviewed it. */
  async flag(ids: Ids): Promise<FlagReply> {
    const id = ensureOne(ids);
    if (this.ctx.user.id === null) return { error: 'anonymous_user' };
    const [post] = await this.#lockPosts([id]);
    if (!post) return { error: 'post_non_flaggable' };
    post.viewer.assertHas('karma_flag');
    if (post.state === 'flagged') return { error: 'post_already_flagged' };
    if (post.state !== 'active') return { error: 'post_non_flaggable' };
    await this.#system.write(id, { state: 'flagged', flag_user_id: this.ctx.user.id });
    return {
      success: post.viewer.has('karma_moderate') ? 'post_flagged_moderator' : 'post_flagged_non_moderator',
    };
  }

  /** Approves pending, flagged and offensive posts, and refunds the karma that marking them as offensive cost. */
  async approve(ids: Ids): Promise<boolean> {
    let approved = false;
    for (const { id, viewer, forum, author, state, isQuestion } of await this.#lockPosts(ids)) {
      viewer.assertHas('karma_moderate');
      if (state !== 'pending' && state !== 'flagged' && state !== 'offensive') continue;
      await this.#system.write(id, {
        state: 'active',
        active: true,
        moderator_id: this.ctx.user.id,
        flag_user_id: null,
        ...notClosed,
      });
      // The question is open again, so an earlier closing is refunded as well.
      if (state === 'offensive') await this.#ledger.takeBack(id, forum, ['offensive', 'closed']);
      if (state === 'pending' && isQuestion) {
        await this.ctx.get(Notifications).notify('validated', id, author);
        await this.#publishQuestion(id, viewer, author);
      }
      approved = true;
    }
    return approved;
  }

  /** Deletes pending posts and notifies their authors. */
  async refuse(ids: Ids): Promise<boolean> {
    let hasRefused = false;
    for (const { id, viewer, author, state } of await this.#lockPosts(ids)) {
      viewer.assertHas('karma_moderate');
      if (state !== 'pending') continue;
      await this.#system.write(id, { active: false, moderator_id: this.ctx.user.id });
      await this.ctx.get(Notifications).notify('refused', id, author);
      hasRefused = true;
    }
    return hasRefused;
  }

  /** Deletes offensive posts, with a large karma penalty for their authors. */
  async markAsOffensive(ids: Ids, reason: Id): Promise<boolean> {
    await this.#reason(reason);
    let marked = false;
    for (const { id, viewer, forum, author, state } of await this.#lockPosts(ids)) {
      viewer.assertHas('karma_moderate');
      if (state === 'offensive') continue;
      await this.#system.write(id, {
        state: 'offensive',
        active: false,
        ...this.#closedFor(reason),
        moderator_id: this.ctx.user.id,
      });
      const amount = viewer.table.karma_gen_answer_flagged;
      await this.#moveKarma({ post_id: id, forum_id: forum }, 'offensive', author, amount);
      marked = true;
    }
    return marked;
  }

  /** Hides or shows all posts of an author. Called by the karma ledger. */
  async hideAuthor(user: Id, hidden: boolean): Promise<void> {
    const posts = await this.search([['create_uid', '=', user], ['author_hidden', '=', !hidden], anyActive]);
    if (posts.length > 0) await this.write(posts, { author_hidden: hidden });
  }

  /** Locks the posts visible to the caller, and returns them with the caller's permissions. */
  async #lockPosts(ids: Ids): Promise<LockedPost[]> {
    requireUser(this.ctx);
    const visible = await this.allowed(ids, 'read');
    await this.ctx.lock(ForumPost, visible);
    // The caller can see these posts; moderation needs fields they may not read.
    const rows = await this.#system.read(visible, {
      select: { forum_id: true, parent_id: true, create_uid: true, state: true },
    });
    const lockedPosts: LockedPost[] = [];
    for (const { id, forum_id: forum, parent_id, create_uid: author, state } of rows) {
      const viewer = await this.ctx.get(Permissions).in(forum);
      lockedPosts.push({ id, forum, author, state, isQuestion: parent_id === null, viewer });
    }
    return lockedPosts;
  }

  async #reason(id: Id): Promise<{ readonly costs_karma: boolean }> {
    const reason = await this.ctx.model(ForumPostReason).first([['id', '=', id]], { select: { costs_karma: true } });
    if (!reason)
      throw new InvalidInput('That reason no longer exists. Choose another one.', { code: 'forum.no_reason' });
    return reason;
  }

  #closedFor(reason: Id): PostValues {
    return { closed_reason_id: reason, closed_uid: this.ctx.user.id, closed_date: new Date(this.ctx.now()) };
  }

  // Votes and favourites

  async computeVoteCount(ids: Ids): Promise<Map<Id, number>> {
    const groups = await this.ctx.model(ForumPostVote).group(
      [
        ['post_id', 'in', ids],
        ['vote', '!=', '0'],
      ],
      { by: ['post_id', 'vote'] },
    );
    const sums = new Map<Id, number>(ids.map((id) => [id, 0]));
    for (const { post_id, vote: way, count } of groups) {
      const id = Number(post_id);
      sums.set(id, (sums.get(id) ?? 0) + Number(way) * count);
    }
    return sums;
  }

  async computeFavouriteCount(ids: Ids): Promise<Map<Id, number>> {
    const rows = await this.read(ids, { select: { favourite_ids: true } });
    return new Map(rows.map(({ id, favourite_ids }) => [id, favourite_ids.length]));
  }

  async computeUserVote(ids: Ids): Promise<Map<Id, number>> {
    const { id: user } = this.ctx.user;
    const votes =
      user === null
        ? []
        : await this.ctx
            .sudo()
            .model(ForumPostVote)
            .find(
              [
                ['post_id', 'in', ids],
                ['user_id', '=', user],
              ],
              { select: { post_id: true, vote: true } },
            );
    const ownVotes = new Map(votes.map(({ post_id, vote: way }) => [post_id, Number(way)]));
    return new Map(ids.map((id) => [id, ownVotes.get(id) ?? 0]));
  }

  async computeUserFavourite(ids: Ids): Promise<Map<Id, boolean>> {
    return this.#postsWith(ids, [['favourite_ids', '=', this.ctx.user.id ?? 0]]);
  }

  /**
   * Registers the caller's click on a vote arrow. Withdrawing a vote needs no karma. For several posts, returns the result of the last, as
   * in Odoo.
   *
   * @throws NotAllowed for too little karma, NotFound if a post doesn't exist or isn't visible
   */
  async vote(ids: Ids, upvote = true): Promise<VoteReply> {
    let answer: VoteReply | null = null;
    for (const id of ids) answer = await this.#vote(id, upvote);
    if (!answer) throw noSuchPost();
    return answer;
  }

  async #vote(id: Id, up: boolean): Promise<VoteReply> {
    const { id: user } = this.ctx.user;
    await this.#requireVisible(id);
    if (user === null) return { error: 'anonymous_user' };
    // Vote counts and ledger lines can only be written here.
    const system = this.ctx.sudo();
    await system.lock(ForumPost, [id]);
    const post = await this.#system.get(id, { select: { create_uid: true, forum_id: true, parent_id: true } });
    if (post.create_uid === user) return { error: 'own_post' };
    const votes = system.model(ForumPostVote);
    const ownVote = await votes.first(
      [
        ['post_id', '=', id],
        ['user_id', '=', user],
      ],
      { select: { vote: true } },
    );
    const before = Number(ownVote?.vote ?? 0) as VoteValue;
    const after = clicked(before, up);
    const viewer = await this.ctx.get(Permissions).in(post.forum_id);
    if (after === 1) viewer.assertHas('karma_upvote');
    if (after === -1) viewer.assertHas('karma_downvote');
    const storedVote = String(after) as '1' | '0' | '-1';
    if (ownVote) await votes.write(ownVote.id, { vote: storedVote });
    else {
      await votes.create({
        post_id: id,
        user_id: user,
        vote: storedVote,
        forum_id: post.forum_id,
        recipient_id: post.create_uid,
      });
    }
    const amount = voteKarma(viewer.table, post.parent_id !== null, before, after);
    await this.#moveKarma({ post_id: id, forum_id: post.forum_id }, 'vote', post.create_uid, amount);
    const { vote_count, relevancy, create_date } = await this.#system.get(id, {
      select: { vote_count: true, relevancy: true, create_date: true },
    });
    const weights = (await this.ctx.get(Permissions).tables()).get(post.forum_id);
    if (post.parent_id === null && weights) {
      const next = relevancyOf(vote_count, create_date, this.ctx.now(), weights);
      if (hasMoved(relevancy, next)) await this.#system.write(id, { relevancy: next });
    }
    return { vote_count, user_vote: after };
  }

  /** Adds a question to the caller's favourites or removes it; returns the new state. Only requires being signed in. */
  async toggleFavourite(ids: Ids): Promise<boolean> {
    const user = requireUser(this.ctx);
    const [id] = await this.allowed([ensureOne(ids)], 'read');
    if (id === undefined) throw noSuchPost();
    await this.ctx.lock(ForumPost, [id]);
    const isFavourite = (await this.computeUserFavourite([id])).get(id) ?? false;
    // Favourites are personal, so they need no write access to the post.
    await this.#system.write(id, { favourite_ids: [isFavourite ? { unlink: user } : { link: user }] });
    return !isFavourite;
  }

  // Answering and commenting

  /** Finds an identical post the caller made moments ago in the same place, to ignore double submissions. */
  async justSent({ forum_id, parent_id = null, name = null, content }: SubmittedPost): Promise<Id | null> {
    const user = requireUser(this.ctx);
    await this.#lockAuthor();
    const [id] = await this.#system.search(
      [
        ['create_uid', '=', user],
        ['create_date', '>', this.#duplicatesSince()],
        ['forum_id', '=', forum_id],
        ['parent_id', '=', parent_id],
        ['name', '=', name],
        ['content', '=', sanitizeHtml(content, 'comment')],
      ],
      { limit: 1 },
    );
    return id ?? null;
  }

  /** Serialises concurrent submissions of one person. */
  async #lockAuthor(): Promise<void> {
    if (this.ctx.user.partnerId !== null) await this.ctx.lock(Partner, [this.ctx.user.partnerId]);
  }

  #duplicatesSince(): Date {
    return new Date(this.ctx.now().getTime() - SENT_AGAIN);
  }

  /** Visible answers by question. */
  async computeAnswers(ids: Ids): Promise<Map<Id, AnswerFigures>> {
    const [answers, questions] = await Promise.all([
      this.find(
        [
          ['parent_id', 'in', ids],
          ['website_visible', '=', true],
        ],
        {
          select: { parent_id: true, is_correct: true, create_uid: true },
        },
      ),
      this.read(ids, { select: { create_uid: true } }),
    ]);
    const byQuestion = Map.groupBy(answers, ({ parent_id }) => parent_id);
    return new Map(
      questions.map(({ id, create_uid }) => {
        const answersHere = byQuestion.get(id) ?? [];
        return [
          id,
          {
            child_count: answersHere.length,
            has_validated_answer: answersHere.some(({ is_correct }) => is_correct),
            self_reply: create_uid !== null && answersHere.some((answer) => answer.create_uid === create_uid),
          },
        ];
      }),
    );
  }

  async computeHasAnswered(ids: Ids): Promise<Map<Id, boolean>> {
    return this.#postsWith(ids, [['child_ids.create_uid', '=', this.ctx.user.id ?? 0]]);
  }

  /** Whether the user has already answered the question. */
  async #hasAnswered(question: Id, user: Id): Promise<boolean> {
    const domain = [['parent_id', '=', question], ['create_uid', '=', user], anyActive] as const;
    return (await this.#system.count(domain)) > 0;
  }

  /**
   * Marks an answer as accepted or withdraws the mark; a question has at most one accepted answer. Returns the new state.
   *
   * @throws NotAllowed for too little karma, InvalidInput for a question
   */
  async toggleCorrect(ids: Ids): Promise<boolean | { readonly error: 'anonymous_user' }> {
    const id = ensureOne(ids);
    await this.#requireVisible(id);
    if (this.ctx.user.id === null) return { error: 'anonymous_user' };
    // Accepting is up to the question's author and moderators, who may not have write access to the answer.
    const { parent_id: question, forum_id } = await this.#system.get(id, {
      select: { forum_id: true, parent_id: { create_uid: true } },
    });
    if (!question) throw new InvalidInput('Only answers can be accepted.', { code: 'forum.not_an_answer' });
    await this.ctx.lock(ForumPost, [question.id]);
    const viewer = await this.ctx.get(Permissions).in(forum_id);
    viewer.assertMay('karma_answer_accept_own', 'karma_answer_accept_all', question.create_uid);
    const marked = await this.#system.search([
      ['parent_id', '=', question.id],
      ['is_correct', '=', true],
    ]);
    for (const acceptedId of marked) await this.#takeBackAcceptance(acceptedId, forum_id);
    if (marked.includes(id)) return false;
    await this.#accept(id, viewer);
    return true;
  }

  async #accept(id: Id, { table, forum }: Viewer): Promise<void> {
    await this.#system.write(id, { is_correct: true });
    const { create_uid: author } = await this.#system.get(id, { select: { create_uid: true } });
    // Authors earn nothing for accepting their own answers.
    if (author === this.ctx.user.id) return;
    const reference = { forum_id: forum, post_id: id };
    await this.#ledger.move([
      { ...reference, user_id: author, amount: table.karma_gen_answer_accepted, reason: 'accepted' },
      { ...reference, user_id: this.ctx.user.id, amount: table.karma_gen_answer_accept, reason: 'accept' },
    ]);
    await this.ctx.get(Notifications).notify('accepted', id, author);
  }

  /** Withdraws the acceptance of an answer and the karma it brought. */
  async #takeBackAcceptance(id: Id, forum: Id): Promise<void> {
    await this.#system.write(id, { is_correct: false });
    await this.#ledger.takeBack(id, forum, ['accepted', 'accept']);
  }

  /**
   * Adds a comment to a post, and returns its ID.
   *
   * @throws NotAllowed for too little karma, InvalidInput for empty text
   */
  async comment(ids: Ids, body: string): Promise<Id> {
    const id = ensureOne(ids);
    const user = requireUser(this.ctx);
    const post = await this.#commentable(id);
    if (!post) throw noSuchPost();
    const viewer = await this.ctx.get(Permissions).in(post.forum_id);
    viewer.assertMay('karma_comment_own', 'karma_comment_all', post.create_uid);
    const html = sanitizeHtml(htmlFromTyped(body, viewer.has('karma_editor')), 'comment');
    if (isBlank(html)) {
      const message = 'Write something.';
      throw new InvalidInput(message, { code: 'forum.no_content', fields: { comment: message } });
    }
    viewer.requireEditor(html, null);
    requireShown(post);
    const author = this.ctx.user.partnerId;
    await this.#lockAuthor();
    const [duplicateId] = await this.ctx
      .sudo() // The caller's own comments.
      .model(Message)
      .search([
        ['author_id', '=', author],
        ['model', '=', 'forum.post'],
        ['res_id', '=', id],
        ['type', '=', 'comment'],
        ['date', '>', this.#duplicatesSince()],
        ['body', '=', html],
      ]);
    if (duplicateId !== undefined) return duplicateId;
    await this.ctx.get(HourlyLimits).require(HOURLY.comments, (system, since) =>
      system.model(Message).count([
        ['author_id', '=', author],
        ['model', '=', 'forum.post'],
        ['type', '=', 'comment'],
        ['date', '>', since],
      ]),
    );
    const [commentId] = await this.messagePost([id], { body: html, type: 'comment' });
    if (commentId === undefined) throw noSuchPost();
    await this.ctx.get(Notifications).notify('comment', id, post.create_uid);
    await this.#follow(id, user);
    return commentId;
  }

  /** Deletes a comment; false if it doesn't belong to this post. */
  async deleteComment(ids: Ids, message: Id): Promise<boolean> {
    const id = ensureOne(ids);
    requireUser(this.ctx);
    const post = await this.#commentable(id);
    const comment = post && (await this.#commentOf(id, message));
    if (!comment) return false;
    const viewer = await this.ctx.get(Permissions).in(post.forum_id);
    viewer.assertMay('karma_comment_unlink_own', 'karma_comment_unlink_all', comment.user);
    await this.ctx.sudo().model(Message).unlink(message);
    return true;
  }

  /**
   * Converts an answer into a comment on its question, and moves the answer's comments along. Returns the comment's ID, or false for a
   * question.
   */
  async convertToComment(ids: Ids): Promise<Id | false> {
    const id = ensureOne(ids);
    requireUser(this.ctx);
    const post = await this.#commentable(id);
    if (!post || post.parent_id === null) return false;
    const viewer = await this.ctx.get(Permissions).in(post.forum_id);
    viewer.assertMay('karma_comment_convert_own', 'karma_comment_convert_all', post.create_uid);
    // Otherwise, a flagged answer would become visible as a comment before it is reviewed.
    requireShown(post);
    const system = this.ctx.sudo();
    await system.lock(ForumPost, [post.parent_id]);
    const [author] = await system
      .model(User)
      .read(post.create_uid === null ? [] : [post.create_uid], { select: { partner_id: true } });
    const messages = system.model(Message);
    const comments = await messages.search([
      ['model', '=', 'forum.post'],
      ['res_id', '=', id],
      ['type', 'in', ['comment', 'email']],
    ]);
    // Followers already got an email about the answer, so the row is created without sending another.
    const commentId = await messages.create({
      model: 'forum.post',
      res_id: post.parent_id,
      author_id: author?.partner_id ?? null,
      body: post.content,
      type: 'comment',
      date: post.create_date,
    });
    await messages.write(comments, { res_id: post.parent_id });
    await this.#takeBackAcceptance(id, post.forum_id);
    await this.#system.unlink(id);
    return commentId;
  }

  /**
   * Converts a comment on a question into an answer in its author's name; false if the author isn't a user or has already answered.
   *
   * @throws NotAllowed if the caller or the author has too little karma
   */
  async convertCommentToAnswer(ids: Ids, message: Id): Promise<Id | false> {
    const id = ensureOne(ids);
    requireUser(this.ctx);
    const post = await this.#commentable(id);
    const comment = post && (await this.#commentOf(id, message));
    if (!comment) return false;
    const viewer = await this.ctx.get(Permissions).in(post.forum_id);
    viewer.assertMay('karma_comment_convert_own', 'karma_comment_convert_all', comment.user);
    const question = post.parent_id ?? post.id;
    const system = this.ctx.sudo();
    await system.lock(ForumPost, [question]);
    if (comment.user === null || (await this.#hasAnswered(question, comment.user))) return false;
    // The answer belongs to the comment's author, who needs the karma for it.
    if ((await system.model(ForumUser).karmaOf(comment.user)) < viewer.table.karma_answer)
      throw karmaNeeded(viewer.table.karma_answer);
    const answerId = await this.#system.create({
      forum_id: post.forum_id,
      parent_id: question,
      content: comment.body,
      create_uid: comment.user,
      create_date: comment.date,
    } as never);
    await system.model(Message).unlink(message);
    return answerId;
  }

  /** Returns a post for commenting; null if the caller can't see it. */
  async #commentable(id: Id) {
    const [visible] = await this.allowed([id], 'read');
    if (visible === undefined) return null;
    // The caller can see the post, so its comments are accessible.
    return this.#system.get(id, {
      select: {
        forum_id: true,
        parent_id: true,
        create_uid: true,
        create_date: true,
        state: true,
        active: true,
        content: true,
      },
    });
  }

  /** Returns a comment of this post with its author's user, or null. */
  async #commentOf(post: Id, message: Id) {
    // Messages have separate access rules; this one belongs to a post the caller can see.
    const system = this.ctx.sudo();
    const row = await system.model(Message).first(
      [
        ['id', '=', message],
        ['model', '=', 'forum.post'],
        ['res_id', '=', post],
        ['type', 'in', ['comment', 'email']],
      ],
      { select: { author_id: true, body: true, date: true } },
    );
    if (!row) return null;
    const [user] =
      row.author_id === null ? [] : await system.model(User).search([['partner_id', '=', row.author_id]], { limit: 1 });
    return { ...row, user: user ?? null };
  }

  // Bumps and views

  /** Bumps questions that have been unanswered for long; returns whether any was due. */
  async bump(ids: Ids): Promise<boolean> {
    requireUser(this.ctx);
    const before = new Date(this.ctx.now().getTime() - BUMP_DAYS * DAY);
    const due = await this.search([
      ['id', 'in', ids],
      ['parent_id', '=', null],
      ['state', '=', 'active'],
      ['child_count', '=', 0],
      ['forum_id.allow_bump', '=', true],
      ['create_date', '<', before],
      '|',
      ['bump_date', '=', null],
      ['bump_date', '<', before],
    ]);
    const now = new Date(this.ctx.now());
    // Bumping changes nothing else about the question.
    if (due.length > 0) await this.#system.write(due, { bump_date: now, last_activity_date: now });
    return due.length > 0;
  }

  /** Recalculates the relevance of recent questions in these forums, batch by batch. For the system. */
  async refreshRelevancy(forums: Ids): Promise<void> {
    const tables = await this.ctx.get(Permissions).tables();
    for (const forum of forums) {
      const weights = tables.get(forum);
      for (let after = 0, isLast = !weights; weights && !isLast; ) {
        const rows = await this.find(
          [
            ['forum_id', '=', forum],
            ['parent_id', '=', null],
            ['id', '>', after],
            ['vote_count', 'not in', [0, 1]],
            ['create_date', '>', new Date(this.ctx.now().getTime() - MOVING_DAYS * DAY)],
          ],
          { select: { vote_count: true, create_date: true, relevancy: true }, order: 'id', limit: REFRESHED },
        );
        for (const { id, vote_count, create_date, relevancy } of rows) {
          const next = relevancyOf(vote_count, create_date, this.ctx.now(), weights);
          if (hasMoved(relevancy, next)) await this.write(id, { relevancy: next });
        }
        after = rows.at(-1)?.id ?? 0;
        isLast = rows.length < REFRESHED;
      }
    }
  }

  /** Records a view of a question; it is counted later, so the visitor never waits for a lock. */
  async trackView(ids: Ids): Promise<void> {
    const visible = await this.search([
      ['id', 'in', ids],
      ['parent_id', '=', null],
      ['create_uid', '!=', this.ctx.user.id ?? 0],
    ]);
    // Visitors can't write anything else.
    await this.ctx
      .sudo()
      .model(ForumPostView)
      .create(visible.map((post_id) => ({ post_id })));
  }

  /** The posts without access restrictions: the karma rules have already authorised these writes. */
  get #system(): ForumPost {
    return this.ctx.sudo().model(ForumPost);
  }

  get #ledger(): ForumKarma {
    return this.ctx.sudo().model(ForumKarma);
  }

  #moveKarma(
    reference: { post_id: Id; forum_id: Id },
    reason: KarmaReason,
    user: Id | null,
    amount: number,
  ): Promise<void> {
    return this.#ledger.move([{ ...reference, user_id: user, amount, reason }]);
  }

  /** @throws NotFound if the caller can't see the post */
  async #requireVisible(id: Id): Promise<void> {
    const [visible] = await this.allowed([id], 'read');
    if (visible === undefined) throw new NotFound('We can’t find that post.', { code: 'forum.no_post' });
  }

  /** Which of the posts meet a condition about the caller; none for visitors. */
  async #postsWith(ids: Ids, domain: Domain<FieldsOf<ForumPost>>): Promise<Map<Id, boolean>> {
    // Only concerns the caller, and posts they can read.
    const matchingIds =
      this.ctx.user.id === null ? [] : await this.#system.search([['id', 'in', ids], anyActive, ...domain]);
    const set = new Set(matchingIds);
    return new Map(ids.map((id) => [id, set.has(id)]));
  }
}

const notClosed = { closed_reason_id: null, closed_uid: null, closed_date: null } as const;

/**
 * Returns the ID for methods that work on a single post.
 *
 * @throws InvalidInput unless there is exactly one
 */
function ensureOne(ids: Ids): Id {
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return id;
  throw new InvalidInput('Select one post at a time.', { code: 'forum.one_post' });
}

/** @throws InvalidInput for a post that is deleted or awaits moderation */
function requireShown({ active, state }: { readonly active: boolean; readonly state: string }): void {
  if (!active || !shownStates.includes(state))
    throw new InvalidInput('This discussion is closed.', { code: 'forum.post_closed' });
}

function requireNames(names: readonly string[], allowed: ReadonlySet<string>): void {
  const forbiddenName = names.find((name) => !allowed.has(name));
  if (forbiddenName === undefined) return;
  throw new NotAllowed('“{field}” is updated automatically and can’t be edited.', {
    code: 'forum.kept',
    params: { field: forbiddenName },
  });
}

function noSuchPost(): InvalidInput {
  return new InvalidInput('We can’t find that post.', { code: 'forum.no_post' });
}

/** Error for a missing field. */
function missing(field: 'name' | 'content', message: string): InvalidInput {
  return new InvalidInput(message, { code: `forum.no_${field}`, fields: { [field]: message } });
}

function tooManyTags(): InvalidInput {
  const message = 'Use up to 5 tags.';
  return new InvalidInput(message, {
    code: 'forum.too_many_tags',
    fields: { question_tags: message, tag_ids: message },
  });
}

declare module 'pergola' {
  interface Models {
    'forum.post': ForumPost;
  }
}
