import type { Ctx } from 'pergola';
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
  if (code < 300) return ctx.t('thunderstorm');
  if (code < 500) return ctx.t('drizzle');
  if (code < 600) return ctx.t('rain');
  if (code < 700) return ctx.t('snow');
  if (code < 800) return ctx.t('fog');
  if (code === 800) return ctx.t('clear sky');
  return code < 803 ? ctx.t('partly cloudy') : ctx.t('cloudy');
}
