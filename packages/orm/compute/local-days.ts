import { clockTime } from '@pergola/browser';
import type { BoundModel } from '../compiled.ts';
import type { Id, Ids } from '../fields.ts';
import { readRecords } from '../read/complete.ts';

/**
 * Returns the calendar days of datetimes in the time zones of their records, for fields declared with `f.localDay`: by record, the day, or
 * an object of days by field name if the model has several such fields. Null if the datetime is empty.
 */
export async function localDaysOf(bound: BoundModel, ids: Ids): Promise<Map<Id, unknown>> {
  const { compiled, ctx } = bound;
  const fields = [...compiled.fields.values()].flatMap(({ name, options: { localDayOf, timezone, isEnd } }) =>
    localDayOf && timezone ? [{ name, datetimeField: localDayOf, timezone, last: isEnd ? 1 : 0 }] : [],
  );
  const select = Object.fromEntries(
    fields.flatMap(({ datetimeField, timezone }) => [[datetimeField, true] as const, [timezone, true] as const]),
  );
  const rows = await readRecords(bound, ids, select);
  return new Map(
    rows.map((row) => {
      const days = fields.map(({ name, datetimeField, timezone, last }) => {
        const moment: unknown = Reflect.get(row, datetimeField);
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

/** Returns null for an invalid zone, which the model's own check rejects later. */
function dayIn(moment: Date, zone: string): string | null {
  try {
    return clockTime(moment, zone).slice(0, 10);
  } catch {
    return null;
  }
}
