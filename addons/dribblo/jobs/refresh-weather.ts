import { job, z } from '#core';
import { askWhereDue, keepOutcome } from '../services/weather/report.ts';

/** Asks for the weather in the background, so that visitors find it there. */
export const refreshWeather = job('dribblo.refresh_weather', {
  input: z.object({}),
  cron: '*/15 * * * *',
  attempts: 1,
  lease: 30_000,
  run: async ({ ctx, write }) => {
    const asked = await askWhereDue(ctx);
    if (asked) await write((writing) => keepOutcome(writing, asked));
  },
});
