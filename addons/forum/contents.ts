import { publicMethod } from '#addons/web';
import { z } from '#core';
import { ForumNotification } from './models/forum-notification.ts';
import { ForumPost } from './models/forum-post.ts';

const id = z.number().int().positive();

/** What calls from outside may name. */
export const methods = [
  publicMethod(ForumPost, 'vote', {
    right: 'write',
    writes: true,
    args: z.union([z.tuple([]), z.tuple([z.boolean()])]),
  }),
  publicMethod(ForumPost, 'toggleCorrect', { right: 'write', writes: true }),
  publicMethod(ForumPost, 'toggleFavourite', { right: 'write', writes: true }),
  publicMethod(ForumPost, 'close', { right: 'write', writes: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'reopen', { right: 'write', writes: true }),
  publicMethod(ForumPost, 'flag', { right: 'write', writes: true }),
  publicMethod(ForumPost, 'approve', { right: 'write', writes: true }),
  publicMethod(ForumPost, 'refuse', { right: 'write', writes: true }),
  publicMethod(ForumPost, 'markAsOffensive', { right: 'write', writes: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'comment', { right: 'write', writes: true, args: z.tuple([z.string().max(20_000)]) }),
  publicMethod(ForumPost, 'deleteComment', { right: 'write', writes: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'convertToComment', { right: 'write', writes: true }),
  publicMethod(ForumPost, 'convertCommentToAnswer', { right: 'write', writes: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'bump', { right: 'write', writes: true }),
  publicMethod(ForumNotification, 'markRead', { right: 'read', writes: true }),
];
