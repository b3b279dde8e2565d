import { quoted } from '../schema/names.ts';

test('The name of a table is quoted, and the name of a model refused with its table', () => {
  expect(quoted('booking_reservation')).toBe('"booking_reservation"');
  expect(() => quoted('booking.reservation')).toThrow(/cannot name a table.* Did you mean “booking_reservation”\?$/);
  expect(() => quoted('Booking "x"')).toThrow(/at most 63 of them\.$/);
});
