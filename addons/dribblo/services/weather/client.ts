import { app, type Ctx, service } from 'pergola';
import { citySetting, OPEN_WEATHER_MAP, weatherKeySetting, weatherUrlSetting } from '../../settings.ts';
import { mark } from '../../texts.ts';
import { getJson, RequestFailure } from './http-client.ts';
import { LANGUAGE, messageOf, readWeather, UNITS, type Weather } from './parse.ts';

/** Time limit for both requests together, in milliseconds. */
const TIME_LIMIT = 3_000;

/** Request parameters: town, base URL and API key. */
export interface Question {
  readonly town: string;
  readonly base: string;
  readonly key: string;
}

/** Result of a request. `message` is displayed: the service's own text, if any. */
export type Outcome = { readonly weather: Weather } | { readonly message: string };

/** Request parameters from the settings; null until an administrator has entered a town and a key. */
export async function weatherQuestion(ctx: Ctx): Promise<Question | null> {
  // The key stays on the server; pages only show the weather.
  const system = ctx.sudo();
  const [town, base, key] = await Promise.all([
    system.settings.get(citySetting),
    system.settings.get(weatherUrlSetting),
    system.settings.get(weatherKeySetting),
  ]);
  return town === '' || key === '' ? null : { town, base, key };
}

/** Client of the weather service; concurrent identical requests share one call. */
export class WeatherClient extends service('dribblo.weather', { log: app.log }) {
  readonly #underWay = new Map<string, Promise<Outcome>>();

  ask(question: Question): Promise<Outcome> {
    const key = JSON.stringify(question);
    const pending = this.#underWay.get(key);
    if (pending) return pending;
    const request = fetchWeather(question)
      .catch((error: unknown): Outcome => {
        this.log.warn({ err: error, town: question.town }, 'The weather service could not be reached');
        const isRequest = error instanceof RequestFailure || (Error.isError(error) && error.name === 'RequestFailure');
        return {
          message: isRequest ? mark('The weather service isn’t responding.') : mark('The weather isn’t available.'),
        };
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, request);
    return request;
  }
}

async function fetchWeather({ town, base, key }: Question): Promise<Outcome> {
  const signal = AbortSignal.timeout(TIME_LIMIT);
  // URLs entered by an administrator may be on the local network.
  const options = { inside: base !== OPEN_WEATHER_MAP, signal };
  const address = (endpoint: string): URL => {
    const url = new URL(`${base.replace(/\/+$/, '')}/${endpoint}`);
    url.search = new URLSearchParams({ q: town, units: UNITS, lang: LANGUAGE, appid: key }).toString();
    return url;
  };
  const [current, forecast] = await Promise.all([
    getJson(address('weather'), options),
    getJson(address('forecast'), options),
  ]);
  for (const { status, body } of [current, forecast]) {
    if (status !== 200) return { message: messageOf(body) ?? `${status}` };
  }
  const weather = readWeather(current.body, forecast.body);
  return weather
    ? { weather }
    : {
        message:
          messageOf(current.body) ?? messageOf(forecast.body) ?? mark('The weather service returned no forecast.'),
      };
}
