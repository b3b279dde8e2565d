import { Conflict, InvalidInput, NotAllowed, NotFound, TooMany, Unauthenticated, Unavailable } from '../errors.ts';

test('Each kind of refusal has its status', () => {
  const refusals = [
    new Unauthenticated('No.'),
    new NotAllowed('No.'),
    new NotFound('No.'),
    new Conflict('No.'),
    new InvalidInput('No.'),
    new TooMany('No.', { retryAfter: 1 }),
    new Unavailable('No.', { retryAfter: 1 }),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([401, 403, 404, 409, 422, 429, 503]);
});
