import { fragment } from 'pergola';
import { holdsMails } from 'pergola/mail';
import { showsOutbox } from './services/outbox-view.ts';

/** The way to sign in, or the name of whoever is, with their menu. */
export const userMenu = fragment('web.user_menu', {
  template: 'web.user_menu',
  load: async (ctx, request) => ({
    user: ctx.user.id === null ? null : { name: ctx.user.name },
    // From the pages about signing in nobody wants to come back to them.
    here: request.path.startsWith('/web/') || request.path === '/' ? '' : request.url,
  }),
});

/** Says when emails are held, and leads readers of the outbox there; for pages that announce an email: `{{fragment "web.mail_notice"}}`. */
export const mailNotice = fragment('web.mail_notice', {
  template: 'web.mail_notice',
  load: async (ctx) => ({ shown: await showsOutbox(ctx), kept: await holdsMails(ctx) }),
});
