import { clockTime } from '@pergola/browser';
import type { BoundModel } from '../compiled.ts';
import type { Id, Ids } from '../fields.ts';
import { readRecords } from '../read/complete.ts';

/**
 * Calendar days of moments in the zones of their records, for fields declared with `f.localDay`: by record the day, or an object of days by field name
 * if the model has several such fields. Null for empty moments.
 */
export async function localDaysOf(bound: BoundModel, ids: Ids): Promise<Map<Id, unknown>> {
  const { compiled, ctx } = bound;
  const fields = [...compiled.fields.values()].flatMap(({ name, options: { localDayOf, timezone, isEnd } }) =>
    localDayOf && timezone ? [{ name, of: localDayOf, timezone, last: isEnd ? 1 : 0 }] : [],
  );
  const select = Object.fromEntries(
    fields.flatMap(({ of, timezone }) => [[of, true] as const, [timezone, true] as const]),
  );
  const rows = await readRecords(bound, ids, select);
  return new Map(
    rows.map((row) => {
      const days = fields.map(({ name, of, timezone, last }) => {
        const moment: unknown = Reflect.get(row, of);
        const zone: unknown = Reflect.get(row, timezone);
        const day =
          moment instanceof Date
            ? dayIn(new Date(moment.getTime() - last), typeof zone === 'string' ? zone : ctx.siteTimezone)
            : null;
        return [name, day] as const;
      });
      return [row.id, days.length === 1 ? days[0]?.[1] : Object.fromEntries(days)];
    }),
  );
}

/** Null for a zone that isn't one: the model's own check refuses it afterwards. */
function dayIn(moment: Date, zone: string): string | null {
  try {
    return clockTime(moment, zone).slice(0, 10);
  } catch {
    return null;
  }
}
