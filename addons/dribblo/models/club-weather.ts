import { f, model } from 'pergola';
import type { Weather } from '../services/weather/parse.ts';

/** Last weather report of a town and the state of the service, in one row per town shared by all nodes. */
export class WeatherReport extends model(
  'club.weather',
  {
    /** Town, base URL and fingerprint of the API key. */
    key: f.char({ required: true, unique: true, size: 400 }),
    data: f.json<Weather>(),
    error: f.char({ size: 400 }),
    fetched_date: f.datetime({ readonly: true, label: 'Requested on' }),
    /** Consecutive failures; after five, requests are paused. */
    failures: f.integer({ default: 0 }),
    closed_until: f.datetime({ readonly: true, label: 'Paused until' }),
  },
  { order: 'id', label: 'Weather', nameField: 'key' },
) {}

declare module 'pergola' {
  interface Models {
    'club.weather': WeatherReport;
  }
}
