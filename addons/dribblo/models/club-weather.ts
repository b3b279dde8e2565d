import { f, model } from 'pergola';
import type { Weather } from '../services/weather/parse.ts';

/** What the weather service last said of a town, and how it is doing: one row per town, shared by all nodes. */
export class WeatherReport extends model(
  'club.weather',
  {
    /** The town and the address it was asked at. */
    key: f.char({ required: true, unique: true, size: 400 }),
    data: f.json<Weather>(),
    error: f.char({ size: 400 }),
    fetched_date: f.datetime({ readonly: true, label: 'Asked' }),
    /** In a row; after five it is left alone for a while. */
    failures: f.integer({ default: 0 }),
    closed_until: f.datetime({ readonly: true }),
  },
  { order: 'id', label: 'Weather', nameField: 'key' },
) {}

declare module 'pergola' {
  interface Models {
    'club.weather': WeatherReport;
  }
}
