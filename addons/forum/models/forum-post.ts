import { Followers } from '#addons/mail';
import { Seo } from '#addons/website';
import { type Domain, type FieldsOf, f, type Id, type Ids, InvalidInput, model, NotAllowed, type Values } from '#core';
import { BUMP_DAYS, TAG, TITLE_SIZE } from '../constants.ts';
import { questionPath } from '../paths.ts';
import { takeBackAcceptance, toggleCorrect } from '../posts/accepting.ts';
import { comment, convertCommentToAnswer, convertToComment, deleteComment } from '../posts/comments.ts';
import { isBlank, missing } from '../posts/content.ts';
import { afterMaking, checkChange, newPost } from '../posts/making.ts';
import { type RelevancyWeights, relevancyOf } from '../posts/relevancy.ts';
import { type PostRights, rightFields, rightsOf } from '../posts/rights.ts';
import { approve, close, type FlagReply, flag, markAsOffensive, refuse, reopen } from '../posts/states.ts';
import { requireFor, requireUser, viewerOf } from '../posts/viewer.ts';
import { type VoteReply, vote } from '../posts/voting.ts';
import { Forum } from './forum.ts';
import { ForumPostView } from './forum-post-view.ts';
import { ForumPostVote } from './forum-post-vote.ts';

type PostValues = Values<FieldsOf<ForumPost>>;
const DAY = 86_400_000;
/** Older questions hardly move any more among the relevant ones. */
const MOVING_DAYS = 120;
const REFRESHED = 500;
/** Seen by everybody, as long as nothing else is against it. */
const shown: readonly string[] = ['active', 'close'];

/** A question, or an answer to one (`parent_id`). Comments are messages on it. */
export class ForumPost extends model(
  'forum.post',
  {
    name: f.char({ size: TITLE_SIZE, label: 'Title' }),
    forum_id: f.many2one('forum.forum', { required: true, ondelete: 'restrict' }),
    content: f.html({ sanitize: 'comment', size: 100_000, label: 'Text' }),
    tag_ids: f.many2many('forum.tag', {
      label: 'Tags',
      relation: { table: 'forum_tag_rel', from: 'forum_post_id', to: 'forum_tag_id' },
    }),
    state: f.selection(
      {
        active: 'Open',
        pending: 'Waiting for a moderator',
        close: 'Closed',
        offensive: 'Offensive',
        flagged: 'Flagged',
      },
      { default: 'active', readonly: true, required: true },
    ),
    active: f.boolean({ default: true, label: 'Not deleted' }),
    views: f.integer({ default: 0, required: true, readonly: true }),
    is_correct: f.boolean({ readonly: true, label: 'Accepted answer' }),
    parent_id: f.many2one('forum.post', { ondelete: 'cascade', label: 'Question' }),
    child_ids: f.one2many('forum.post', 'parent_id', { label: 'Answers' }),
    child_count: f.integer({
      compute: 'computeAnswers',
      depends: ['child_ids.website_visible', 'child_ids.is_correct', 'child_ids.create_uid'],
      store: true,
      label: 'Number of answers',
    }),
    has_validated_answer: f.boolean({
      compute: 'computeAnswers',
      depends: ['child_ids.website_visible', 'child_ids.is_correct', 'child_ids.create_uid'],
      store: true,
      label: 'Has an accepted answer',
    }),
    self_reply: f.boolean({
      compute: 'computeAnswers',
      depends: ['child_ids.website_visible', 'child_ids.is_correct', 'child_ids.create_uid'],
      store: true,
      label: 'Answered by its author',
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
      label: 'Favourite of',
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
    uid_has_answered: f.boolean({ compute: 'computeHasAnswered', label: 'I have answered' }),
    relevancy: f.float({ default: 0, required: true, readonly: true, label: 'Relevance' }),
    last_activity_date: f.datetime({ readonly: true, label: 'Last activity' }),
    bump_date: f.datetime({ readonly: true, label: 'Brought up' }),
    edited_date: f.datetime({ readonly: true, label: 'Edited' }),
    edited_uid: f.many2one('res.users', { ondelete: 'set null', readonly: true, label: 'Edited by' }),
    closed_reason_id: f.many2one('forum.post.reason', { ondelete: 'restrict', readonly: true, label: 'Reason' }),
    closed_uid: f.many2one('res.users', { ondelete: 'set null', readonly: true, label: 'Closed by' }),
    closed_date: f.datetime({ readonly: true, label: 'Closed' }),
    flag_user_id: f.many2one('res.users', { ondelete: 'set null', readonly: true, label: 'Flagged by' }),
    moderator_id: f.many2one('res.users', { ondelete: 'set null', readonly: true, label: 'Moderated by' }),
    author_hidden: f.boolean({ readonly: true, label: 'Its author has no karma' }),
    website_visible: f.boolean({
      compute: 'computeVisible',
      depends: ['active', 'state', 'author_hidden', 'parent_id.active', 'parent_id.state', 'parent_id.author_hidden'],
      store: true,
      label: 'Shown to everybody',
    }),
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
      ['forum_id', 'state'],
      ['parent_id', 'create_uid'],
      ['create_uid', 'create_date'],
    ],
  },
) {
  override async beforeCreate(values: readonly PostValues[]): Promise<readonly PostValues[]> {
    const now = new Date(this.ctx.now());
    const made: PostValues[] = [];
    // One after the other: each is counted before the next.
    for (const value of values) made.push(this.ctx.su ? value : await newPost(this.ctx, value));
    return super.beforeCreate(made.map((value) => ({ last_activity_date: now, ...value })));
  }

  override async afterCreate(ids: Ids, values: readonly PostValues[]): Promise<void> {
    await super.afterCreate(ids, values);
    // Shipped posts, and those made of others, are no news.
    if (!this.ctx.su) await afterMaking(this.ctx, ids);
  }

  override async beforeWrite(ids: Ids, values: PostValues): Promise<PostValues> {
    if (this.ctx.su) return super.beforeWrite(ids, values);
    await checkChange(this.ctx, ids, values);
    if (!('name' in values || 'content' in values || 'tag_ids' in values)) return super.beforeWrite(ids, values);
    const now = new Date(this.ctx.now());
    return super.beforeWrite(ids, {
      ...values,
      edited_date: now,
      edited_uid: this.ctx.user.id,
      last_activity_date: now,
    });
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (!['name', 'content', 'tag_ids', 'parent_id', 'forum_id'].some((name) => changed.has(name))) return;
    // What a post holds is looked at whole, whoever wrote a part of it.
    const rows = await this.ctx
      .sudo()
      .model(ForumPost)
      .read(ids, {
        select: {
          name: true,
          content: true,
          forum_id: true,
          parent_id: { forum_id: true },
          tag_ids: { forum_id: true },
        },
      });
    for (const { name, content, forum_id, parent_id: question, tag_ids } of rows) {
      if (!question && !name?.trim()) throw missing('name', 'A question needs a title.');
      if (isBlank(content)) throw missing('content', 'Write something.');
      if (tag_ids.length > TAG.most) throw tooManyTags();
      if (question ? question.forum_id !== forum_id : tag_ids.some((tag) => tag.forum_id !== forum_id)) {
        throw new InvalidInput('This belongs to another forum.', { code: 'forum.other_forum' });
      }
    }
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    await super.beforeUnlink(ids);
    const rows = await this.ctx
      .sudo()
      .model(ForumPost)
      .read(ids, { select: { forum_id: true, parent_id: true, create_uid: true, is_correct: true } });
    for (const { id, forum_id, parent_id, create_uid, is_correct } of rows) {
      if (!this.ctx.su) {
        requireUser(this.ctx);
        const viewer = await viewerOf(this.ctx, forum_id);
        requireFor(viewer, 'karma_unlink_own', 'karma_unlink_all', create_uid);
        if (parent_id === null && !viewer.manages) {
          throw new NotAllowed('Questions are put away with their answers, and not deleted for good.', {
            code: 'forum.put_away',
          });
        }
      }
      if (is_correct) await takeBackAcceptance(this.ctx, id, forum_id);
    }
  }

  override async displayNames(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true, parent_id: true } });
    const questions = rows.flatMap(({ parent_id }) => parent_id ?? []);
    // An answer is called after its question; whoever sees the one sees the other.
    const named = await this.ctx
      .sudo()
      .model(ForumPost)
      .read(questions, { select: { name: true } });
    const titles = new Map(named.map(({ id, name }) => [id, name ?? '']));
    return new Map(
      rows.map(({ id, name, parent_id }) => [
        id,
        name || (parent_id === null ? String(id) : `${titles.get(parent_id) ?? ''} (${id})`),
      ]),
    );
  }

  /** Where each post is read: a question at its own address, an answer within its question. */
  async postUrls(ids: Ids): Promise<Map<Id, string>> {
    // The names of a post's forum and question are in its address already.
    const rows = await this.ctx
      .sudo()
      .model(ForumPost)
      .read(ids, { select: { name: true, forum_id: { name: true }, parent_id: { name: true } } });
    return new Map(
      rows.flatMap((row) => {
        if (!row.forum_id) return [];
        const path = row.parent_id
          ? `${questionPath(row.forum_id, row.parent_id)}#answer-${row.id}`
          : questionPath(row.forum_id, row);
        return [[row.id, path] as const];
      }),
    );
  }

  /** Answers that everybody sees, by question. */
  async computeAnswers(ids: Ids) {
    const [answers, own] = await Promise.all([
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
      own.map(({ id, create_uid }) => {
        const found = byQuestion.get(id) ?? [];
        return [
          id,
          {
            child_count: found.length,
            has_validated_answer: found.some(({ is_correct }) => is_correct),
            self_reply: create_uid !== null && found.some((answer) => answer.create_uid === create_uid),
          },
        ];
      }),
    );
  }

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
      const id = idOf(post_id);
      sums.set(id, (sums.get(id) ?? 0) + Number(way) * count);
    }
    return sums;
  }

  async computeFavouriteCount(ids: Ids): Promise<Map<Id, number>> {
    const rows = await this.read(ids, { select: { favourite_ids: true } });
    return new Map(rows.map(({ id, favourite_ids }) => [id, favourite_ids.length]));
  }

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
      post.active && shown.includes(post.state) && !post.author_hidden;
    return new Map(rows.map((row) => [row.id, open(row) && (row.parent_id === null || open(row.parent_id))]));
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
    const own = new Map(votes.map(({ post_id, vote: way }) => [post_id, Number(way)]));
    return new Map(ids.map((id) => [id, own.get(id) ?? 0]));
  }

  async computeUserFavourite(ids: Ids): Promise<Map<Id, boolean>> {
    return this.#among(ids, [['favourite_ids', '=', this.ctx.user.id ?? 0]]);
  }

  async computeHasAnswered(ids: Ids): Promise<Map<Id, boolean>> {
    return this.#among(ids, [['child_ids.create_uid', '=', this.ctx.user.id ?? 0]]);
  }

  async #among(ids: Ids, domain: Domain<FieldsOf<ForumPost>>): Promise<Map<Id, boolean>> {
    // About the caller alone, and about posts they are reading.
    const found =
      this.ctx.user.id === null
        ? []
        : await this.ctx
            .sudo()
            .model(ForumPost)
            .search([['id', 'in', ids], ['active', 'in', [true, false]], ...domain]);
    const set = new Set(found);
    return new Map(ids.map((id) => [id, set.has(id)]));
  }

  /** What the caller may do with each post, and the karma it takes. */
  async computeRights(ids: Ids): Promise<Map<Id, PostRights>> {
    return rightsOf(this.ctx, ids);
  }

  /** The caller's click on an arrow; see {@link vote}. Of several posts the last one's answer is given, as in Odoo. */
  async vote(ids: Ids, upvote = true): Promise<VoteReply> {
    let answer: VoteReply | null = null;
    for (const id of ids) answer = await vote(this.ctx, id, upvote);
    if (!answer) throw new InvalidInput('There is no such post.', { code: 'forum.no_post' });
    return answer;
  }

  async toggleCorrect(ids: Ids): Promise<boolean | { readonly error: 'anonymous_user' }> {
    return toggleCorrect(this.ctx, only(ids));
  }

  /** Keeps a question among the caller's favourites, or not; answers the new state. It takes nothing but being signed in. */
  async toggleFavourite(ids: Ids): Promise<boolean> {
    const user = requireUser(this.ctx);
    const [id] = await this.allowed([only(ids)], 'read');
    if (id === undefined) throw new InvalidInput('There is no such post.', { code: 'forum.no_post' });
    await this.ctx.lock(ForumPost, [id]);
    const is = (await this.computeUserFavourite([id])).get(id) ?? false;
    // A favourite is the caller's own matter, which takes no right on the post.
    const posts = this.ctx.sudo().model(ForumPost);
    await posts.write(id, { favourite_ids: [is ? { unlink: user } : { link: user }] });
    return !is;
  }

  async close(ids: Ids, reason: Id): Promise<boolean> {
    return close(this.ctx, ids, reason);
  }
  async reopen(ids: Ids): Promise<boolean> {
    return reopen(this.ctx, ids);
  }
  async flag(ids: Ids): Promise<FlagReply> {
    return flag(this.ctx, only(ids));
  }
  async approve(ids: Ids): Promise<boolean> {
    return approve(this.ctx, ids);
  }
  async refuse(ids: Ids): Promise<boolean> {
    return refuse(this.ctx, ids);
  }
  async markAsOffensive(ids: Ids, reason: Id): Promise<boolean> {
    return markAsOffensive(this.ctx, ids, reason);
  }
  async comment(ids: Ids, body: string): Promise<Id> {
    return comment(this.ctx, only(ids), body);
  }
  async deleteComment(ids: Ids, message: Id): Promise<boolean> {
    return deleteComment(this.ctx, only(ids), message);
  }
  async convertToComment(ids: Ids): Promise<Id | false> {
    return convertToComment(this.ctx, only(ids));
  }
  async convertCommentToAnswer(ids: Ids, message: Id): Promise<Id | false> {
    return convertCommentToAnswer(this.ctx, only(ids), message);
  }

  /** Brings questions up again that nobody has answered for long; answers whether it was time. */
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
    // Who brings a question up changes nothing else of it.
    if (due.length > 0) await this.ctx.sudo().model(ForumPost).write(due, { bump_date: now, last_activity_date: now });
    return due.length > 0;
  }

  /** Works out how relevant questions are: those of these forums that still move, a page at a time, or just the named ones. For the system. */
  async refreshRelevancy(forums: Ids, named?: Ids): Promise<void> {
    const tables = await this.ctx
      .model(Forum)
      .read(forums, { select: { relevancy_post_vote: true, relevancy_time_decay: true } });
    for (const table of tables) {
      let after = 0;
      do {
        after = await this.#refreshPage(table, named ?? null, after);
      } while (after > 0);
    }
  }

  /** Works out a page of questions behind an id; answers the last of them, 0 at the end. */
  async #refreshPage(table: RelevancyWeights & { readonly id: Id }, named: Ids | null, after: Id): Promise<Id> {
    const rows = await this.find(
      [
        ['forum_id', '=', table.id],
        ['parent_id', '=', null],
        ['id', '>', after],
        ...(named === null
          ? ([
              ['vote_count', 'not in', [0, 1]],
              ['create_date', '>', new Date(this.ctx.now().getTime() - MOVING_DAYS * DAY)],
            ] as const)
          : ([['id', 'in', named]] as const)),
      ],
      { select: { vote_count: true, create_date: true, relevancy: true }, order: 'id', limit: REFRESHED },
    );
    for (const { id, vote_count, create_date, relevancy } of rows) {
      const next = relevancyOf(vote_count, create_date, this.ctx.now(), table);
      // What hardly moved is not worth a write.
      if (Math.abs(next - relevancy) > Math.abs(relevancy) * 0.01) await this.write(id, { relevancy: next });
    }
    return rows.length < REFRESHED ? 0 : (rows.at(-1)?.id ?? 0);
  }

  /** Takes everything of an author out of sight, or shows it again. For the ledger. */
  async hideAuthor(user: Id, hidden: boolean): Promise<void> {
    const posts = await this.search([
      ['create_uid', '=', user],
      ['author_hidden', '=', !hidden],
      ['active', 'in', [true, false]],
    ]);
    if (posts.length > 0) await this.write(posts, { author_hidden: hidden });
  }

  /** Notes that somebody looked at a question; counted in later, so that nobody waits. */
  async seen(ids: Ids): Promise<void> {
    const visible = await this.search([
      ['id', 'in', ids],
      ['parent_id', '=', null],
      ['create_uid', '!=', this.ctx.user.id ?? 0],
    ]);
    // Visitors write nothing else.
    await this.ctx
      .sudo()
      .model(ForumPostView)
      .create(visible.map((post_id) => ({ post_id })));
  }
}

function only(ids: Ids): Id {
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return id;
  throw new InvalidInput('This is done with one post at a time.', { code: 'forum.one_post' });
}

function idOf(value: unknown): Id {
  if (typeof value === 'number') return value;
  return value instanceof Object && 'id' in value ? Number(value.id) : Number(Array.isArray(value) ? value[0] : value);
}

function tooManyTags(): InvalidInput {
  const message = 'At most 5 tags.';
  return new InvalidInput(message, {
    code: 'forum.too_many_tags',
    fields: { question_tags: message, tag_ids: message },
  });
}

declare module '#core' {
  interface Models {
    'forum.post': ForumPost;
  }
}
