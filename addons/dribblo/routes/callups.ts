import { redirect, route, z } from 'pergola';
import { callUpPage } from '../pages/callup-page.ts';
import { CallUps } from '../services/callups.ts';
import { mark } from '../texts.ts';

const token = z.string().max(200);

/** Page behind the link of a call-up email. Opening it changes nothing, so link scanners don't answer by accident. */
const show = route.page(
  '/convocations/answer/:token',
  {
    name: 'dribblo.callup_answer',
    params: { token },
    cache: false,
    query: z.object({ answer: z.enum(['yes', 'no']).optional().catch(undefined), done: z.string().max(1).optional() }),
  },
  async ({ ctx, params, query, render }) => render('dribblo.callup_page', await callUpPage(ctx, params.token, query)),
);

const answer = route.form(
  '/convocations/answer/:token',
  {
    name: 'dribblo.answer_callup',
    page: '/convocations/answer/:token',
    params: { token },
    writes: true,
    rate: { calls: 30, seconds: 60 },
    body: z.object({
      answer: z.enum(['yes', 'no'], mark('Choose an answer.')),
      comment: z.string().trim().max(200, 'Your message is too long.').optional().default(''),
    }),
  },
  async ({ ctx, params, body, url }) => {
    await ctx.get(CallUps).answer(params.token, body.answer, body.comment);
    return redirect(url(`/convocations/answer/${params.token}?done=1`));
  },
);

export const callUpRoutes = [show, answer];
