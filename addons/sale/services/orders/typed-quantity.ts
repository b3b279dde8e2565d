import { app, type Ctx, InvalidInput, numberFault } from 'pergola';
import { t } from '../../texts.ts';

/**
 * Parses a quantity typed by a visitor, in the number format of their language ("1,200"). Passes on other values, and texts without digits,
 * which count as 0.
 *
 * @throws InvalidInput for fractions and malformed numbers ("2.9", "1,2,3")
 */
export function typedQuantity(ctx: Ctx, value: unknown): unknown {
  if (typeof value !== 'string' || !/^[\p{Nd}\p{Cf}\s.,'’٫٬+−-]*\p{Nd}[\p{Nd}\p{Cf}\s.,'’٫٬]*$/u.test(value))
    return value;
  const reading = ctx.get(app.formats).parseNumber(value, ctx.lang, { places: 0 });
  if (!reading.problem) return Number(reading.value);
  throw new InvalidInput(
    numberFault(reading, (text, params) => t(ctx, text, params)),
    { code: 'sale.bad_quantity' },
  );
}
