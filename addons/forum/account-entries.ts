import { accountEntry } from '@pergola/web';
import { Forum } from './models/forum.ts';
import { userPath } from './routes/paths.ts';

export const entries = [
  accountEntry('forum.profile', {
    part: 'profile',
    label: 'Forum profile',
    help: 'Your questions, answers and public profile',
    icon: 'chat-square-text',
    url: '/forum',
    load: async (ctx) => {
      const forum = await ctx.model(Forum).first([], { select: { name: true } });
      return forum && ctx.user.id !== null ? { url: userPath(forum, ctx.user.id) } : null;
    },
  }),
];
