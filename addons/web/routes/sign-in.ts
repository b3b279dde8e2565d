import { type Ctx, type InvalidForm, InvalidInput, type Reply, redirect, route, safePath, z } from 'pergola';
import { checkCredentials, landing, signIn } from '../services/sign-in.ts';
import { signupSetting } from '../settings.ts';

const query = z.object({ redirect: z.string().max(4096).default('') });
const safeRedirect = (text: string): string => (text === '' ? '' : safePath(text));

interface FormState {
  readonly values?: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly redirect: string;
}

async function values(ctx: Ctx, formState: FormState) {
  const signupOpen = (await ctx.settings.get(signupSetting)) === 'open';
  const to = safeRedirect(formState.redirect);
  return { signupOpen, values: {}, errors: {}, ...formState, redirect: to, goesOn: to !== '' && to !== '/' };
}

/** Sign-in page; redirects signed-in users. */
const loginPage = route.page(
  '/web/login',
  { name: 'web.login', query, cache: false },
  async ({ ctx, query: { redirect: to }, render, url }) => {
    if (ctx.user.id !== null) {
      const next = await landing(ctx, ctx.user.id, to);
      return redirect(to === '' ? url(next) : next, 302);
    }
    return render('web.login', await values(ctx, { redirect: to }));
  },
);

const login = route.form(
  '/web/login',
  {
    name: 'web.login_post',
    writes: true,
    body: z.object({
      login: z.string().trim().min(1).max(255),
      password: z.string().min(1).max(1024),
      redirect: z.string().max(4096).default(''),
    }),
    prepare: ({ ctx, body, request }) => checkCredentials(ctx, { ...body, address: request.ip }),
    invalid: showLogin,
  },
  async ({ ctx, body, prepared: userId, url }) => {
    if (userId === null) throw new InvalidInput('Wrong email or password.', { code: 'web.wrong_login' });
    const step = await signIn(ctx, userId, body.redirect);
    if (step !== null) return redirect(url(step));
    const next = await landing(ctx, userId, body.redirect);
    return redirect(body.redirect === '' ? url(next) : next);
  },
);

async function showLogin({ ctx, values: sent, errors, message, render }: InvalidForm<unknown>): Promise<Reply> {
  return render('web.login', await values(ctx, { values: sent, errors, message, redirect: sent.redirect ?? '' }));
}

/** Signing out is a POST request; this page is for links. */
const logoutPage = (path: string, name: string) =>
  route.page(path, { name, query, cache: false }, ({ ctx, query: { redirect: to }, render }) =>
    render('web.logout', { redirect: safeRedirect(to), signedIn: ctx.user.id !== null }),
  );

const logoutForm = (path: string, name: string) =>
  route.form(
    path,
    { name, page: path, writes: true, body: z.object({ redirect: z.string().max(4096).default('/') }) },
    ({ ctx, body }) => {
      ctx.session.signOut();
      return redirect(body.redirect);
    },
  );

export const signInRoutes = [
  loginPage,
  login,
  logoutPage('/web/logout', 'web.logout'),
  logoutForm('/web/logout', 'web.logout_post'),
  logoutPage('/web/session/logout', 'web.session_logout'),
  logoutForm('/web/session/logout', 'web.session_logout_post'),
];
