import { defineAddon } from 'pergola';
import { isStillFollowing, notifyFollowers } from './jobs/notify-followers.ts';
import { confirmFollow, directMessage, newMessage } from './mails.ts';
import { Follower } from './models/follower.ts';
import { Message, messageCalls } from './models/message.ts';
import { Notification } from './models/notification.ts';
import { FollowedPartner } from './models/res-partner.ts';
import { followRoutes } from './routes/follow.ts';
import { lists } from './security.ts';
import { Following } from './services/following.ts';
import { RecordHistory } from './services/history.ts';
import { Threads } from './services/threads.ts';

export default defineAddon({
  name: 'mail',
  title: 'Mail',
  summary: 'Messages on records, with emails to followers',
  version: '1.1.0',
  category: 'Communication',
  icon: 'envelope',
  depends: ['web'],
  models: [Follower, Message, Notification, FollowedPartner],
  services: [Following, RecordHistory, Threads],
  access: lists,
  routes: followRoutes,
  mails: [newMessage, directMessage, confirmFollow],
  outboxGuards: [isStillFollowing],
  jobs: [notifyFollowers],
  publicMethods: messageCalls,
});
