import { momentAt, mondayOf } from 'pergola';
import { readMoment } from '../blocks/countdown.ts';
import { facebookPage, twitterName } from '../blocks/social.ts';
import { ageOn, isProtected, publicName } from '../models/club-member.ts';
import { cropOf } from '../routes/wall-input.ts';
import { readFixtures } from '../services/fixture-list.ts';
import { type PlayedMatch, standings } from '../services/standings.ts';
import { weekLabel, weekOfYear } from '../services/week.ts';

const points = { win: 3, draw: 1, loss: 0, forfeit: -1 };
const teams = [
  { id: 1, name: 'Ajax' },
  { id: 2, name: 'Bern' },
  { id: 3, name: 'Cork' },
  { id: 4, name: 'Dijon' },
];
const usual = ['goal_difference', 'goals_for', 'direct', 'name'] as const;

function match(text: string): PlayedMatch {
  const [, home = '', homeGoals = '', awayGoals = '', away = ''] = /^(\d) (\d+)-(\d+) (\d)$/.exec(text) ?? [];
  return { home: Number(home), away: Number(away), homeGoals: Number(homeGoals), awayGoals: Number(awayGoals) };
}
const table = (matches: readonly string[], rules: Parameters<typeof standings>[3] = usual) =>
  standings(teams, matches.map(match), points, rules);
const order = (matches: readonly string[], rules?: Parameters<typeof standings>[3]) =>
  table(matches, rules).map(({ rank, name }) => `${rank} ${name}`);
const reasonOf = (id: number, matches: readonly string[], rules?: Parameters<typeof standings>[3]) =>
  table(matches, rules).find((row) => row.id === id)?.reason;

describe('standings', () => {
  it('count points, goals and matches', () => {
    const [first] = table(['1 2-0 2', '3 1-1 1']);
    expect(first).toMatchObject({
      name: 'Ajax',
      rank: 1,
      played: 2,
      won: 1,
      drawn: 1,
      lost: 0,
      points: 4,
      goalsFor: 3,
      goalsAgainst: 1,
      goalsAway: 1,
    });
  });

  it.each<[string, string[], Parameters<typeof standings>[3] | undefined, string[]]>([
    ['points', ['1 1-0 2', '3 1-1 4'], undefined, ['1 Ajax', '2 Cork', '3 Dijon', '4 Bern']],
    ['goal difference', ['1 1-0 2', '3 3-0 4'], undefined, ['1 Cork', '2 Ajax', '3 Bern', '4 Dijon']],
    ['goals scored', ['1 1-0 2', '3 3-2 4'], undefined, ['1 Cork', '2 Ajax', '3 Dijon', '4 Bern']],
    ['names, when nothing else does', [], undefined, ['1 Ajax', '2 Bern', '3 Cork', '4 Dijon']],
    [
      'the matches between them, before goals',
      ['2 1-0 1', '1 5-0 4', '3 1-0 4'],
      ['direct', 'goal_difference', 'name'],
      ['1 Bern', '2 Cork', '3 Ajax', '4 Dijon'],
    ],
    ['goals scored away', ['1 0-2 2', '2 0-2 1'], ['goals_away', 'name'], ['1 Ajax', '2 Bern', '3 Cork', '4 Dijon']],
  ])('are decided by %s', (_name, matches, rules, expected) => {
    expect(order(matches, rules)).toEqual(expected);
  });

  it('tell three level teams apart by a table of their own matches', () => {
    const circle = ['1 2-0 2', '2 3-0 3', '3 1-0 1'];
    expect(order(circle, ['direct', 'name'])).toEqual(['1 Bern', '2 Ajax', '3 Cork', '4 Dijon']);
  });

  it('share a rank where all rules leave teams level', () => {
    expect(order(['1 1-1 2'], ['goal_difference'])).toEqual(['1 Ajax', '1 Bern', '3 Cork', '3 Dijon']);
    expect(reasonOf(2, ['1 1-1 2'], ['goal_difference'])).toEqual({ rule: 'level', other: 1, own: 0, theirs: 0 });
  });

  it('say why each team stands where it does', () => {
    expect(reasonOf(1, ['1 1-0 2'])).toEqual({ rule: 'points', other: 3, own: 3, theirs: 0 });
    expect(reasonOf(1, ['1 1-1 2'])).toEqual({ rule: 'name', other: 2, own: 0, theirs: 0 });
    expect(reasonOf(1, ['1 1-0 2', '3 3-0 4'])).toEqual({ rule: 'goal_difference', other: 3, own: 1, theirs: 3 });
    expect(reasonOf(1, ['1 1-0 2', '3 3-2 4'])).toEqual({ rule: 'goals_for', other: 3, own: 1, theirs: 3 });
    expect(reasonOf(1, ['2 1-0 1', '1 5-0 4', '3 1-0 4'], ['direct', 'name'])).toEqual({
      rule: 'direct',
      other: 3,
      own: -1,
      theirs: 0,
    });
    expect(reasonOf(2, ['1 1-1 2'], ['name'])).toEqual({ rule: 'name', other: 1, own: 0, theirs: 0 });
    expect(reasonOf(4, [])).toMatchObject({ rule: 'name', other: 3 });
    expect(standings(teams.slice(0, 1), [], points, usual)[0]?.reason.rule).toBe('alone');
  });

  it('count points that were taken or given, but not in the matches between level teams', () => {
    const rows = standings(
      teams,
      ['1 1-0 2', '2 1-0 3', '3 1-0 1'].map(match),
      points,
      ['direct', 'name'],
      [
        { team: 1, points: -1 },
        { team: 1, points: -2 },
        { team: 4, points: 3 },
        { team: 9, points: 5 },
      ],
    );
    expect(rows.map(({ name, points: all, adjusted }) => [name, all, adjusted])).toEqual([
      ['Bern', 3, 0],
      ['Dijon', 3, 3],
      ['Cork', 3, 0],
      ['Ajax', 0, -3],
    ]);
  });

  it('punish a forfeit by its own points, and ignore teams of other leagues', () => {
    const [, , , last] = standings(
      teams,
      [{ home: 1, away: 4, homeGoals: 3, awayGoals: 0, forfeitBy: 4 }, match('9 9-0 1')],
      points,
      usual,
    );
    expect(last).toMatchObject({ name: 'Dijon', points: -1, goalsAgainst: 3 });
  });
});

describe('names of children', () => {
  const today = '2026-11-21';
  it.each([
    ['on the sixteenth birthday', '2010-11-21', null, false],
    ['the day before', '2010-11-22', null, true],
    ['an adult', '1990-01-01', 13, false],
    ['age unknown, adult category', null, null, false],
    ['age unknown, young category', null, 13, true],
    ['nothing known', null, undefined, true],
  ])('are protected by age: %s', (_name, birth, limit, expected) => {
    expect(isProtected(birth, limit, today)).toBe(expected);
  });
  it.each([
    ['Léo Martin', true, 'Léo M.'],
    ['Léo Martin', false, 'Léo Martin'],
    ['Anne-Sophie de la Tour', true, 'Anne-Sophie T.'],
    ['  Zoé   élan ', true, 'Zoé É.'],
    ['Pelé', true, 'Pelé'],
  ])('%s, child: %s, is %s', (name, child, expected) => {
    expect(publicName(name, child)).toBe(expected);
  });
  it('counts years to the day', () => {
    expect([ageOn('2010-11-22', today), ageOn('2010-11-21', today)]).toEqual([15, 16]);
  });
});

describe('weeks', () => {
  it.each([
    ['2026-11-21', '2026-11-16', 47],
    ['2026-01-01', '2025-12-29', 1],
    ['2027-01-03', '2026-12-28', 53],
    ['2024-12-30', '2024-12-30', 1],
  ])('of %s begin on %s and have number %i', (day, monday, number) => {
    expect([mondayOf(day), weekOfYear(mondayOf(day))]).toEqual([monday, number]);
  });
  it('are called as the calls say', () => {
    const week = {
      offset: 0,
      number: 47,
      monday: '2026-11-16',
      sunday: '2026-11-22',
      from: new Date(),
      to: new Date(),
    };
    expect(weekLabel(week)).toBe('Semaine 47 (16/11/2026 – 22/11/2026)');
  });
  it.each([
    ['2026-07-01', '00:00', '2026-06-30T22:00:00.000Z'],
    ['2026-12-01', '00:00', '2026-11-30T23:00:00.000Z'],
    ['2026-03-29', '03:30', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25', '12:00', '2026-10-25T11:00:00.000Z'],
  ])('begin when clocks in Paris say so: %s %s', (day, time, expected) => {
    expect(momentAt(day, time, 'Europe/Paris').toISOString()).toBe(expected);
  });
});

describe('a list of fixtures', () => {
  const head = 'Numéro;Date;Heure;Domicile;Visiteur;Journée';
  const read = (text: string, dayFirst: boolean | null = null) => {
    const [headers = [], ...rows] = text
      .trim()
      .split('\n')
      .map((line) => line.split(';'));
    const source = { encoding: null, delimiter: null, sheets: [], sheet: 0, headerRow: 1, top: [] };
    return readFixtures({ headers, rows, lines: rows.map((_, index) => index + 2), source }, dayFirst);
  };

  it('is read with French and English headings', () => {
    const french = read(`${head}\n7;sam. 21/11/2026;15h30;A;B;J 8\n`);
    const english = read('date;time;home;away\n2026-11-21;3:30 PM;A;B\n');
    const short = read('Date;Heure;Recevant;Visiteurs\n21.11.26;9h;A;B\n');
    expect(french.fixtures).toEqual([
      {
        line: 2,
        mnbr: 7,
        day: '2026-11-21',
        time: '15:30',
        receiver: 'A',
        visitor: 'B',
        competition: '',
        phase: 'J 8',
        venue: '',
      },
    ]);
    expect(english.fixtures[0]).toMatchObject({ mnbr: null, day: '2026-11-21', time: '15:30' });
    expect(short.fixtures[0]).toMatchObject({ day: '2026-11-21', time: '09:00' });
    expect([french, english, short].flatMap(({ errors }) => errors)).toEqual([]);
  });
  it('quotes the first forty characters of what is wrong', () => {
    const [date, number] = ['32'.repeat(30), 'n'.repeat(60)];
    const { errors } = read(`${head}\n${number};${date};${date};A;B;x\n`);
    expect(errors.map(({ params }) => params.value)).toEqual([date, date, number].map((text) => text.slice(0, 40)));
  });

  it('names every line that is wrong, and everything that is wrong with it', () => {
    const { errors } = read(
      `${head}\n1;31/02/2026;25:00;A;;x\n2;21/11/2026;15:00;A;a;x\n2;21/11/2026;15:00;A;B;x\nzz;21/11/2026;15:00;A;B;x\n`,
    );
    expect(errors.map(({ line, text }) => [line, text])).toEqual([
      [2, '“{value}” isn’t a valid date. Use 21/11/2026 or 2026-11-21.'],
      [2, '“{value}” isn’t a valid time. Use 15:30 or 15h30.'],
      [2, 'Enter the away team.'],
      [3, 'A team can’t play against itself.'],
      [5, '“{value}” isn’t a valid match number.'],
      [4, 'Match number {mnbr} is already on line {first}.'],
    ]);
  });
  it('without its columns is refused', () => {
    expect(read('date;home\n1;2\n').errors.map(({ text }) => text)).toEqual([
      'There’s no time column. Name it one of: {headings}.',
      'There’s no away team column. Name it one of: {headings}.',
    ]);
    expect(read('Spieltag;Datum;Uhrzeit;Heim;Gäste;Spielstätte\n3;31.12.2026;15.30 Uhr;A;B;Süd\n')).toMatchObject({
      fixtures: [{ phase: '3', day: '2026-12-31', time: '15:30', receiver: 'A', visitor: 'B', venue: 'Süd' }],
      errors: [],
    });
  });
  it('asks what comes first in its dates, unless one of them tells', () => {
    const list = (...dates: string[]) => `date;time;home;away\n${dates.map((date) => `${date};15:00;A;B`).join('\n')}`;
    expect(read(list('3/4/2027')).errors.map(({ text }) => text)).toEqual([
      '“{value}” could be two dates. Choose the date format below.',
    ]);
    const days = (text: string, dayFirst?: boolean) => read(text, dayFirst).fixtures.map(({ day }) => day);
    expect(days(list('3/4/2027', '31/12/2027'))).toEqual(['2027-04-03', '2027-12-31']);
    expect(days(list('3/4/2027', '12/31/2027'))).toEqual(['2027-03-04', '2027-12-31']);
    expect(days(list('3/4/2027'), false)).toEqual(['2027-03-04']);
    expect(days(list('sam. 3/4/2027'))).toEqual(['2027-04-03']);
  });
});

describe('small readings', () => {
  it.each([
    ['31/12/2026 20:00', '2026-12-31T19:00:00.000Z'],
    ['1/7/2026 9:05', '2026-07-01T07:05:00.000Z'],
    ['31/02/2026 20:00', null],
    ['2026-12-31 20:00', null],
    ['31/12/2026 24:00', null],
  ])('of a countdown: %s', (text, expected) => {
    expect(readMoment(text, 'Europe/Paris')?.toISOString() ?? null).toBe(expected);
  });
  it('of accounts', () => {
    expect(['https://x.com/club', '@club', 'https://twitter.com/club/', 'club'].map(twitterName)).toEqual(
      Array(4).fill('club'),
    );
    expect(['https://evil.example/club', 'a b', ''].map(twitterName)).toEqual(['', '', '']);
    expect(facebookPage('https://www.facebook.com/as.club/')).toBe('https://www.facebook.com/as.club');
    expect(['https://facebook.com.evil/x', 'javascript:alert(1)'].map(facebookPage)).toEqual(['', '']);
  });
  it('of a cropped photo', () => {
    expect(cropOf({ x1: 10, y1: 20, x2: 510, y2: 320, w: 500, h: 300 })).toEqual({
      left: 10,
      top: 20,
      width: 500,
      height: 300,
    });
    expect(cropOf({ x1: 10, y1: 20, w: 0, h: 300 })).toBeNull();
    expect(cropOf({})).toBeNull();
  });
});
