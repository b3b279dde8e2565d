/** What other addons may use of mail. */
export { Follower } from './models/follower.ts';
export { Followers, type MessageInput, type MessageView } from './models/followers.ts';
export { Message } from './models/message.ts';
export { FollowedPartner } from './models/res-partner.ts';
export type { follow } from './routes/follow.ts';
