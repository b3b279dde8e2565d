import { defineAddon } from '#core';
import { awardBadges } from './badges/award.ts';
import { methods } from './contents.ts';
import { Forum } from './models/forum.ts';
import { ForumKarma } from './models/forum-karma.ts';
import { ForumNotification } from './models/forum-notification.ts';
import { ForumPost } from './models/forum-post.ts';
import { ForumPostReason } from './models/forum-post-reason.ts';
import { ForumPostView } from './models/forum-post-view.ts';
import { ForumPostVote } from './models/forum-post-vote.ts';
import { ForumTag } from './models/forum-tag.ts';
import { GamificationBadge } from './models/gamification-badge.ts';
import { GamificationBadgeUser } from './models/gamification-badge-user.ts';
import { ForumUser } from './models/res-users.ts';
import { groups, lists, rules } from './security.ts';

export default defineAddon({
  name: 'forum',
  title: 'Forum',
  summary: 'Questions and answers with votes, karma and badges',
  version: '1.0.0',
  category: 'Website',
  icon: 'chat-square-text',
  depends: ['website'],
  models: [
    ForumUser,
    Forum,
    ForumPost,
    ForumPostVote,
    ForumPostReason,
    ForumPostView,
    ForumTag,
    ForumKarma,
    ForumNotification,
    GamificationBadge,
    GamificationBadgeUser,
  ],
  jobs: [awardBadges],
  groups,
  access: lists,
  rules,
  public: { methods },
});
