import { z } from 'pergola';

/** Days a forecast is kept for, and how many of them are shown beside today. */
const FORECAST_DAYS = 5;
export const SHOWN_DAYS = 4;
/** What the service is always asked for: metric numbers and French words. */
export const UNITS = 'metric';
export const LANGUAGE = 'fr';

/** A kind of weather: OpenWeatherMap's code (800 is a clear sky) with its words in French. */
export interface Sky {
  readonly code: number;
  readonly text: string;
}

interface WeatherDay extends Sky {
  /** `2026-11-22` in the town's own time. */
  readonly day: string;
  /** Degrees Celsius, whole. */
  readonly min: number;
  readonly max: number;
}

/** The weather of a town as it is kept. */
export interface Weather {
  readonly town: string;
  /** When it was measured, in seconds since 1970, and how far the town's clocks are ahead of UTC. */
  readonly measured: number;
  readonly ahead: number;
  readonly now: Sky & { readonly temperature: number; readonly humidity: number | null; readonly wind: number | null };
  /** Today and the days after it, at most five. */
  readonly days: readonly WeatherDay[];
}

const number = z.coerce.number().refine(Number.isFinite);
const sky = z.array(z.object({ id: number, description: z.string().max(200).catch('') })).min(1);
const current = z.object({
  name: z.string().max(200).catch(''),
  dt: number,
  timezone: number.catch(0),
  weather: sky,
  main: z.object({ temp: number, humidity: number.nullable().catch(null) }),
  wind: z.object({ speed: number.nullable().catch(null) }).catch({ speed: null }),
});
/** One step of three hours, or one day: the service has both, in the same list. */
const step = z.object({
  dt: number,
  weather: sky,
  main: z.object({ temp: number.optional(), temp_min: number, temp_max: number }).optional(),
  temp: z.object({ min: number, max: number }).optional(),
});
const forecast = z.object({ list: z.array(step).max(200), city: z.object({ timezone: number.catch(0) }).optional() });

/** The weather from the service's two answers; null when they are no such answers. */
export function readWeather(currentAnswer: unknown, forecastAnswer: unknown): Weather | null {
  const now = current.safeParse(currentAnswer);
  const later = forecast.safeParse(forecastAnswer);
  if (!now.success || !later.success) return null;
  const { name, dt, timezone, main, wind, weather } = now.data;
  return {
    town: name,
    measured: dt,
    ahead: timezone,
    now: {
      ...skyOf(weather),
      temperature: Math.round(main.temp),
      humidity: main.humidity === null ? null : Math.round(main.humidity),
      // Metres in a second; people here think in kilometres in an hour.
      wind: wind.speed === null ? null : Math.round(wind.speed * 3.6),
    },
    days: daysOf(later.data.list, later.data.city?.timezone ?? timezone),
  };
}

/** The message of an answer that says what went wrong; null when it says nothing. */
export function messageOf(answer: unknown): string | null {
  const said = z.object({ message: z.string().min(1) }).safeParse(answer);
  return said.success ? said.data.message.slice(0, 300) : null;
}

function skyOf([first]: readonly { id: number; description: string }[]): Sky {
  return { code: Math.round(first?.id ?? 800), text: first?.description ?? '' };
}

function daysOf(steps: readonly z.infer<typeof step>[], ahead: number): WeatherDay[] {
  const byDay = Map.groupBy(steps, ({ dt }) => new Date((dt + ahead) * 1000).toISOString().slice(0, 10));
  return [...byDay].slice(0, FORECAST_DAYS).map(([day, parts]) => {
    const lows = parts.map(({ main, temp }) => main?.temp_min ?? temp?.min ?? Number.NaN).filter(Number.isFinite);
    const highs = parts.map(({ main, temp }) => main?.temp_max ?? temp?.max ?? Number.NaN).filter(Number.isFinite);
    return { day, min: extreme(Math.min, lows), max: extreme(Math.max, highs), ...skyOf(noonOf(parts, ahead).weather) };
  });
}

function extreme(pick: (...values: number[]) => number, values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.round(pick(...values));
}

/** The step nearest to noon says what the day is like. */
function noonOf(parts: readonly z.infer<typeof step>[], ahead: number): z.infer<typeof step> {
  const [first, ...rest] = parts;
  if (!first) throw new TypeError('A day without a step');
  const fromNoon = ({ dt }: { dt: number }): number => Math.abs(((((dt + ahead) % 86_400) + 86_400) % 86_400) - 43_200);
  return rest.reduce((best, one) => (fromNoon(one) < fromNoon(best) ? one : best), first);
}
