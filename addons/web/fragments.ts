import { fragment } from 'pergola';
import { holdsMails } from 'pergola/mail';
import { showsOutbox } from './services/outbox-view.ts';

/** Sign-in link, or the name of the signed-in user with their menu. */
export const userMenu = fragment('web.user_menu', {
  template: 'web.user_menu',
  load: async (ctx, request) => ({
    user: ctx.user.id === null ? null : { name: ctx.user.name },
    // Signing in from one of these pages shouldn't lead back to it.
    here: request.path.startsWith('/web/') || request.path === '/' ? '' : request.url,
  }),
});

/**
 * Notice that emails are held, with a link for readers of the outbox. For pages that announce an email: `{{fragment "web.mail_notice"}}`.
 */
export const mailNotice = fragment('web.mail_notice', {
  template: 'web.mail_notice',
  load: async (ctx) => ({ shown: await showsOutbox(ctx), kept: await holdsMails(ctx) }),
});
