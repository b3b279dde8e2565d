import { type FieldsOf, f, type Ids, mixin, type Values } from 'pergola';

/**
 * Records that visitors add to their calendars. The file contains `calendar_sequence` as `SEQUENCE` (RFC 5546). Calendars only replace an
 * entry by one with a higher number, so every change of time, place or status increments it. The model returns these fields:
 *
 * ```ts
 * override calendarFields() { return ['date_begin', 'date_end', 'address_id', 'state']; }
 * ```
 */
export const CalendarSequence = mixin(
  'website.calendar_sequence',
  { calendar_sequence: f.integer({ default: 0, min: 0, readonly: true, copy: false, label: 'Calendar revision' }) },
  (Base) =>
    class extends Base {
      /** Fields with the time, place and status. */
      calendarFields(): readonly string[] {
        return [];
      }

      override async beforeWrite(
        ids: Ids,
        values: Values<FieldsOf<InstanceType<typeof Base>>>,
      ): Promise<Values<FieldsOf<InstanceType<typeof Base>>>> {
        const complete = await super.beforeWrite(ids, values);
        const changed = Object.entries(complete).filter(([name]) => this.calendarFields().includes(name));
        if (changed.length === 0) return complete;
        const records = this.ctx
          .sudo() // Callers can have write access without read access.
          .modelNamed(this.modelName);
        const names = ['calendar_sequence', ...changed.map(([name]) => name)];
        const rows: readonly object[] = await records.read(ids, {
          select: Object.fromEntries(names.map((name) => [name, true])),
        });
        if (rows.every((row) => changed.every(([name, value]) => isSame(Reflect.get(row, name), value))))
          return complete;
        // All records written together get the same number; it only has to increase.
        const highest = Math.max(...rows.map((row) => Number(Reflect.get(row, 'calendar_sequence') ?? 0)));
        return { ...complete, calendar_sequence: highest + 1 };
      }
    },
);

function isSame(before: unknown, after: unknown): boolean {
  return before instanceof Date && after instanceof Date ? before.getTime() === after.getTime() : before === after;
}
