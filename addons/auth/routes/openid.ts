import { landing, signIn } from '@pergola/web';
import { redirect, reply, route, safePath, Unavailable, z } from 'pergola';
import { ProviderIdentity } from '../models/auth-identity.ts';
import { answerOfProvider, askProvider, CALLBACK, forgetAsked, nobodyHere } from '../services/openid.ts';

/** Redirects to a provider. Only stores the request in the session. */
const start = route.http(
  '/web/login/with/:provider(^\\d+$)',
  {
    name: 'auth.openid_start',
    method: 'GET',
    params: { provider: z.coerce.number().int().positive() },
    query: z.object({ redirect: z.string().max(4096).default('') }),
    rate: { calls: 30, seconds: 600 },
  },
  async ({ ctx, params, query, request, url }) => {
    const redirectPath = String(query.redirect ?? '');
    try {
      const to = await askProvider(
        ctx,
        params.provider,
        request.origin,
        redirectPath === '' ? '' : safePath(redirectPath),
      );
      return to ? reply.elsewhere(to.href, 302) : redirect(url('/web/login'), 302);
    } catch (error) {
      ctx.log.warn({ err: error, provider: params.provider }, 'A sign-in provider could not be reached');
      throw new Unavailable(
        'This provider can’t be reached right now. Sign in with your password, or try again later.',
        {
          code: 'auth.provider_away',
        },
      );
    }
  },
);

const code = z.object({
  code: z.string().max(4_000).optional(),
  state: z.string().max(500).optional(),
  iss: z.string().max(500).optional(),
  error: z.string().max(200).optional(),
  error_description: z.string().max(2_000).optional(),
  session_state: z.string().max(500).optional(),
});

/** Callback page for providers. Continues with a form, because GET requests don't sign in. */
const back = route.page(CALLBACK, { name: 'auth.openid_back', query: code, cache: false }, ({ query, render }) =>
  render('auth.openid', { answer: new URLSearchParams(query as Record<string, string>).toString() }),
);

const finish = route.form(
  CALLBACK,
  {
    name: 'auth.openid_finish',
    writes: true,
    body: z.object({ answer: z.string().max(10_000) }),
    rate: { calls: 30, seconds: 600 },
    prepare: ({ ctx, body, request }) => answerOfProvider(ctx, request.origin, body.answer),
    invalid: ({ message, render }) => render('auth.openid', { answer: '', message }),
  },
  async ({ ctx, prepared: answer, url }) => {
    const identities = ctx.sudo().model(ProviderIdentity); // Visitors have no access before signing in.
    const userId = answer && (await identities.userOf(answer));
    if (!answer || userId === null) throw nobodyHere();
    forgetAsked(ctx);
    const step = await signIn(ctx, userId, answer.redirect);
    if (step !== null) return redirect(url(step));
    const to = await landing(ctx, userId, answer.redirect);
    return redirect(answer.redirect === '' ? url(to) : to);
  },
);

export const openidRoutes = [start, back, finish];
