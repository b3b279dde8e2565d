import { app, NotFound, route } from 'pergola';

/** Every component of the kit in all its states, for developers of islands. */
export const kitPage = route.page('/web/kit', { name: 'web.kit', cache: false }, ({ ctx, render }) => {
  if (!ctx.get(app.config).dev)
    throw new NotFound('This page is only available in development.', { code: 'web.development_only' });
  return render('web.kit', { picture: '/web/binary/company_logo' });
});
