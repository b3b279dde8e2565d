import { app, type Ctx, InvalidInput } from 'pergola';
import { t } from '../texts.ts';
import { type Unreadable, unreadable } from './colours.ts';
import { looks } from './point.ts';
import { lookShape } from './shape.ts';

/**
 * Rejects a look with unknown choices or unreadable custom colours.
 *
 * @throws InvalidInput with errors by field, such as `own.light.primary`
 */
export function checkLook(ctx: Ctx, value: unknown): void {
  const read = lookShape.safeParse(value);
  if (!read.success) {
    throw new InvalidInput('Invalid appearance: {reason}', {
      code: 'website.bad_look',
      params: { reason: read.error.issues[0]?.message ?? '' },
      fields: Object.fromEntries(read.error.issues.map(({ path, message }) => [path.join('.'), message])),
    });
  }
  const { palette, own: customColours, fonts, header, footer } = read.data;
  const parts = ctx.get(looks);
  const choices = [
    ['palette', palette === 'own' ? customColours !== null : parts.palettes.has(palette)],
    ['fonts', parts.fonts.has(fonts)],
    ['header', parts.headers.has(header)],
    ['footer', parts.footers.has(footer)],
  ] as const;
  const missing = choices.filter(([, isThere]) => !isThere).map(([field]) => field);
  if (missing.length > 0) {
    const message = 'This option doesn’t exist.';
    throw new InvalidInput(message, {
      code: 'website.bad_look',
      fields: Object.fromEntries(missing.map((field) => [field, message])),
    });
  }
  // Unused custom colours aren't checked.
  const faults = palette === 'own' && customColours !== null ? unreadable(customColours) : [];
  if (faults.length > 0) {
    throw new InvalidInput('Some of these colours don’t have enough contrast. Choose colours that differ more.', {
      code: 'website.unreadable',
      fields: Object.fromEntries(
        faults.map((fault) => [`own.${fault.scheme}.${fault.colour}`, faultMessage(ctx, fault)]),
      ),
    });
  }
}

function faultMessage(ctx: Ctx, { on, ratio }: Unreadable): string {
  const params = { ratio: ctx.get(app.formats).formatNumber(ratio, ctx.lang) };
  if (on === 'background') return t(ctx, 'Contrast with the background is {ratio}. Use at least 4.5.', params);
  if (on === 'surface') return t(ctx, 'Contrast with the secondary background is {ratio}. Use at least 4.5.', params);
  return t(ctx, 'Contrast with error messages is {ratio}. Use at least 4.5.', params);
}
