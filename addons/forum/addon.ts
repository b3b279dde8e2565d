import { defineAddon } from '#core';
import { awardBadges } from './jobs/award-badges.ts';
import { methods } from './contents.ts';
import { countViews } from './jobs/count-views.ts';
import { refreshRelevancy } from './jobs/refresh-relevancy.ts';
import { sendDigests } from './jobs/send-digests.ts';
import { digestMail, validateEmail } from './mails.ts';
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
import { ForumUser, forumFaces } from './models/res-users.ts';
import { forumTables, shownKarma } from './posts/memories.ts';
import { actionRoutes } from './routes/actions.ts';
import { feedRoutes } from './routes/feeds.ts';
import { listRoutes } from './routes/lists.ts';
import { moderationRoutes } from './routes/moderation.ts';
import { peopleRoutes } from './routes/people.ts';
import { questionRoutes } from './routes/question.ts';
import { validationRoutes } from './routes/validation.ts';
import { writingRoutes } from './routes/writing.ts';
import { groups, lists, rules } from './security.ts';
import { menus, views } from './views.ts';

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
  routes: [
    listRoutes,
    questionRoutes,
    writingRoutes,
    ...actionRoutes,
    ...moderationRoutes,
    peopleRoutes,
    validationRoutes,
    feedRoutes,
  ],
  jobs: [awardBadges, countViews, refreshRelevancy, sendDigests],
  mails: [digestMail, validateEmail],
  groups,
  access: lists,
  rules,
  views,
  menus,
  services: [forumTables, shownKarma],
  publicPictures: forumFaces,
  robotRules: ['/forum/*/ask', '/forum/*/post/', '/forum/digest/'],
  elements: {
    'forum.karma': '[data-karma]',
    'forum.vote': '[data-forum-vote]',
    'forum.post-action':
      '[data-forum-favourite], [data-forum-follow], [data-forum-flag], [data-forum-delete], [data-forum-confirm]',
    'forum.write': '[data-forum-write]',
    'forum.tags': 'input[data-forum-tags]',
    'forum.similar': '[data-forum-similar]',
    'forum.sent': '[data-forum-sent]',
    'forum.seen': '[data-forum-seen]',
    'forum.header': '[data-forum-note], [data-forum-validation], [data-forum-validated]',
    'forum.triage': '[data-forum-triage]',
    'forum.decide': '[data-triage-item]',
  },
  publicMethods: methods,
});
