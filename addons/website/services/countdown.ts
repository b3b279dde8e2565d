import type { Ctx } from 'pergola';
import { timeLeft } from '../islands/parts/time-left.ts';

/**
 * What the island `website.Countdown` shows: the time until a moment, in whole minutes, and the text `done` at its end. A kept page with it is made
 * anew when the next minute begins.
 */
export function countdownTo(ctx: Ctx, at: Date, done = '') {
  const { days, hours, minutes } = timeLeft(at.getTime() - ctx.now().getTime());
  const whole = (days * 24 + hours) * 60 + minutes;
  ctx.isPast(new Date(at.getTime() - (whole * 60 - 1) * 1000));
  return { until: at.toISOString(), left: { days, hours, minutes }, done };
}
