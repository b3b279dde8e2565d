import { defineAddon } from 'pergola';
import { entries } from './account-entries.ts';
import { questionsBlock, questionsSnippet } from './blocks/questions.ts';
import { consequences } from './consequences.ts';
import { awardBadges } from './jobs/award-badges.ts';
import { countViews } from './jobs/count-views.ts';
import { refreshRelevancy } from './jobs/refresh-relevancy.ts';
import { sendDigests } from './jobs/send-digests.ts';
import { digestMail } from './mails/digest.ts';
import { validateEmail } from './mails/validate-email.ts';
import { Forum } from './models/forum.ts';
import { ForumKarma } from './models/forum-karma.ts';
import { ForumNotification } from './models/forum-notification.ts';
import { ForumPost } from './models/forum-post.ts';
import { ForumPostReason } from './models/forum-post-reason.ts';
import { ForumPostView } from './models/forum-post-view.ts';
import { ForumPostVote } from './models/forum-post-vote.ts';
import { ForumTag } from './models/forum-tag.ts';
import { ForumWithPosts } from './models/forum-with-posts.ts';
import { GamificationBadge } from './models/gamification-badge.ts';
import { GamificationBadgeUser } from './models/gamification-badge-user.ts';
import { ForumUser, forumFaces } from './models/res-users.ts';
import { UserWithKarma } from './models/user-with-karma.ts';
import { forumCount } from './pages/header.ts';
import { tagCloud } from './pages/list.ts';
import { actionRoutes } from './routes/actions.ts';
import { feedRoutes } from './routes/feeds.ts';
import { forumRoutes } from './routes/forums.ts';
import { liveRoutes } from './routes/live.ts';
import { moderationRoutes } from './routes/moderation.ts';
import { peopleRoutes } from './routes/people.ts';
import { questionRoutes } from './routes/question.ts';
import { validationRoutes } from './routes/validation.ts';
import { writingRoutes } from './routes/writing.ts';
import { groups, lists, methods, rules } from './security.ts';
import { Authors, badgeLevels } from './services/authors.ts';
import { Badges } from './services/badges.ts';
import { Digests, isDigestWanted } from './services/digests.ts';
import { EmailValidation } from './services/email-validation.ts';
import { HourlyLimits } from './services/hourly-limits.ts';
import { Notifications } from './services/notifications.ts';
import { forumTables, Permissions, shownKarma } from './services/permissions.ts';
import { Profiles } from './services/profiles.ts';
import { alikeQuestions, newestQuestions, Questions } from './services/questions.ts';
import { searchedQuestions } from './services/searched-questions.ts';
import { menus, views } from './views.ts';
import { widgets } from './widgets.ts';

export default defineAddon({
  name: 'forum',
  title: 'Forum',
  summary: 'Questions and answers with votes, karma and badges',
  version: '1.1.0',
  category: 'Website',
  icon: 'chat-square-text',
  depends: ['website'],
  consequences,
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
    ForumWithPosts,
    UserWithKarma,
  ],
  routes: [
    forumRoutes,
    questionRoutes,
    writingRoutes,
    actionRoutes,
    liveRoutes,
    ...moderationRoutes,
    peopleRoutes,
    validationRoutes,
    feedRoutes,
  ],
  blocks: [questionsBlock],
  snippets: questionsSnippet,
  jobs: [awardBadges, countViews, refreshRelevancy, sendDigests],
  mails: [digestMail, validateEmail],
  groups,
  access: lists,
  rules,
  views,
  menus,
  widgets,
  outboxGuards: [isDigestWanted],
  accountEntries: entries,
  services: [
    alikeQuestions,
    Authors,
    badgeLevels.service,
    newestQuestions.service,
    forumCount.service,
    tagCloud.service,
    Badges,
    Digests,
    EmailValidation,
    forumTables,
    HourlyLimits,
    Notifications,
    Permissions,
    Profiles,
    Questions,
    shownKarma,
  ],
  publicPictures: forumFaces,
  pictureWriters: [(ctx) => ctx.get(Permissions).mayUsePictures()],
  robotRules: [
    '/forum/*/ask',
    '/forum/*/post/',
    '/forum/*/notifications',
    '/forum/*/validation_queue',
    '/forum/*/flagged_queue',
    '/forum/*/offensive_posts',
    '/forum/*/closed_posts',
    '/forum/*/deleted_posts',
    '/forum/digest/',
    '/forum/live/',
  ],
  searchables: [searchedQuestions],
  publicMethods: methods,
});
