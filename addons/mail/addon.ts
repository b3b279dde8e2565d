import { defineAddon } from '#core';
import { MessageCalls, messageCalls } from './chatter/calls.ts';
import { notifyFollowers } from './jobs/notify-followers.ts';
import { confirmFollow, newMessage } from './mails.ts';
import { Follower } from './models/follower.ts';
import { Message } from './models/message.ts';
import { FollowedPartner } from './models/res-partner.ts';
import { followRoutes } from './routes/follow.ts';
import { lists } from './security.ts';

export default defineAddon({
  name: 'mail',
  title: 'Mail',
  summary: 'Messages on records, and mails to those who follow them',
  version: '1.0.0',
  category: 'Communication',
  icon: 'envelope',
  depends: ['web'],
  models: [Follower, Message, MessageCalls, FollowedPartner],
  access: lists,
  routes: followRoutes,
  mails: [newMessage, confirmFollow],
  jobs: [notifyFollowers],
  publicMethods: messageCalls,
});
