import { defineAddon, fragment, route } from '#core';

const userMenu = fragment('web.user_menu', {
  template: 'web.user_menu',
  load: async (ctx) => ({ user: ctx.user.id === null ? null : { name: ctx.user.name } }),
});

const home = route.page('/web', { name: 'web.home' }, ({ render }) => render('web.hello', { title: 'Pergola' }));

export default defineAddon({
  name: 'web',
  title: 'Web',
  summary: 'Sign-in, sessions, calls to models, pictures and the Apps',
  version: '1.0.0',
  category: 'System',
  icon: 'window',
  permanent: true,
  depends: ['base'],
  routes: [home],
  fragments: [userMenu],
});
