import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Client, eachDatabase, type TestApp } from 'pergola/testing';
import { Competition } from '../models/club-competition.ts';
import { Match } from '../models/club-match.ts';
import { Team } from '../models/club-team.ts';
import { type Club, kw, makeMatch, makeMember, noon, refusalOf, startClub } from './kit.ts';

const HOUR = 3600_000;

eachDatabase('the football club', (database, once) => {
  let app: TestApp;
  let club: Club;
  let manager: Client;
  let keeper: Client;
  beforeAll(async () => {
    ({ app, club, manager, keeper } = await startClub(database));
  });
  afterAll(() => app?.close());

  const match = (id: number) =>
    app.read((ctx) =>
      ctx.model(Match).get(id, {
        select: {
          state: true,
          receiver_res: true,
          visitor_res: true,
          is_res: true,
          is_shot: true,
          receiver_shot: true,
          forfeit_by: true,
          mnbr: true,
        },
      }),
    );

  describe('a match', () => {
    once('has a number of its own, the next one when none is given', async () => {
      const [one, two] = await app.write(async (ctx) => [
        await makeMatch(ctx, club.ours, club.red),
        await makeMatch(ctx, club.red, club.ours),
      ]);
      expect((await match(two ?? 0)).mnbr).toBe((await match(one ?? 0)).mnbr + 1);
      const number = (await match(one ?? 0)).mnbr;
      expect(await refusalOf(app.write((ctx) => makeMatch(ctx, club.ours, club.red, { mnbr: number })))).not.toBe(
        'no refusal',
      );
    });

    once('was played once it has the goals of both teams, and has no result without them', async () => {
      const id = await app.write((ctx) => makeMatch(ctx, club.ours, club.red));
      await app.write((ctx) => ctx.model(Match).write(id, { receiver_res: 2, visitor_res: 1 }));
      expect(await match(id)).toMatchObject({ state: 'played', is_res: true });
      await app.write((ctx) => ctx.model(Match).write(id, { receiver_res: null, visitor_res: null }));
      expect(await match(id)).toMatchObject({ state: 'planned', is_res: false });
    });

    once.each<[string, object, string]>([
      ['a team against itself', { visitor: 'ours' }, 'A team can’t play against itself.'],
      ['half a result', { receiver_res: 1 }, 'Enter the goals of both teams.'],
      ['a result without goals', { is_res: true }, 'Enter the goals of both teams.'],
      ['goals below zero', { receiver_res: -1, visitor_res: 0 }, ''],
      ['a hundred goals at home', { receiver_res: 100, visitor_res: 0 }, ''],
      ['a hundred goals away', { receiver_res: 0, visitor_res: 100 }, ''],
      [
        'a postponed match with a result',
        { receiver_res: 1, visitor_res: 0, state: 'postponed' },
        'Set the status to Played for a match with a result.',
      ],
      [
        'a shoot-out after a win',
        { receiver_res: 1, visitor_res: 0, is_shot: true, receiver_shot: 3, visitor_shot: 2 },
        'Only a draw',
      ],
      [
        'a shoot-out without a winner',
        { receiver_res: 1, visitor_res: 1, is_shot: true, receiver_shot: 3, visitor_shot: 3 },
        'A shoot-out must have a winner.',
      ],
      [
        'shots without a shoot-out',
        { receiver_res: 1, visitor_res: 1, receiver_shot: 3, visitor_shot: 2 },
        'Mark the match as decided by a shoot-out',
      ],
      ['a forfeit of nobody', { state: 'forfeit' }, 'Choose the team that forfeited.'],
    ])('is not kept with %s', async (_name, values, text) => {
      const { visitor, ...more } = values as { visitor?: string };
      const away = visitor === 'ours' ? club.ours : club.red;
      const refusal = await refusalOf(app.write((ctx) => makeMatch(ctx, club.ours, away, more)));
      expect(refusal).not.toBe('no refusal');
      expect(refusal).toContain(text);
    });
  });

  once('A shirt has a number of two digits', async () => {
    const numbered = (number: number) => refusalOf(app.write((ctx) => makeMember(ctx, 'Numbered', { number })));
    expect(await numbered(99)).toBe('no refusal');
    expect(await numbered(100)).not.toBe('no refusal');
  });

  once('A match that was called off is told from one that waits for another day', async () => {
    const pathOf = (name: string): string => {
      const icon = fileURLToPath(import.meta.resolve(`bootstrap-icons/icons/${name}.svg`));
      return / d="([^"]+)"/.exec(readFileSync(icon, 'utf8'))?.[1] ?? '-';
    };
    const signs = ['cancelled', 'postponed'].map(async (state) => {
      const id = await app.write((ctx) => makeMatch(ctx, club.ours, club.red, { state } as object));
      const { text } = await app.visitor().get('/matchs');
      const row = text.slice(text.indexOf(`data-mnbr="${(await match(id)).mnbr}"`));
      const score = /data-slot="score">(.*?)<\/span>/s.exec(row)?.[1] ?? '';
      return [score.includes(pathOf('x-lg')), score.includes(pathOf('hourglass-split'))];
    });
    expect(await Promise.all(signs)).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  describe('results', () => {
    const enter = (client: Client, mnbr: number, fields: Record<string, string>) =>
      client.form(`/matchs/${mnbr}/result`, { state: 'played', ...fields });
    const planned = async () => {
      const id = await app.write((ctx) =>
        makeMatch(ctx, club.ours, club.red, { start_datetime: new Date(Date.now() - 2 * HOUR) }),
      );
      const page = await keeper.get(`/matchs/${(await match(id)).mnbr}/result`);
      return { id, mnbr: (await match(id)).mnbr, seen: /name="seen" value="([^"]*)"/.exec(page.text)?.[1] ?? '' };
    };

    once('are entered at the pitch by those who may', async () => {
      const { id, mnbr, seen } = await planned();
      expect((await keeper.get('/matchs/results')).text).toContain(`/matchs/${mnbr}/result`);
      expect(
        (
          await enter(keeper, mnbr, {
            seen,
            receiver_res: '2',
            visitor_res: '2',
            receiver_shot: '5',
            visitor_shot: '3',
          })
        ).status,
      ).toBe(303);
      expect(await match(id)).toMatchObject({
        state: 'played',
        receiver_res: 2,
        visitor_res: 2,
        is_res: true,
        is_shot: true,
        receiver_shot: 5,
      });
      expect((await app.visitor().get(`/matchs/${mnbr}`)).text).toContain('5–3 on penalties');
    });

    once('are told beside their fields when they do not fit, and what was typed stays', async () => {
      const { id, mnbr, seen } = await planned();
      for (const fields of [
        { receiver_res: '100', visitor_res: '1' },
        { receiver_res: 'x', visitor_res: '1' },
        { receiver_res: '', visitor_res: '1' },
      ]) {
        const answer = await enter(keeper, mnbr, { seen, ...fields });
        expect([answer.status, answer.text.includes('is-invalid')]).toEqual([422, true]);
      }
      expect(
        (
          await enter(keeper, mnbr, {
            seen,
            receiver_res: '2',
            visitor_res: '1',
            receiver_shot: '4',
            visitor_shot: '3',
          })
        ).text,
      ).toContain('Only a draw can be decided by a shoot-out.');
      expect(await match(id)).toMatchObject({ state: 'planned', is_res: false });
    });

    once('of two people do not overwrite each other', async () => {
      const { id, mnbr, seen } = await planned();
      await enter(keeper, mnbr, { seen, receiver_res: '1', visitor_res: '0' });
      const second = await enter(manager, mnbr, { seen, receiver_res: '1', visitor_res: '3' });
      expect([second.status, second.text.includes('Someone else has just updated this match')]).toEqual([409, true]);
      expect(await match(id)).toMatchObject({ receiver_res: 1, visitor_res: 0 });
      expect((await enter(manager, mnbr, { seen, receiver_res: '1', visitor_res: '0' })).status).toBe(303);
    });

    once('of a forfeit are what the competition says', async () => {
      const { id, mnbr, seen } = await planned();
      const competition = await app.write((ctx) => ctx.model(Competition).create({ name: 'Five', forfeit_goals: 5 }));
      await app.write((ctx) => ctx.model(Match).write(id, { competition_id: competition }));
      await enter(keeper, mnbr, { seen, state: 'forfeit', forfeit_by: 'receiver' });
      expect(await match(id)).toMatchObject({
        state: 'forfeit',
        receiver_res: 0,
        visitor_res: 5,
        forfeit_by: 'receiver',
      });
      expect((await app.visitor().get(`/matchs/${mnbr}`)).text).toContain('Forfeit by Val-Fleuri 1');
    });

    once('are nobody else’s to enter, by no way', async () => {
      const { id, mnbr, seen } = await planned();
      const worker = await app.as('worker');
      for (const client of [app.visitor(), worker]) {
        expect([303, 404]).toContain((await enter(client, mnbr, { seen, receiver_res: '9', visitor_res: '0' })).status);
      }
      for (const client of [keeper, worker]) {
        expect(
          await refusalOf(kw(client, 'club.match', 'write', [[id], { receiver_res: 9, visitor_res: 0 }])),
        ).not.toBe('no refusal');
      }
      expect(await match(id)).toMatchObject({ is_res: false });
    });
  });

  describe('standings', () => {
    it('follow the results, and say why', async () => {
      const competition = await app.write(async (ctx) => {
        const id = await ctx.model(Competition).create({ name: 'League', team_ids: [club.ours, club.red, club.blue] });
        await makeMatch(ctx, club.ours, club.red, { competition_id: id, receiver_res: 3, visitor_res: 0 });
        await makeMatch(ctx, club.red, club.blue, { competition_id: id, receiver_res: 1, visitor_res: 1 });
        return id;
      });
      const table = () => app.visitor().rpc<string>('/matchs/classement', { cmpt: competition });
      const rows = async () => [...(await table()).matchAll(/<tr[^>]*data-team="(\d+)"/g)].map(([, id]) => Number(id));
      expect(await rows()).toEqual([club.ours, club.blue, club.red]);
      expect(await table()).toContain('Level with Blue Moon; goal difference −3 to 0.');
      await app.write((ctx) =>
        makeMatch(ctx, club.blue, club.ours, { competition_id: competition, receiver_res: 4, visitor_res: 0 }),
      );
      expect(await rows()).toEqual([club.blue, club.ours, club.red]);
      const cup = await app.write((ctx) => ctx.model(Competition).create({ name: 'Cup', has_standings: false }));
      expect(await refusalOf(app.visitor().rpc('/matchs/classement', { cmpt: cup }))).toContain(
        'We can’t find that competition.',
      );
    });

    it('count points that the league takes from a team, and say why', async () => {
      const { ours, red, blue } = club;
      const competition = await app.write(async (ctx) => {
        const id = await ctx.model(Competition).create({ name: 'Strict league', team_ids: [ours, red] });
        await makeMatch(ctx, ours, red, { competition_id: id, receiver_res: 1, visitor_res: 0 });
        await makeMatch(ctx, red, ours, { competition_id: id, receiver_res: 0, visitor_res: 0 });
        return id;
      });
      const table = () => app.visitor().rpc<string>('/matchs/classement', { cmpt: competition });
      const first = async () => Number(/data-team="(\d+)"/.exec(await table())?.[1]);
      expect([await first(), (await table()).includes('standing-notes')]).toEqual([ours, false]);
      const take = (values: object) =>
        kw(manager, 'club.competition', 'write', [[competition], { adjustment_ids: [[0, 0, values]] }]);
      await take({ team_id: ours, points: -4, reason: 'Too many players <b>' });
      expect(await first()).toBe(red);
      expect(await table()).toMatch(
        /standing-notes[\s\S]*Val-Fleuri 1<\/b> 4 points deducted: Too many players &lt;b&gt;[\s\S]*0 points; Red Star has 1\. 4 points deducted/,
      );
      expect(await refusalOf(take({ team_id: ours, points: 0, reason: 'Nothing' }))).toContain('how many points');
      expect(await refusalOf(take({ team_id: blue, points: -1, reason: 'Stranger' }))).toContain(
        'Choose a team that plays in this competition.',
      );
    });
  });

  describe('fixtures from a file', () => {
    const send = (text: string, fields: Record<string, string> = { make_teams: 'true' }, client = manager) =>
      client.form('/matchs/import', { ...fields, file: new Blob([text], { type: 'text/csv' }) });
    const count = () => app.read((ctx) => ctx.model(Match).count([]));

    it('are all taken in, in the club’s time', async () => {
      const answer = await send(
        'mnbr;date;heure;domicile;visiteur\n7001;21/11/2031;15h30;val-fleuri 1;Brand New FC\n;22/11/2031;10:00;Red Star;VAL-FLEURI U13\n',
      );
      expect([
        answer.status,
        answer.text.includes('2 matches were added.'),
        answer.text.includes('Brand New FC'),
      ]).toEqual([200, true, true]);
      const row = await app.read((ctx) =>
        ctx.model(Match).first([['mnbr', '=', 7001]], { select: { start_datetime: true, receiver_id: true } }),
      );
      expect(row).toMatchObject({ receiver_id: club.ours });
      const again = await send('mnbr;date;heure;domicile;visiteur\n7001;28/11/2031;15h30;val-fleuri 1;Brand New FC\n');
      expect(again.text).toContain('1 match was updated.');
    });

    it('tell a new phase in all languages, and leave the translations of one that stays', async () => {
      const list = (phase: string) =>
        `mnbr;date;time;home;visitor;phase\n7050;21/11/2031;15:00;Val-Fleuri 1;Red Star;${phase}\n`;
      const phases = () =>
        Promise.all(
          ['en_US', 'fr_FR'].map((lang) =>
            app.read((ctx) =>
              ctx
                .as({ lang })
                .model(Match)
                .first([['mnbr', '=', 7050]], { select: { compet_phase: true } }),
            ),
          ),
        ).then((rows) => rows.map((row) => row?.compet_phase));
      await send(list('Semi-final'));
      await app.write(async (ctx) => {
        const [id = 0] = await ctx.model(Match).search([['mnbr', '=', 7050]]);
        await ctx.as({ lang: 'fr_FR' }).model(Match).write(id, { compet_phase: 'Demi-finale' });
      });
      await send(list('Semi-final'));
      expect(await phases()).toEqual(['Semi-final', 'Demi-finale']);
      await send(list('Final'));
      expect(await phases()).toEqual(['Final', 'Final']);
    });

    it('are not taken in at all when one line is wrong', async () => {
      const before = await count();
      const answer = await send(
        'date;time;home;visitor\n21/11/2031;15:00;Val-Fleuri 1;Red Star\n21/13/2031;15:00;Val-Fleuri 1;Nobody Knows\n',
        {},
      );
      expect([answer.status, await count()]).toEqual([422, before]);
      expect(answer.text).toContain('Line 3:');
      // Everything that is wrong with the file at once, and a league by its name in any language.
      const french = await app.write((ctx) =>
        ctx.model(Competition).create({ name: { en_US: 'County league', fr_FR: 'Ligue du comté' } }),
      );
      const all = await send(
        'date;time;home;visitor;competition\n21/13/2031;15:00;Val-Fleuri 1;Nobody Knows;No league\n21/11/2031;15:00;Val-Fleuri 1;Red Star;Ligue du comté\n',
        {},
      );
      expect([french > 0, [...all.text.matchAll(/<li>Line 2:/g)].length, all.text.includes('Line 3')]).toEqual([
        true,
        3,
        false,
      ]);
      expect((await send('PK\0\0', {})).text).toContain('Choose a .csv, .xlsx, .xls or .ods file.');
      const unknown = await send('date;time;home;visitor\n21/11/2031;15:00;Val-Fleuri 1;Nobody Knows\n', {});
      expect(unknown.text).toContain('No team is called “Nobody Knows”.');
      expect(await app.read((ctx) => ctx.model(Team).count([['name', '=', 'Nobody Knows']]))).toBe(0);
    });

    once('are read from any file that the import of records reads, as the form says', async () => {
      const file = (content: Blob, fields: Record<string, string> = {}) =>
        manager.form('/matchs/import', { make_teams: 'true', ...fields, file: content });
      const list = (rows: string) => `Calendrier de la ligue\r\nsep\r\ndate;heure;domicile;visiteur;mnbr\r\n${rows}`;
      const text = list('sam. 22/11/2031;3:30 PM;Val-Fleuri 1;Étoile Bleue;7201\r\n');
      const wide = await file(new Blob([new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())]));
      expect([wide.status, wide.text.includes('1 match was added.')]).toEqual([200, true]);
      expect(wide.text).toContain('Read as UTF-16 BE, delimiter: Semicolon, headers in row 3.');
      const stated = await send('sep=;\ndate;time;home;visitor;mnbr\n22/11/2031;15h30;Val-Fleuri 1;Red Star;7202\n');
      expect(stated.status).toBe(200);
      // The order of day and month is asked for.
      const open = 'date;time;home;visitor;mnbr\n03/04/2032;15h30;Val-Fleuri 1;Red Star;7203\n';
      const asked = await send(open);
      expect([asked.status, asked.text.includes('could be two dates')]).toEqual([422, true]);
      expect((await send(open, { date_order: 'month' })).status).toBe(200);
      const rows = await app.read((ctx) =>
        ctx
          .model(Match)
          .find([['mnbr', 'in', [7201, 7202, 7203]]], { select: { start_datetime: true }, order: 'mnbr' }),
      );
      expect(rows.map(({ start_datetime }) => start_datetime.toISOString())).toEqual([
        '2031-11-22T15:30:00.000Z',
        '2031-11-22T15:30:00.000Z',
        '2032-03-04T15:30:00.000Z',
      ]);
    });

    it('are read from the list of a German league, with its grounds', async () => {
      const list = (venue: string) =>
        [
          'Spielplan Kreisliga A;;;;;;',
          'Spieltag;Spiel-Nr.;Datum;Anstoß;Heimmannschaft;Gastmannschaft;Spielstätte',
          `12;7301;Sa., 22.11.2031;15.30 Uhr;Val-Fleuri 1;TSV Grünwald;${venue}`,
          `13;7302;So., 30.11.2031;11:00;SV Weiß-Blau;Val-Fleuri 1;${venue}`,
          '',
        ].join('\r\n');
      // Every character of it is in Latin 1, as which older programs save it.
      const file = (venue: string) => new Blob([new Uint8Array(Buffer.from(list(venue), 'latin1'))]);
      const post = (venue: string, fields: Record<string, string>) =>
        manager.form('/matchs/import', { make_teams: 'true', ...fields, file: file(venue) });
      const before = await count();
      const refused = await post('Sportplatz Süd', {});
      expect([refused.status, await count()]).toEqual([422, before]);
      expect(refused.text).toContain('No ground is called “Sportplatz Süd”.');
      const saved = await post('Sportplatz Süd', { make_venues: 'true' });
      expect(saved.status).toBe(200);
      for (const text of ['2 matches were added.', 'TSV Grünwald, SV Weiß-Blau', 'New grounds: Sportplatz Süd.'])
        expect(saved.text).toContain(text);
      const rows = await app.read((ctx) =>
        ctx.model(Match).find([['mnbr', 'in', [7301, 7302]]], {
          select: {
            start_datetime: true,
            compet_phase: true,
            receiver_id: { name: true },
            visitor_id: { name: true },
            venue_id: { name: true },
          },
          order: 'mnbr',
        }),
      );
      expect(rows).toMatchObject([
        {
          start_datetime: new Date('2031-11-22T15:30:00Z'),
          compet_phase: '12',
          receiver_id: { name: 'Val-Fleuri 1' },
          visitor_id: { name: 'TSV Grünwald' },
          venue_id: { name: 'Sportplatz Süd' },
        },
        { start_datetime: new Date('2031-11-30T11:00:00Z'), receiver_id: { name: 'SV Weiß-Blau' } },
      ]);
    });

    once('do not touch a match that was played, and are for managers alone', async () => {
      await app.write((ctx) => makeMatch(ctx, club.ours, club.red, { mnbr: 7100, receiver_res: 1, visitor_res: 0 }));
      expect((await send('mnbr;date;time;home;visitor\n7100;21/11/2031;15:00;Val-Fleuri 1;Red Star\n')).text).toContain(
        'already has a result',
      );
      expect((await send('x', {}, keeper)).status).toBe(404);
      expect((await manager.form('/matchs/import', { make_teams: 'true' })).status).toBe(422);
      expect((await manager.get('/matchs/import/example.csv')).text).toContain('mnbr;date;time');
    });
  });

  describe('a match’s page', () => {
    once('has a calendar file and tells search engines what it is', async () => {
      const id = await app.write((ctx) => makeMatch(ctx, club.ours, club.red, { start_datetime: noon(5) }));
      const { mnbr } = await match(id);
      const page = (await app.visitor().get(`/matchs/${mnbr}`)).text;
      expect(page).toContain('"@type":"SportsEvent"');
      expect(page).toContain('js_countdown');
      expect(page).not.toContain('No date to count down to.');
      const file = await app.visitor().get(`/matchs/${mnbr}/calendar.ics`);
      expect(file.headers.get('content-type')).toContain('text/calendar');
      expect(file.text).toMatch(/BEGIN:VCALENDAR[\s\S]*SUMMARY:Val-Fleuri 1 – Red Star/);
      expect(file.text.replaceAll('\r\n ', '')).toMatch(/DESCRIPTION:.*12:00\sPM \(UTC\)/);
      const sequence = async () =>
        /SEQUENCE:(\d+)/.exec((await app.visitor().get(`/matchs/${mnbr}/calendar.ics`)).text)?.[1];
      const before = Number(await sequence());
      await app.write((ctx) => ctx.model(Match).write(id, { start_datetime: new Date(Date.now() + 3 * 86_400_000) }));
      expect(await sequence()).toBe(String(before + 1));
      expect((await app.visitor().get('/matchs/999999')).status).toBe(404);
      expect((await app.visitor().get('/matchs/abc')).status).toBe(404);
      // Addresses that are made up lead to the nearest week there is.
      const weeks = { abc: 0, '1.5': 0, '': 0, 2: 2, 999999: 520, '-999999': -520, '1e99': 0 };
      for (const [asked, week] of Object.entries(weeks)) {
        const { status, text } = await app.visitor().get(`/matchs?week=${asked}`);
        expect([asked, status, /data-week="(-?\d+)"/.exec(text)?.[1]]).toEqual([asked, 200, String(week)]);
        // Days of another year say which one.
        const label = /data-slot="week-label">.*?<\/p>/s.exec(text)?.[0] ?? '';
        if (Math.abs(week) > 60) expect(label).toMatch(/\b20\d\d\b/);
        // From the farthest ones no link leads farther.
        const links = text.match(/<a[^>]*data-turn="(?:previous|next)"[^>]*>/g) ?? [];
        expect(links.map((link) => link.includes('href='))).toEqual([week !== -520, week !== 520]);
      }
      const refused = await app.visitor().get(`/matchs?name=${'a'.repeat(101)}`);
      expect([refused.status, /data-slot="error-status">(\d+)</.exec(refused.text)?.[1]]).toEqual([400, '400']);
    });

    once('is in the sitemap, like teams and walls', async () => {
      const map = (await app.visitor().get('/sitemap.xml')).text;
      expect(map).toMatch(/\/matchs</);
      expect(map).toContain(`/teams/val-fleuri-1-${club.ours}`);
    });
  });
});
