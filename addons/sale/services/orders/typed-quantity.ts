import { app, type Ctx, InvalidInput, numberFault } from 'pergola';
import { t } from '../../texts.ts';

/**
 * A quantity as a visitor typed it, in the way their language writes numbers ("1,200"). Other values are passed on, and so is a text
 * that has nothing of a number, which counts as 0.
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
