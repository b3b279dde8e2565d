import { app, type Ctx, service } from 'pergola';
import { citySetting, OPEN_WEATHER_MAP, weatherKeySetting, weatherUrlSetting } from '../../settings.ts';
import { mark } from '../../texts.ts';
import { getJson, RequestFailure } from './http-client.ts';
import { LANGUAGE, messageOf, readWeather, UNITS, type Weather } from './parse.ts';

/** Both questions together take no longer, in milliseconds. */
const TIME_LIMIT = 3_000;

/** What there is to ask: about which town, where, with which key. */
export interface Question {
  readonly town: string;
  readonly base: string;
  readonly key: string;
}

/** What came of asking. `message` is for people: the service's own, where it gave one. */
export type Outcome = { readonly weather: Weather } | { readonly message: string };

/** The question the settings ask; null until an administrator named a town and a key. */
export async function weatherQuestion(ctx: Ctx): Promise<Question | null> {
  // The key stays on the server; pages only ever show what was answered.
  const system = ctx.sudo();
  const [town, base, key] = await Promise.all([
    system.settings.get(citySetting),
    system.settings.get(weatherUrlSetting),
    system.settings.get(weatherKeySetting),
  ]);
  return town === '' || key === '' ? null : { town, base, key };
}

/** Asks the weather service; several who ask for the same at once share one question. */
export class WeatherClient extends service('dribblo.weather', { log: app.log }) {
  readonly #underWay = new Map<string, Promise<Outcome>>();

  ask(question: Question): Promise<Outcome> {
    const key = JSON.stringify(question);
    const known = this.#underWay.get(key);
    if (known) return known;
    const asking = askService(question)
      .catch((error: unknown): Outcome => {
        this.log.warn({ err: error, town: question.town }, 'The weather service could not be asked');
        const isRequest = error instanceof RequestFailure || (Error.isError(error) && error.name === 'RequestFailure');
        return {
          message: isRequest ? mark('The weather service does not answer.') : mark('The weather cannot be shown.'),
        };
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asking);
    return asking;
  }
}

async function askService({ town, base, key }: Question): Promise<Outcome> {
  const signal = AbortSignal.timeout(TIME_LIMIT);
  // Where an administrator named an address, it is meant, also on the own network.
  const about = { inside: base !== OPEN_WEATHER_MAP, signal };
  const address = (what: string): URL => {
    const url = new URL(`${base.replace(/\/+$/, '')}/${what}`);
    url.search = new URLSearchParams({ q: town, units: UNITS, lang: LANGUAGE, appid: key }).toString();
    return url;
  };
  const [current, forecast] = await Promise.all([
    getJson(address('weather'), about),
    getJson(address('forecast'), about),
  ]);
  for (const { status, body } of [current, forecast]) {
    if (status !== 200) return { message: messageOf(body) ?? `${status}` };
  }
  const weather = readWeather(current.body, forecast.body);
  return weather
    ? { weather }
    : { message: messageOf(current.body) ?? messageOf(forecast.body) ?? mark('The weather service gave no forecast.') };
}
