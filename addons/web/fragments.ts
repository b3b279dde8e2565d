import { fragment } from '#core';
import { mailWay } from '#core/mail';
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

/** The way to the outbox, for pages that say that a mail was sent: `{{fragment "web.outbox_link"}}`. Empty for who may not read it. */
export const outboxLink = fragment('web.outbox_link', {
  template: 'web.outbox_link',
  load: async (ctx) => ({ shown: await showsOutbox(ctx), kept: (await mailWay(ctx)).smtpUrl === null }),
});
