import { Followers } from '@pergola/mail';
import { MultiWebsite, Seo } from '@pergola/website';
import { type FieldsOf, f, type Id, type Ids, model, type Values } from 'pergola';
import { recordPath } from '../routes/paths.ts';
import { description, guidelines } from './forum-texts.ts';
import { karmaFields } from './karma-fields.ts';

/** A forum with its questions and karma settings. */
export class Forum extends model(
  'forum.forum',
  {
    name: f.char({ required: true, translate: true, size: 120 }),
    description: f.text({ translate: true, size: 1000, help: 'One or two sentences, shown in the list of forums' }),
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
      { default: 'date', label: 'Default order' },
    ),
    relevancy_post_vote: f.float({ default: 0.8, required: true, label: 'Vote weight', min: 0, max: 10 }),
    relevancy_time_decay: f.float({ default: 1.8, required: true, label: 'Age weight', min: 0, max: 10 }),
    allow_share: f.boolean({ default: true, label: 'Show share buttons' }),
    allow_bump: f.boolean({ default: true, label: 'Allow bumping old questions' }),
    post_ids: f.one2many('forum.post', 'forum_id', { label: 'Posts' }),
    tag_ids: f.one2many('forum.tag', 'forum_id', { label: 'Tags' }),
    website_url: f.char({ compute: 'forumUrls', label: 'Address on the website' }),
    ...karmaFields,
  },
  { order: 'sequence, id', label: 'Forum', mixins: [Followers, Seo, MultiWebsite] },
) {
  /** Path of each forum. */
  async forumUrls(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true } });
    return new Map(rows.map(({ id, name }) => [id, recordPath('/forum', name, id)]));
  }

  override async beforeCreate(values: readonly Values<FieldsOf<Forum>>[]): Promise<readonly Values<FieldsOf<Forum>>[]> {
    return super.beforeCreate(values.map((value) => ({ description, faq: guidelines, ...value })));
  }
}

declare module 'pergola' {
  interface Models {
    'forum.forum': Forum;
  }
}
