import { access } from '#core';
import { Follower } from './models/follower.ts';
import { Message } from './models/message.ts';

/** Rows are open to administrators only; everybody else goes through the record (see `Followers`). */
export const lists = [
  access(Follower, { 'base.group_system': 'rwcd' }),
  access(Message, { 'base.group_system': 'rwcd' }),
];
