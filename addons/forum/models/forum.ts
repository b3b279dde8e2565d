import { Followers } from '#addons/mail';
import { MultiWebsite, Seo } from '#addons/website';
import { type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from '#core';
import { description, guidelines } from './forum-texts.ts';
import { karmaFields } from './karma-fields.ts';
import { recordPath } from '../routes/paths.ts';
import { ForumPost } from './forum-post.ts';
import { ForumTag } from './forum-tag.ts';

/** A place for questions and answers, with its own karma numbers. */
export class Forum extends model(
  'forum.forum',
  {
    name: f.char({ required: true, translate: true, size: 120 }),
    description: f.text({ translate: true, size: 1000, help: 'A sentence or two, shown in the list of forums' }),
    faq: f.html({ translate: true, label: 'Guidelines' }),
    welcome_message: f.html({
      translate: true,
      label: 'Welcome message',
      help: 'Shown to visitors above the questions',
    }),
    sequence: f.integer({ default: 10, required: true }),
    active: f.boolean({ default: true }),
    default_order: f.selection(
      { date: 'Last activity', creation: 'Newest', vote: 'Most votes', relevancy: 'Relevance', answered: 'Answers' },
      { default: 'date', label: 'Order of questions' },
    ),
    relevancy_post_vote: f.float({ default: 0.8, required: true, label: 'Weight of votes', min: 0, max: 10 }),
    relevancy_time_decay: f.float({ default: 1.8, required: true, label: 'Weight of age', min: 0, max: 10 }),
    allow_share: f.boolean({ default: true, label: 'Offer sharing' }),
    allow_bump: f.boolean({ default: true, label: 'Allow bringing up old questions' }),
    post_ids: f.one2many('forum.post', 'forum_id', { label: 'Posts' }),
    tag_ids: f.one2many('forum.tag', 'forum_id', { label: 'Tags' }),
    website_url: f.char({ compute: 'forumUrls', label: 'Address on the website' }),
    ...karmaFields,
  },
  { order: 'sequence, id', label: 'Forum', mixins: [Followers, Seo, MultiWebsite] },
) {
  /** Where each forum is on the site. */
  async forumUrls(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true } });
    return new Map(rows.map(({ id, name }) => [id, recordPath('/forum', name, id)]));
  }

  override async beforeCreate(values: readonly Values<FieldsOf<Forum>>[]): Promise<readonly Values<FieldsOf<Forum>>[]> {
    return super.beforeCreate(values.map((value) => ({ description, faq: guidelines, ...value })));
  }

  override async afterWrite(ids: Ids, values: Parameters<this['write']>[1]): Promise<void> {
    await super.afterWrite(ids, values);
    if (!('relevancy_post_vote' in values || 'relevancy_time_decay' in values)) return;
    // The order of questions follows the numbers at once, whoever may see them.
    await this.ctx.sudo().model(ForumPost).refreshRelevancy(ids);
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    const posts = await this.ctx
      .sudo()
      .model(ForumPost)
      .count([
        ['forum_id', 'in', ids],
        ['active', 'in', [true, false]],
      ]);
    if (posts > 0) {
      throw new InvalidInput('There are {count} posts in this forum. Archive it instead of deleting it.', {
        code: 'forum.not_empty',
        params: { count: posts },
      });
    }
    const tags = this.ctx.sudo().model(ForumTag);
    await tags.unlink(await tags.search([['forum_id', 'in', ids]]));
    await super.beforeUnlink(ids);
  }
}

declare module '#core' {
  interface Models {
    'forum.forum': Forum;
  }
}
