import { Followers } from '#addons/mail';
import { Seo } from '#addons/website';
import { type FieldsOf, f, type Id, type Ids, InvalidInput, model, NotAllowed, type Values } from '#core';
import { TAG, TITLE_SIZE } from '../constants.ts';
import { questionPath } from '../routes/paths.ts';
import { takeBackAcceptance } from '../posts/accepting.ts';
import { isBlank, missing } from '../services/html-text.ts';
import { afterMaking, checkChange, newPost } from '../posts/making.ts';
import { type PostRights, rightFields, rightsOf } from './post-rights.ts';
import { requireFor, requireUser, viewerOf } from '../services/permissions.ts';
import { PostAnswers } from './post-answers.ts';
import { PostAttention } from './post-attention.ts';
import { PostStates } from './post-states.ts';
import { PostVotes } from './post-votes.ts';

type PostValues = Values<FieldsOf<ForumPost>>;

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
    active: f.boolean({ default: true, label: 'Not deleted' }),
    parent_id: f.many2one('forum.post', { ondelete: 'cascade', label: 'Question' }),
    edited_date: f.datetime({ readonly: true, label: 'Edited' }),
    edited_uid: f.many2one('res.users', { ondelete: 'set null', readonly: true, label: 'Edited by' }),
    website_url: f.char({ compute: 'postUrls', label: 'Address on the website' }),
    ...rightFields,
  },
  {
    order: 'is_correct desc, vote_count desc, last_activity_date desc, id',
    label: 'Forum post',
    search: ['name', 'content'],
    mixins: [Followers, Seo, PostStates, PostVotes, PostAnswers, PostAttention],
    indexes: [
      ['forum_id', 'last_activity_date', 'id'],
      ['forum_id', 'vote_count', 'id'],
      ['forum_id', 'relevancy', 'id'],
      ['forum_id', 'create_date', 'id'],
      ['forum_id', 'child_count', 'id'],
      ['forum_id', 'state'],
      ['parent_id', 'create_uid'],
      ['create_uid', 'create_date'],
      ['last_activity_date'],
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

  /** What the caller may do with each post, and the karma it takes. */
  async computeRights(ids: Ids): Promise<Map<Id, PostRights>> {
    return rightsOf(this.ctx, ids);
  }
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
