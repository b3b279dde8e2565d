import { access } from 'pergola';
import { Follower } from './models/follower.ts';
import { Message } from './models/message.ts';
import { Notification } from './models/notification.ts';

/** Employees see rows of records they may read (`FollowsRecord`); everybody else, and whoever writes, goes through the record (see `Followers`). */
export const lists = [
  access(Follower, { 'base.group_user': 'r', 'base.group_system': 'rwcd' }),
  access(Message, { 'base.group_user': 'r', 'base.group_system': 'rwcd' }),
  // The addresses of recipients; discussions show them with the record's rights.
  access(Notification, { 'base.group_system': 'r' }),
];
