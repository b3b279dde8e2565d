import { redirect, route } from 'pergola';

/** The root of a site without a website. Addon website puts its home page here, with `extendRoute`. */
export const rootPage = route.page('/', { name: 'web.root' }, ({ url }) => redirect(url('/web'), 302));
