import { setting, z } from 'pergola';

const section = 'Football club';

/** Town whose weather is shown; `ville` in `/get_data_snippets`. */
export const citySetting = setting<string>('dribblo.city', z.string().trim().max(120), '', {
  label: 'Town',
  help: 'Used for the weather. Add the country if several towns share the name: Val-Fleuri, FR',
  section,
});

export const OPEN_WEATHER_MAP = 'https://api.openweathermap.org/data/2.5';

/** Base URL of the weather service. Administrators can use a different one, including on the local network. */
export const weatherUrlSetting = setting<string>(
  'dribblo.weather_url',
  z
    .string()
    .trim()
    .max(300)
    .refine((text) => isServiceAddress(text), 'Enter an address starting with https:// or http://.'),
  OPEN_WEATHER_MAP,
  { label: 'Weather service URL', help: 'An OpenWeatherMap 2.5 API', section },
);

/** Only used on the server. */
export const weatherKeySetting = setting<string>('dribblo.weather_key', z.string().trim().max(200), '', {
  label: 'Weather service API key',
  section,
  secret: true,
  sentTo: weatherUrlSetting,
});

/** Key that may be published to browsers; `apikey` in `/get_data_snippets`. */
export const browserKeySetting = setting<string>('dribblo.weather_browser_key', z.string().trim().max(200), '', {
  label: 'Public API key',
  help: 'Visible to browsers. Leave empty unless your own scripts call the weather service',
  section,
});

function isServiceAddress(text: string): boolean {
  const address = URL.parse(text);
  if (!address || address.username || address.password || address.search || address.hash) return false;
  return address.protocol === 'https:' || address.protocol === 'http:';
}
