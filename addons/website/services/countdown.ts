import type { Ctx } from 'pergola';
import { timeLeft } from '../islands/parts/time-left.ts';

/**
 * Props of the island `website.Countdown`: whole minutes until a moment, and the final text `done`. A cached page with it expires at the
 * next minute.
 */
export function countdownTo(ctx: Ctx, moment: Date, finalText = '') {
  const { days, hours, minutes } = timeLeft(moment.getTime() - ctx.now().getTime());
  const minutesLeft = (days * 24 + hours) * 60 + minutes;
  ctx.isPast(new Date(moment.getTime() - (minutesLeft * 60 - 1) * 1000));
  return { until: moment.toISOString(), left: { days, hours, minutes }, done: finalText };
}
