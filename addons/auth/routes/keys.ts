import { route, z } from 'pergola';
import { actionResult, keysPage } from '../pages/keys.ts';

/** Account keys: second factor, passkeys, access tokens. */
const page = route.page(
  '/web/account/keys',
  { name: 'auth.keys', auth: 'user', query: z.object({ done: actionResult.optional() }), cache: false },
  async ({ ctx, query, render }) => render('auth.keys', await keysPage(ctx, query.done ?? null)),
);

export const keyRoutes = [page];
