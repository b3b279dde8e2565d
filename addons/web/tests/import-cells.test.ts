import type { FieldInfo } from '../backend/types.ts';
import { readCell } from '../services/backend/import/cells.ts';
import { decimalSignIn } from '../services/backend/import/numbers.ts';

const read = (kind: 'date' | 'datetime', text: string, dayFirst = true): unknown => {
  try {
    return readCell(text, { kind } as FieldInfo, { dayFirst, timezone: 'Europe/Brussels', numbers: String });
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

test.each([
  ['2026-11-21', '2026-11-20 23:00:00'],
  ['21/11/2026 9:30', '2026-11-21 08:30:00'],
  ['21.11.2026 09:30:15', '2026-11-21 08:30:15'],
  ['2026-11-21T09:30:00.000Z', '2026-11-21 09:30:00'],
  ['2026-11-21 09:30+0200', '2026-11-21 07:30:00'],
  // Not midnight of that day: a time that is not understood is no time.
  ['21/11/2026 3:30 PM', 'web.import_value'],
  ['2026-11-21 25:61', 'web.import_value'],
  ['2026-11-21 10:00 Europe/Paris', 'web.import_value'],
  ['2026-02-30 10:00', 'web.import_value'],
  ['soon', 'web.import_value'],
])('a moment in a file, %s, is read as %s', (text, moment) => expect(read('datetime', text)).toBe(moment));

test.each([
  ['2026-11-21', true, '2026-11-21'],
  ['3/4/2026', true, '2026-04-03'],
  ['3/4/2026', false, '2026-03-04'],
  ['2026-11-21 09:30', true, '2026-11-21'],
  ['13/13/2026', true, 'web.import_value'],
  ['2026-11-21x', true, 'web.import_value'],
])('a day in a file, %s (day first: %s), is read as %s', (text, dayFirst, day) =>
  expect(read('date', text, dayFirst)).toBe(day),
);

test.each([
  [['1,250', '12,50'], ','],
  [['1,250', '12.5'], '.'],
  [['1,250', '1.250'], null],
  [['1.234.567'], ','],
  [['1,234,567'], '.'],
  [['1.234,56', '1.234', '999,90'], ','],
  [['0,125'], ','],
  [['1234,567'], ','],
  [['12,50', '12.50'], null],
  [['€1,250.00'], '.'],
  [['kr. 5', '1.250'], null],
  [['12', 1.5, null, ''], null],
])('the numbers %j of a column have the decimal sign %s', (cells, sign) => expect(decimalSignIn(cells)).toBe(sign));
