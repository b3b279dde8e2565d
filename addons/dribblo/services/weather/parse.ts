import { z } from 'pergola';

/** Number of forecast days stored, and shown in addition to today. */
const FORECAST_DAYS = 5;
export const SHOWN_DAYS = 4;
/** Units and language of all requests: metric, French. */
export const UNITS = 'metric';
export const LANGUAGE = 'fr';

/** Weather condition: OpenWeatherMap code (800 is a clear sky) with its French description. */
export interface Sky {
  readonly code: number;
  readonly text: string;
}

interface WeatherDay extends Sky {
  /** `2026-11-22` in the town's time zone. */
  readonly day: string;
  /** Whole degrees Celsius. */
  readonly min: number;
  readonly max: number;
}

/** Stored weather of a town. */
export interface Weather {
  readonly town: string;
  /** Time of measurement in seconds since 1970, and UTC offset of the town. */
  readonly measured: number;
  readonly ahead: number;
  readonly now: Sky & { readonly temperature: number; readonly humidity: number | null; readonly wind: number | null };
  /** Today and the following days, at most five. */
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
/** A three-hour or daily step; the service uses the same list for both. */
const step = z.object({
  dt: number,
  weather: sky,
  main: z.object({ temp: number.optional(), temp_min: number, temp_max: number }).optional(),
  temp: z.object({ min: number, max: number }).optional(),
});
const forecast = z.object({ list: z.array(step).max(200), city: z.object({ timezone: number.catch(0) }).optional() });

/** Parses both responses of the service; null if either is invalid. */
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
      // Converts metres per second to km/h.
      wind: wind.speed === null ? null : Math.round(wind.speed * 3.6),
    },
    days: daysOf(later.data.list, later.data.city?.timezone ?? timezone),
  };
}

/** Error message of a response, or null. */
export function messageOf(answer: unknown): string | null {
  const parsed = z.object({ message: z.string().min(1) }).safeParse(answer);
  return parsed.success ? parsed.data.message.slice(0, 300) : null;
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

/** The step closest to noon represents the day. */
function noonOf(parts: readonly z.infer<typeof step>[], ahead: number): z.infer<typeof step> {
  const [first, ...rest] = parts;
  if (!first) throw new TypeError('A day without a step');
  const fromNoon = ({ dt }: { dt: number }): number => Math.abs(((((dt + ahead) % 86_400) + 86_400) % 86_400) - 43_200);
  return rest.reduce((best, part) => (fromNoon(part) < fromNoon(best) ? part : best), first);
}
