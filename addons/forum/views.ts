import { menu, view } from '@pergola/web';
import { Forum } from './models/forum.ts';
import { ForumKarma } from './models/forum-karma.ts';
import { ForumPost } from './models/forum-post.ts';
import { ForumPostReason } from './models/forum-post-reason.ts';
import { ForumPostVote } from './models/forum-post-vote.ts';
import { ForumTag } from './models/forum-tag.ts';
import { GamificationBadge } from './models/gamification-badge.ts';
import { GamificationBadgeUser } from './models/gamification-badge-user.ts';
import { type KarmaName, karmaFields } from './models/karma-fields.ts';
import { MANAGERS } from './services/permissions.ts';

const karma = Object.keys(karmaFields) as KarmaName[];

export const views = [
  view.list(Forum, { columns: ['name', 'website_id', 'default_order', 'active'], order: 'sequence, id' }),
  view.form(Forum, {
    title: 'name',
    counts: [
      {
        label: 'Questions',
        icon: 'chat-square-text',
        model: 'forum.post',
        by: 'forum_id',
        domain: [['parent_id', '=', null]],
        menu: 'forum.menu_posts',
      },
    ],
    sections: [
      { items: ['website_url', 'website_id', 'default_order', 'sequence', 'active'] },
      { items: [{ field: 'description', wide: true }] },
    ],
    tabs: [
      { label: 'Karma earned', sections: [{ items: karma.filter((name) => name.startsWith('karma_gen_')) }] },
      { label: 'Karma needed', sections: [{ items: karma.filter((name) => !name.startsWith('karma_gen_')) }] },
      {
        label: 'Texts',
        sections: [
          {
            items: [
              { field: 'welcome_message', wide: true },
              { field: 'faq', wide: true },
            ],
          },
        ],
      },
      {
        label: 'Options',
        sections: [{ items: ['allow_share', 'allow_bump', 'relevancy_post_vote', 'relevancy_time_decay'] }],
      },
      {
        label: 'SEO',
        sections: [{ items: ['website_meta_title', 'website_meta_description', 'website_meta_keywords'] }],
      },
    ],
  }),
  view.list(ForumPost, {
    columns: [
      'display_name',
      'forum_id',
      'create_uid',
      'create_date',
      'vote_count',
      'child_count',
      'state',
      { field: 'views', optional: true },
      { field: 'last_activity_date', optional: true },
    ],
    order: 'create_date desc',
  }),
  view.form(ForumPost, {
    title: 'name',
    status: 'state',
    buttons: [
      {
        method: 'approve',
        label: 'Approve',
        when: [['state', 'in', ['pending', 'flagged', 'offensive']]],
        primary: true,
      },
      { method: 'refuse', label: 'Reject', when: [['state', '=', 'pending']] },
      { method: 'reopen', label: 'Reopen', when: [['state', '=', 'close']] },
    ],
    sections: [
      { items: ['forum_id', 'parent_id', 'create_uid', 'create_date', 'tag_ids', 'lang', 'active'] },
      { items: [{ field: 'content', wide: true }] },
    ],
    tabs: [
      {
        label: 'Answers',
        sections: [
          { items: [{ field: 'child_ids', columns: ['create_uid', 'vote_count', 'is_correct', 'state'], wide: true }] },
        ],
      },
      {
        label: 'Statistics',
        sections: [
          { items: ['vote_count', 'views', 'favourite_count', 'child_count', 'relevancy', 'last_activity_date'] },
        ],
      },
      {
        label: 'Moderation',
        sections: [
          { items: ['flag_user_id', 'moderator_id', 'closed_reason_id', 'closed_uid', 'closed_date', 'author_hidden'] },
        ],
      },
    ],
  }),
  view.search(ForumPost, {
    fields: ['name'],
    filters: [
      { id: 'questions', label: 'Questions', domain: [['parent_id', '=', null]] },
      { id: 'answers', label: 'Answers', domain: [['parent_id', '!=', null]] },
      {
        id: 'unanswered',
        label: 'Unanswered',
        domain: [
          ['parent_id', '=', null],
          ['child_count', '=', 0],
          ['state', '=', 'active'],
        ],
      },
      { id: 'pending', label: 'Awaiting moderation', domain: [['state', '=', 'pending']] },
      { id: 'flagged', label: 'Flagged', domain: [['state', '=', 'flagged']] },
      { id: 'deleted', label: 'Deleted', domain: [['active', '=', false]] },
    ],
    groups: [
      { id: 'forum', label: 'Forum', by: 'forum_id' },
      { id: 'state', label: 'Status', by: 'state' },
    ],
  }),
  view.graph(ForumPost, { chart: 'line', measure: '__count', groupBy: ['create_date:week', 'forum_id'] }),
  view.pivot(ForumPost, {
    rows: ['forum_id', 'create_date:month'],
    columns: ['state'],
    measures: ['__count', 'views'],
  }),
  view.list(ForumTag, { columns: ['name', 'forum_id', 'posts_count'] }),
  view.form(ForumTag, { title: 'name', sections: [{ items: ['name', 'forum_id', 'posts_count', 'website_url'] }] }),
  view.list(ForumPostReason, {
    columns: ['name', 'reason_type', 'costs_karma', 'sequence', 'active'],
    order: 'sequence, id',
    editable: true,
  }),
  view.list(ForumPostVote, { columns: ['post_id', 'user_id', 'vote', 'create_date'], order: 'id desc' }),
  view.list(ForumKarma, { columns: ['create_date', 'user_id', 'amount', 'reason', 'note'], order: 'id desc' }),
  view.form(ForumKarma, { sections: [{ items: ['user_id', 'amount', 'forum_id', 'note'] }] }),
  view.list(GamificationBadge, { columns: ['name', 'description', 'level', 'stat_count'] }),
  view.form(GamificationBadge, {
    title: 'name',
    sections: [{ items: ['description', 'level', 'measure', 'threshold', 'target', 'sequence', 'active'] }],
    tabs: [
      {
        label: 'Awarded to',
        sections: [{ items: [{ field: 'owner_ids', columns: ['user_id', 'comment', 'create_date'], wide: true }] }],
      },
    ],
  }),
  view.list(GamificationBadgeUser, { columns: ['badge_id', 'user_id', 'create_date'], order: 'id desc' }),
];

const managers = [MANAGERS];

export const menus = [
  menu('forum.menu', { label: 'Forum', icon: 'chat-square-text', groups: managers }),
  menu('forum.menu_posts', { label: 'Posts', parent: 'forum.menu', model: ForumPost, groups: managers }),
  menu('forum.menu_tags', {
    label: 'Tags',
    parent: 'forum.menu',
    model: ForumTag,
    after: 'forum.menu_posts',
    groups: managers,
  }),
  menu('forum.menu_configuration', {
    label: 'Configuration',
    parent: 'forum.menu',
    after: 'forum.menu_karma',
    groups: managers,
  }),
  menu('forum.menu_forums', {
    label: 'Forums',
    parent: 'forum.menu_configuration',
    model: Forum,
    groups: managers,
  }),
  menu('forum.menu_badges', {
    label: 'Badges',
    parent: 'forum.menu_configuration',
    model: GamificationBadge,
    after: 'forum.menu_forums',
    groups: managers,
  }),
  menu('forum.menu_karma', {
    label: 'Karma history',
    parent: 'forum.menu',
    model: ForumKarma,
    after: 'forum.menu_tags',
    groups: managers,
  }),
  menu('forum.menu_reasons', {
    label: 'Moderation reasons',
    parent: 'forum.menu_configuration',
    model: ForumPostReason,
    after: 'forum.menu_badges',
    groups: managers,
  }),
];
