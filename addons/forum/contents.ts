import { publicMethod, z } from '#core';
import { ForumNotification } from './models/forum-notification.ts';
import { ForumPost } from './models/forum-post.ts';

const id = z.number().int().positive();

/** What calls from outside may name. */
export const methods = [
  publicMethod(ForumPost, 'vote', { writes: true, args: z.union([z.tuple([]), z.tuple([z.boolean()])]) }),
  publicMethod(ForumPost, 'toggleCorrect', { writes: true }),
  publicMethod(ForumPost, 'toggleFavourite', { writes: true }),
  publicMethod(ForumPost, 'close', { writes: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'reopen', { writes: true }),
  publicMethod(ForumPost, 'flag', { writes: true }),
  publicMethod(ForumPost, 'approve', { writes: true }),
  publicMethod(ForumPost, 'refuse', { writes: true }),
  publicMethod(ForumPost, 'markAsOffensive', { writes: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'comment', { writes: true, args: z.tuple([z.string().max(20_000)]) }),
  publicMethod(ForumPost, 'deleteComment', { writes: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'convertToComment', { writes: true }),
  publicMethod(ForumPost, 'convertCommentToAnswer', { writes: true, args: z.tuple([id]) }),
  publicMethod(ForumPost, 'bump', { writes: true }),
  publicMethod(ForumNotification, 'markRead', { writes: true }),
];
