import type { Ctx } from 'pergola';
import { timeLeft } from '../islands/parts/time-left.ts';

/**
 * Props of the island `website.Countdown`: whole minutes until a moment, and the final text `done`. A cached page with it expires at the
 * next minute.
 */
export function countdownTo(ctx: Ctx, at: Date, done = '') {
  const { days, hours, minutes } = timeLeft(at.getTime() - ctx.now().getTime());
  const whole = (days * 24 + hours) * 60 + minutes;
  ctx.isPast(new Date(at.getTime() - (whole * 60 - 1) * 1000));
  return { until: at.toISOString(), left: { days, hours, minutes }, done };
}
