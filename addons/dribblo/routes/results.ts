import { Conflict, type Domain, errorText, type FieldsOf, redirect, route, z } from 'pergola';
import { type Match, playedBy } from '../models/club-match.ts';
import { Team } from '../models/club-team.ts';
import { resultForm } from '../pages/result-page.ts';
import { SCORE_KEEPER } from '../security.ts';
import { MatchResults } from '../services/match-results.ts';
import { Matches } from '../services/matches.ts';
import { DAY } from '../services/week.ts';
import { mark } from '../texts.ts';
import { recordId } from './inputs.ts';

const forScoreKeepers = { auth: 'user', groups: [SCORE_KEEPER] } as const;

/** `/matchs/results`: matches without a result that have started, and recently entered results. Designed for phones at the pitch. */
const list = route.page('/matchs/results', { ...forScoreKeepers, name: 'dribblo.results' }, async ({ ctx, render }) => {
  const ownMatches = playedBy(await ctx.model(Team).ours());
  const now = ctx.now();
  const open: Domain<FieldsOf<Match>> = [
    ['state', '=', 'planned'],
    ['start_datetime', '<', now.plus(DAY / 2)],
    ['start_datetime', '>', now.plus(-30 * DAY)],
    ...ownMatches,
  ];
  const recentResults: Domain<FieldsOf<Match>> = [
    ['state', '!=', 'planned'],
    ['start_datetime', '<', now],
    ['start_datetime', '>', now.plus(-7 * DAY)],
    ...ownMatches,
  ];
  return render('dribblo.results_page', {
    open: await ctx.get(Matches).views(open, { order: 'start_datetime desc', limit: 40 }),
    done: await ctx.get(Matches).views(recentResults, { order: 'start_datetime desc', limit: 40 }),
  });
});

const show = route.page(
  '/matchs/:mnbr(^\\d{1,9}$)/result',
  { ...forScoreKeepers, name: 'dribblo.result', params: { mnbr: recordId } },
  async ({ ctx, params, render }) => render('dribblo.result_page', await resultForm(ctx, params.mnbr)),
);

const range = mark('Enter a number from 0 to 99.');
const goals = z.preprocess(
  (value) => (value === '' || value === undefined ? null : /^\d+$/.test(String(value)) ? Number(value) : value),
  z.union([z.null(), z.number(range).int(range).min(0, range).max(99, range)], range),
);

const scoreForm = z.object({
  state: z.enum(['planned', 'played', 'postponed', 'cancelled', 'forfeit'], mark('Choose the match status.')),
  receiver_res: goals,
  visitor_res: goals,
  receiver_shot: goals,
  visitor_shot: goals,
  forfeit_by: z.preprocess(
    (value) => (value === '' ? null : value),
    z
      .enum(['receiver', 'visitor'])
      .nullish()
      .transform((side) => side ?? null),
  ),
  seen: z.string().max(100).default(''),
});

const save = route.form(
  '/matchs/:mnbr(^\\d{1,9}$)/result',
  {
    ...forScoreKeepers,
    name: 'dribblo.save_result',
    params: { mnbr: recordId },
    writes: true,
    body: scoreForm,
    invalid: async ({ ctx, params, values, errors, message, render }) => {
      const form = await resultForm(ctx, params.mnbr);
      const { seen } = form.values;
      return render('dribblo.result_page', { ...form, values: { ...form.values, ...values, seen }, errors, message });
    },
  },
  async ({ ctx, params, body, render, url }) => {
    const form = await resultForm(ctx, params.mnbr);
    const { seen, ...score } = body;
    try {
      await ctx.savepoint(() => ctx.get(MatchResults).enter(form.id, score, seen));
    } catch (error) {
      // On a conflict, shows the submitted result next to the current one.
      if (!(error instanceof Conflict)) throw error;
      const text = (value: number | null): string => (value === null ? '' : String(value));
      const values = {
        seen: form.values.seen,
        state: score.state,
        forfeit_by: score.forfeit_by ?? '',
        receiver_res: text(score.receiver_res),
        visitor_res: text(score.visitor_res),
        receiver_shot: text(score.receiver_shot),
        visitor_shot: text(score.visitor_shot),
      };
      const message = errorText(ctx, error);
      return render('dribblo.result_page', { ...form, values, message, isConflict: true }, { status: error.status });
    }
    return redirect(url('/matchs/results'));
  },
);

export const resultRoutes = [list, show, save];
