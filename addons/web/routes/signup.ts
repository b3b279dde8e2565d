import {
  type Ctx,
  type InvalidForm,
  isEmailAddress,
  NotFound,
  type Reply,
  readableAddress,
  redirect,
  route,
  safePath,
  z,
} from 'pergola';
import { newPasswordHash, register } from '../services/accounts.ts';
import { signIn } from '../services/sign-in.ts';
import { signupSetting } from '../settings.ts';

const safeRedirect = (text: string): string => (text === '' ? '' : safePath(text));

/** The page doesn't exist if accounts are by invitation only. */
async function requireOpen(ctx: Ctx): Promise<void> {
  if ((await ctx.settings.get(signupSetting)) === 'open') return;
  throw new NotFound('We can’t find that page.', { code: 'web.signup_closed' });
}

const signupPage = route.page(
  '/web/signup',
  { name: 'web.signup', query: z.object({ redirect: z.string().max(4096).default('') }), cache: false },
  async ({ ctx, query, render, url }) => {
    await requireOpen(ctx);
    if (ctx.user.id !== null) return redirect(query.redirect === '' ? url('/') : query.redirect, 302);
    return render('web.signup', { values: {}, errors: {}, message: null, redirect: safeRedirect(query.redirect) });
  },
);

const signup = route.form(
  '/web/signup',
  {
    name: 'web.signup_post',
    writes: true,
    body: z.object({
      name: z.string().trim().min(1).max(120),
      email: z
        .string()
        .trim()
        .toLowerCase()
        .refine(isEmailAddress, 'Enter a valid email address.')
        .transform(readableAddress),
      password: z.string().max(1024),
      confirm: z.string().max(1024),
      redirect: z.string().max(4096).default(''),
    }),
    rate: { name: 'web.signup', calls: 20, seconds: 3600 },
    prepare: async ({ ctx, body }) => {
      await requireOpen(ctx);
      return newPasswordHash(ctx, body, body.email, body.name);
    },
    invalid: showSignup,
  },
  async ({ ctx, body, prepared: passwordHash, url }) => {
    const user = await register(ctx, { name: body.name, email: body.email, passwordHash, lang: ctx.lang });
    const to = safeRedirect(body.redirect);
    const step = await signIn(ctx, user, to);
    if (step !== null) return redirect(url(step));
    return redirect(to === '' ? url('/my/account') : to);
  },
);

async function showSignup({ values, errors, message, render }: InvalidForm<unknown>): Promise<Reply> {
  const { password: _password, confirm: _confirm, ...safeValues } = values;
  return render('web.signup', { values: safeValues, errors, message, redirect: safeRedirect(values.redirect ?? '') });
}

export const signupRoutes = [signupPage, signup];
