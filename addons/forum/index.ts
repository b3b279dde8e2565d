/** Public API of the forum for other addons. */
export { Forum } from './models/forum.ts';
export { ForumKarma } from './models/forum-karma.ts';
export { ForumNotification } from './models/forum-notification.ts';
export { ForumPost } from './models/forum-post.ts';
export { ForumPostReason } from './models/forum-post-reason.ts';
export { ForumPostVote } from './models/forum-post-vote.ts';
export { ForumTag } from './models/forum-tag.ts';
export { GamificationBadge } from './models/gamification-badge.ts';
export { GamificationBadgeUser } from './models/gamification-badge-user.ts';
export { ForumUser } from './models/res-users.ts';
