import { block, momentAt, z } from 'pergola';
import { countdownTo } from '../services/countdown.ts';

/** Countdown to a moment in the site's time zone. Shows the moment itself without JavaScript. */
export const countdownBlock = block('website.countdown', {
  label: 'Countdown',
  options: z.object({
    until: z.iso.datetime({ local: true, precision: -1 }).optional().meta({ title: 'End date' }),
    title: z.string().max(120).default('').meta({ title: 'Title' }),
    done: z.string().max(200).default('').meta({ title: 'Text after the countdown' }),
  }),
  template: 'website.countdown',
  load: async (ctx, { until, title, done: finalText }) => {
    const [day = '', time = ''] = until?.split('T') ?? [];
    const zone = ctx.siteTimezone;
    const moment = until ? momentAt(day, time, zone) : null;
    return {
      title,
      done: finalText,
      at: moment,
      zone,
      isOver: moment !== null && ctx.isPast(moment),
      countdown: moment && countdownTo(ctx, moment, finalText),
    };
  },
});
