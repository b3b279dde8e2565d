import { fragment } from '#core';

/** The way to sign in, or the name of whoever is, with their menu. */
export const userMenu = fragment('web.user_menu', {
  template: 'web.user_menu',
  load: async (ctx, request) => ({
    user: ctx.user.id === null ? null : { name: ctx.user.name },
    // From the pages about signing in nobody wants to come back to them.
    here: request.path.startsWith('/web/') || request.path === '/' ? '' : request.url,
  }),
});
