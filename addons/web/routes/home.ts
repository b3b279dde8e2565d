import { redirect, route } from '#core';

/** The root of a site without a website. Addon website puts its home page here, with `extendRoute`. */
export const rootPage = route.page('/', { name: 'web.root' }, ({ url }) => redirect(url('/web'), 302));

/** Where employees begin: the Apps for administrators, everybody else at their account. */
export const backendPage = route.page('/web', { name: 'web.home', auth: 'user', cache: false }, ({ ctx, url }) =>
  redirect(url(ctx.has('base.group_system') ? '/web/apps' : '/web/account'), 302),
);
