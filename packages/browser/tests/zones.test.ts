import { clockTime, isRepeated, isSameTime, momentAfterGap, momentsAt, spanTexts, zoneName } from '../zones.ts';

const inEnglish = (zone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone });
const inFrench = (zone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('fr-FR', { ...options, timeZone: zone });
const plain = (text: string): string => text.replace(/[\u2009\u202f\u00a0]/g, ' ');
const span = (start: string, end: string, zone: string) => ({ start: new Date(start), end: new Date(end), zone });

test.each([
  ['Europe/Paris', '2027-05-11T01:00'],
  ['America/New_York', '2027-05-10T19:00'],
  ['Pacific/Kiritimati', '2027-05-11T13:00'],
  ['Pacific/Pago_Pago', '2027-05-10T12:00'],
  ['Asia/Kathmandu', '2027-05-11T04:45'],
])('clocks in %s show %s', (zone, text) => {
  const moment = new Date('2027-05-10T23:00:00Z');
  expect(clockTime(moment, zone)).toBe(text);
  expect(momentsAt(text, zone)).toEqual([moment]);
});

test.each([
  ['Europe/Paris', '2027-10-31T02:30', ['2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z']],
  ['America/New_York', '2027-11-07T01:30', ['2027-11-07T05:30:00.000Z', '2027-11-07T06:30:00.000Z']],
  ['Australia/Lord_Howe', '2027-04-04T01:45', ['2027-04-03T14:45:00.000Z', '2027-04-03T15:15:00.000Z']],
  ['Europe/Paris', '2027-03-28T02:30', []],
])('in %s, %s is %j', (zone, text, moments) => {
  expect(momentsAt(text, zone).map((moment) => moment.toISOString())).toEqual(moments);
  for (const moment of moments) expect(isRepeated(new Date(moment), zone)).toBe(true);
});

test('a time that clocks skip is as much later', () => {
  expect(momentAfterGap('2027-03-28T02:30', 'Europe/Paris')?.toISOString()).toBe('2027-03-28T01:30:00.000Z');
  expect(momentAfterGap('2027-03-14T02:15', 'America/New_York')?.toISOString()).toBe('2027-03-14T07:15:00.000Z');
  expect(momentAfterGap('soon', 'Europe/Paris')).toBeNull();
});

test('zones are the same while their clocks agree', () => {
  expect(isSameTime('Europe/Paris', 'Europe/Brussels', new Date('2027-05-10T12:00:00Z'))).toBe(true);
  // New York changes its clocks two weeks before Paris.
  expect(isSameTime('America/Phoenix', 'America/Denver', new Date('2027-01-10T12:00:00Z'))).toBe(true);
  expect(isSameTime('America/Phoenix', 'America/Denver', new Date('2027-07-10T12:00:00Z'))).toBe(false);
});

test.each([
  [span('2027-05-10T23:00:00Z', '2027-05-11T01:00:00Z', 'America/New_York'), 'Mon, May 10, 2027, 7:00 – 9:00 PM'],
  [
    span('2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z', 'Europe/Paris'),
    'Sun, Oct 31, 2027, 2:30 AM GMT+2 – 2:30 AM GMT+1',
  ],
  [span('2027-05-10T23:00:00Z', '2027-05-10T23:00:00Z', 'Asia/Tokyo'), 'Tue, May 11, 2027, 8:00 AM'],
])('a span is written on the clocks of its place', (given, text) => {
  expect(plain(spanTexts(given, inEnglish).text)).toBe(text);
});

test('nights and days are written short', () => {
  const night = spanTexts(span('2027-01-26T20:00:00Z', '2027-01-26T23:30:00Z', 'Europe/Paris'), inEnglish);
  expect(plain(night.brief)).toBe('Tue, Jan 26, 2027, 9:00 PM – 12:30 AM');
  const days = spanTexts(span('2026-11-30T03:00:00Z', '2026-12-04T02:00:00Z', 'America/Los_Angeles'), inFrench);
  expect(days.isDays).toBe(true);
  expect(plain(days.brief)).toBe('dim. 29 nov. – jeu. 3 déc. 2026');
  const round = spanTexts(span('2026-11-30T11:00:00Z', '2026-12-01T11:00:00Z', 'Europe/Paris'), inFrench);
  expect(round.isDays).toBe(true);
});

test('zones are called after their cities', () => {
  const t = (text: string, params: object = {}) => text.replace('{city}', String(Reflect.get(params, 'city')));
  expect(zoneName('America/Argentina/Buenos_Aires', t)).toBe('Buenos Aires time');
  expect(zoneName('UTC', t)).toBe('UTC');
});
