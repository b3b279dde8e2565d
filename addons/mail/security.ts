import { access } from 'pergola';
import { Follower } from './models/follower.ts';
import { Message } from './models/message.ts';
import { Notification } from './models/notification.ts';

/** Employees can read rows of records they have access to (`FollowsRecord`); all other access goes through the record (see `Followers`). */
export const lists = [
  access(Follower, { 'base.group_user': 'r', 'base.group_system': 'rwcd' }),
  access(Message, { 'base.group_user': 'r', 'base.group_system': 'rwcd' }),
  // Recipient addresses; discussions show them based on access to the record.
  access(Notification, { 'base.group_system': 'r' }),
];
