import type { Ctx } from 'pergola';
import { t } from '../../texts.ts';
import type { Sky } from './parse.ts';

/** Bootstrap icon for a weather condition. */
export function iconOf({ code }: Sky): string {
  if (code < 300) return 'cloud-lightning-rain';
  if (code < 500) return 'cloud-drizzle';
  if (code < 600) return code === 511 ? 'cloud-sleet' : 'cloud-rain';
  if (code < 700) return 'cloud-snow';
  if (code < 800) return 'cloud-fog';
  if (code === 800) return 'sun';
  return code < 803 ? 'cloud-sun' : 'clouds';
}

/** Description of a weather condition in the reader's language: the service's own text in French, otherwise this addon's translation. */
export function wordsFor(ctx: Ctx, sky: Sky): string {
  const { code, text } = sky;
  if (ctx.lang.startsWith('fr') && text !== '') return text;
  if (code < 300) return t(ctx, 'thunderstorm');
  if (code < 500) return t(ctx, 'drizzle');
  if (code < 600) return t(ctx, 'rain');
  if (code < 700) return t(ctx, 'snow');
  if (code < 800) return t(ctx, 'fog');
  if (code === 800) return t(ctx, 'clear sky');
  return code < 803 ? t(ctx, 'partly cloudy') : t(ctx, 'cloudy');
}
