import { block, type Ctx, route, z } from 'pergola';
import { SHOWN_DAYS, type Weather } from '../services/weather/parse.ts';
import { WeatherReports } from '../services/weather/reports.ts';
import { iconOf, wordsFor } from '../services/weather/words.ts';
import { mark, t } from '../texts.ts';
import { entry, type Piece } from './kit.ts';

async function shown(ctx: Ctx) {
  const { isSet, weather, error, due } = await ctx.get(WeatherReports).current();
  return { isSet, due, error: error === null ? null : t(ctx, error), weather: weather ? view(ctx, weather) : null };
}

function view(ctx: Ctx, { town, measured, ahead, now, days }: Weather) {
  const today = new Date((measured + ahead) * 1000).toISOString().slice(0, 10);
  const later = days.filter(({ day }) => day > today);
  return {
    town,
    measured: new Date(measured * 1000),
    temperature: now.temperature,
    humidity: now.humidity,
    wind: now.wind,
    icon: iconOf(now),
    text: wordsFor(ctx, now),
    days: (later.length > 0 ? later : days).slice(0, SHOWN_DAYS).map((day) => ({
      day: day.day,
      min: day.min,
      max: day.max,
      icon: iconOf(day),
      text: wordsFor(ctx, day),
    })),
  };
}

const weatherBlock = block('dribblo.weather', {
  label: 'Weather',
  options: z.object({}),
  template: 'dribblo.weather',
  load: (ctx) => shown(ctx),
});

/** Called by the page when its weather data is outdated, so rendering never waits for the weather service. */
export const refreshRoute = route.rpc(
  '/dribblo/weather',
  {
    name: 'dribblo.weather',
    input: z.object({}),
    rate: { calls: 30, seconds: 60 },
    prepare: ({ ctx }) => ctx.get(WeatherReports).askWhereDue(),
    writes: ({ prepared }) => prepared !== null,
  },
  async ({ ctx, prepared, renderFragment }) => {
    if (prepared) await ctx.get(WeatherReports).keep(prepared);
    return renderFragment('dribblo.weather_report', { ...(await shown(ctx)), due: false });
  },
);

/** Weather at the club's location. */
export const weatherPieces: Piece = {
  blocks: [weatherBlock],
  snippets: [entry('weather', mark('Weather'))],
  routes: [refreshRoute],
};
