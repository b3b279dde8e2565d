/** Public API of mail for other addons. */
export { Follower } from './models/follower.ts';
export {
  type FilledMail,
  Followers,
  filledMail,
  type MessageInput,
  type MessageRecipient,
  type MessageView,
} from './models/followers.ts';
export { Message } from './models/message.ts';
export { deliveryLabels, lastDeliveries } from './models/notification.ts';
export { FollowedPartner } from './models/res-partner.ts';
export type { follow, isFollower } from './routes/follow.ts';
export { mailBody } from './services/mail-body.ts';
