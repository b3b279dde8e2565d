import { CONFIRM, isProved } from '@pergola/web';
import { type InvalidForm, type Reply, redirect, route, z } from 'pergola';
import { AccessToken } from '../models/auth-token.ts';
import { DAYS, scopeOf, tokenForm } from '../pages/token.ts';
import { t } from '../texts.ts';

const access = { auth: 'user', groups: ['base.group_user'] } as const;
const NEW = '/web/account/tokens/new';
const confirmFirst = (url: (path: string) => string): Reply =>
  redirect(`${url(CONFIRM)}?redirect=${encodeURIComponent(url(NEW))}`);

const newPage = route.page(NEW, { ...access, name: 'auth.token_new', cache: false }, async ({ ctx, render, url }) =>
  isProved(ctx) ? render('auth.token_new', await tokenForm(ctx, {})) : confirmFirst(url),
);

/** The token is only shown on the response page, never in a URL, session or email. */
const make = route.form(
  NEW,
  {
    ...access,
    name: 'auth.token_make',
    writes: true,
    body: z.object({
      name: z.string().trim().min(1).max(80),
      days: z.enum(DAYS),
      kind: z.enum(['some', 'read', 'all']),
      rights: z
        .array(z.string().regex(/^[a-z0-9_.]{1,64}:[rwcd]$/))
        .max(2_000)
        .default([]),
    }),
    limit: { fields: 2_100 },
    rate: { calls: 20, seconds: 3600, by: 'user' },
    invalid: showForm,
  },
  async ({ ctx, body, render, url }) => {
    if (!isProved(ctx)) return confirmFirst(url);
    const { name, days } = body;
    const token = await ctx
      .model(AccessToken)
      .issue({ name, days: Number(days), scope: scopeOf(body.kind, body.rights) });
    return render('auth.token_made', { token, name });
  },
);

async function showForm({ ctx, values, errors, message, render }: InvalidForm<unknown>): Promise<Reply> {
  return render('auth.token_new', await tokenForm(ctx, { values, errors, message }));
}

/** Revoking a key requires no confirmation, so it is quick. */
const revoke = route.form(
  '/web/account/tokens/revoke',
  {
    ...access,
    name: 'auth.token_revoke',
    confirm: (ctx) => ({
      question: t(ctx, 'Revoke this access token? Programs that use it will stop working.'),
      yes: t(ctx, 'Revoke'),
    }),
    page: '/web/account/keys',
    writes: true,
    body: z.object({ id: z.number().int().positive() }),
  },
  async ({ ctx, body, url }) => {
    const ownTokens: readonly ['user_id', '=', number] = ['user_id', '=', ctx.user.id ?? 0];
    await ctx.model(AccessToken).unlink(await ctx.model(AccessToken).search([['id', '=', body.id], ownTokens]));
    return redirect(`${url('/web/account/keys')}?done=revoked`);
  },
);

export const tokenRoutes = [newPage, make, revoke];
