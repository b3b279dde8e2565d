import { User } from '@pergola/base';
import { CONFIRM, noteProof, requireOwnPassword } from '@pergola/web';
import { type Ctx, type InvalidForm, type Reply, redirect, route, safePath, z } from 'pergola';

const redirectParam = z.string().max(4096).default('');

/** Asks users whose sign-in is not recent to confirm their password. */
const page = route.page(
  CONFIRM,
  { name: 'auth.confirm', auth: 'user', query: z.object({ redirect: redirectParam }), cache: false },
  async ({ ctx, query, render }) => render('auth.confirm', await confirmValues(ctx, query.redirect)),
);

async function confirmValues(ctx: Ctx, to: string) {
  const user = await ctx
    .sudo() // Whether the caller has a password at all.
    .model(User)
    .get(ctx.user.id ?? 0, { select: { password_hash: true } });
  return { login: ctx.user.login, hasPassword: user.password_hash !== null, redirect: safePath(to), errors: {} };
}

const confirm = route.form(
  CONFIRM,
  {
    name: 'auth.confirm_post',
    auth: 'user',
    writes: true,
    body: z.object({ password: z.string().min(1).max(1024), redirect: redirectParam }),
    prepare: ({ ctx, body, request }) =>
      requireOwnPassword(ctx, { password: body.password, address: request.ip, field: 'password' }),
    invalid: showConfirm,
  },
  ({ ctx, body }) => {
    noteProof(ctx);
    return redirect(body.redirect);
  },
);

async function showConfirm({ ctx, values, errors, message, render }: InvalidForm<unknown>): Promise<Reply> {
  return render('auth.confirm', { ...(await confirmValues(ctx, values.redirect ?? '')), errors, message });
}

export const confirmRoutes = [page, confirm];
