import type { Ctx } from 'pergola';
import { CallUps } from '../services/callups.ts';
import { Matches } from '../services/matches.ts';

/**
 * Call-up page for the holder of its link; `query` preselects an answer.
 *
 * @throws NotFound for an invalid link
 */
export async function callUpPage(
  ctx: Ctx,
  token: string,
  query: { readonly answer?: 'yes' | 'no' | undefined; readonly done?: string | undefined },
) {
  const { line, call, match, member, open } = await ctx.get(CallUps).of(token);
  const [matchView] = await ctx.get(Matches).views([['id', '=', match.id]]);
  const selectedAnswer = query.answer ?? line.answer;
  return {
    token,
    member: member.name ?? '',
    team: call.team_id?.name ?? '',
    match: matchView ?? null,
    meeting: call.meeting_datetime,
    place: call.meeting_place ?? '',
    note: call.note ?? '',
    timezone: ctx.siteTimezone,
    open,
    saved: query.done !== undefined,
    chosen: selectedAnswer === 'none' ? null : selectedAnswer,
    answered: line.answer === 'none' ? null : line.answer,
    comment: line.comment ?? '',
    noindex: true,
  };
}
