import { createTestApp } from 'pergola/testing';
import { Match } from '../models/club-match.ts';

test('Matches of the demo begin at the hours of its site', async () => {
  await using app = await createTestApp({ addons: ['dribblo'], demo: true });
  const match = await app.read((ctx) =>
    ctx.model(Match).first([['mnbr', '=', 1060]], { select: { start_datetime: true } }),
  );
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', timeStyle: 'short' });
  expect(hour.format(match?.start_datetime ?? 0)).toBe('15:00');
});
