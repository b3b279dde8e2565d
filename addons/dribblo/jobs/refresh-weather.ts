import { job, z } from 'pergola';
import { WeatherReports } from '../services/weather/reports.ts';

/** Fetches the weather in the background, so it is ready for visitors. */
export const refreshWeather = job('dribblo.refresh_weather', {
  label: 'Update the weather',
  input: z.object({}),
  cron: '*/15 * * * *',
  attempts: 1,
  lease: 30_000,
  run: async ({ ctx, write }) => {
    const report = await ctx.get(WeatherReports).askWhereDue();
    if (report) await write((writing) => writing.get(WeatherReports).keep(report));
  },
});
