import { Partner } from '#addons/base';
import { type Client, createTestApp, eachDatabase, type TestApp } from '#core/testing';
import { Advert } from '../models/club-advert.ts';
import { Category } from '../models/club-category.ts';
import { Competition } from '../models/club-competition.ts';
import { Convocation } from '../models/club-convocation.ts';
import { ConvocationLine } from '../models/club-convocation-line.ts';
import { Guardian } from '../models/club-guardian.ts';
import { Match } from '../models/club-match.ts';
import { Member } from '../models/club-member.ts';
import { Team } from '../models/club-team.ts';
import { mails, makeCallUp, makeClub, makeMatch, makeMember, makeUser, noon } from './kit.ts';

const HOUR = 3600_000;
const today = () => new Date().toISOString().slice(0, 10);
const dayAt = (days: number) => noon(days).toISOString().slice(0, 10);

eachDatabase('the football club', (database) => {
  let app: TestApp;
  let club: Awaited<ReturnType<typeof makeClub>>;
  let manager: Client;
  let keeper: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['dribblo'], database });
    club = await makeClub(app);
    await makeUser(app, 'boss', ['dribblo.group_club_manager', 'base.group_user']);
    await makeUser(app, 'keeper', ['base.group_portal', 'dribblo.group_score_keeper']);
    await makeUser(app, 'worker', ['base.group_user']);
    manager = await app.as('boss');
    keeper = await app.as('keeper');
  }, 120_000);
  afterAll(() => app?.close());

  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => 'no refusal',
      (error: unknown) => String(error),
    );
  const kw = (client: Client, model: string, method: string, args: unknown[], kwargs: object = {}) =>
    client.rpc('/web/dataset/call_kw', { model, method, args, kwargs });
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
    it('has a number of its own, the next one when none is given', async () => {
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

    it('was played once it has the goals of both teams, and has no result without them', async () => {
      const id = await app.write((ctx) => makeMatch(ctx, club.ours, club.red));
      await app.write((ctx) => ctx.model(Match).write(id, { receiver_res: 2, visitor_res: 1 }));
      expect(await match(id)).toMatchObject({ state: 'played', is_res: true });
      await app.write((ctx) => ctx.model(Match).write(id, { receiver_res: null, visitor_res: null }));
      expect(await match(id)).toMatchObject({ state: 'planned', is_res: false });
    });

    it.each<[string, object, string]>([
      ['a team against itself', { visitor: 'ours' }, 'A team cannot play against itself.'],
      ['half a result', { receiver_res: 1 }, 'A result has the goals of both teams.'],
      ['a result without goals', { is_res: true }, 'A result has the goals of both teams.'],
      ['goals below zero', { receiver_res: -1, visitor_res: 0 }, ''],
      [
        'a postponed match with a result',
        { receiver_res: 1, visitor_res: 0, state: 'postponed' },
        'A match with a result was played.',
      ],
      [
        'a shoot-out after a win',
        { receiver_res: 1, visitor_res: 0, is_shot: true, receiver_shot: 3, visitor_shot: 2 },
        'Only a draw',
      ],
      [
        'a shoot-out without a winner',
        { receiver_res: 1, visitor_res: 1, is_shot: true, receiver_shot: 3, visitor_shot: 3 },
        'A shoot-out has a winner.',
      ],
      [
        'shots without a shoot-out',
        { receiver_res: 1, visitor_res: 1, receiver_shot: 3, visitor_shot: 2 },
        'Only a match decided by a shoot-out',
      ],
      ['a forfeit of nobody', { state: 'forfeit' }, 'Say which team forfeited.'],
    ])('is not kept with %s', async (_name, values, text) => {
      const { visitor, ...more } = values as { visitor?: string };
      const away = visitor === 'ours' ? club.ours : club.red;
      const refusal = await refusalOf(app.write((ctx) => makeMatch(ctx, club.ours, away, more)));
      expect(refusal).not.toBe('no refusal');
      expect(refusal).toContain(text);
    });
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

    it('are entered at the pitch by those who may', async () => {
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

    it('are told beside their fields when they do not fit, and what was typed stays', async () => {
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
      ).toContain('Only a draw is decided by a shoot-out.');
      expect(await match(id)).toMatchObject({ state: 'planned', is_res: false });
    });

    it('of two people do not overwrite each other', async () => {
      const { id, mnbr, seen } = await planned();
      await enter(keeper, mnbr, { seen, receiver_res: '1', visitor_res: '0' });
      const second = await enter(manager, mnbr, { seen, receiver_res: '1', visitor_res: '3' });
      expect([second.status, second.text.includes('Somebody else has entered something')]).toEqual([409, true]);
      expect(await match(id)).toMatchObject({ receiver_res: 1, visitor_res: 0 });
      expect((await enter(manager, mnbr, { seen, receiver_res: '1', visitor_res: '0' })).status).toBe(303);
    });

    it('of a forfeit are what the competition says', async () => {
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
      expect((await app.visitor().get(`/matchs/${mnbr}`)).text).toContain('Forfeit of Val-Fleuri 1');
    });

    it('are nobody else’s to enter, by no way', async () => {
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
      expect(await table()).toContain('Level with Blue Moon; goal difference −3, theirs 0.');
      await app.write((ctx) =>
        makeMatch(ctx, club.blue, club.ours, { competition_id: competition, receiver_res: 4, visitor_res: 0 }),
      );
      expect(await rows()).toEqual([club.blue, club.ours, club.red]);
      const cup = await app.write((ctx) => ctx.model(Competition).create({ name: 'Cup', has_standings: false }));
      expect(await refusalOf(app.visitor().rpc('/matchs/classement', { cmpt: cup }))).toContain(
        'There is no such competition.',
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
      expect(again.text).toContain('1 match was brought up to date.');
    });

    it('are not taken in at all when one line is wrong', async () => {
      const before = await count();
      const answer = await send(
        'date;time;home;visitor\n21/11/2031;15:00;Val-Fleuri 1;Red Star\n21/13/2031;15:00;Val-Fleuri 1;Nobody Knows\n',
        {},
      );
      expect([answer.status, await count()]).toEqual([422, before]);
      expect(answer.text).toContain('Line 3:');
      const unknown = await send('date;time;home;visitor\n21/11/2031;15:00;Val-Fleuri 1;Nobody Knows\n', {});
      expect(unknown.text).toContain('No team is called “Nobody Knows”.');
      expect(await app.read((ctx) => ctx.model(Team).count([['name', '=', 'Nobody Knows']]))).toBe(0);
    });

    it('do not touch a match that was played, and are for managers alone', async () => {
      await app.write((ctx) => makeMatch(ctx, club.ours, club.red, { mnbr: 7100, receiver_res: 1, visitor_res: 0 }));
      expect((await send('mnbr;date;time;home;visitor\n7100;21/11/2031;15:00;Val-Fleuri 1;Red Star\n')).text).toContain(
        'has a result and is not changed',
      );
      expect((await send('x', {}, keeper)).status).toBe(404);
      expect((await manager.form('/matchs/import', { make_teams: 'true' })).status).toBe(422);
      expect((await manager.get('/matchs/import/example.csv')).text).toContain('mnbr;date;time');
    });
  });

  describe('call-ups', () => {
    const people = () =>
      app.write(async (ctx) => {
        const year = new Date().getFullYear();
        const adult = await makeMember(
          ctx,
          'Anna Adult',
          { birth_date: '1995-03-04', team_ids: [club.ours] },
          'anna@example.com',
        );
        const child = await makeMember(
          ctx,
          'Theo Child',
          { birth_date: `${year - 10}-01-02`, team_ids: [club.ours] },
          'theo@example.com',
        );
        const lonely = await makeMember(ctx, 'Lou Lonely', { birth_date: '1990-01-01' });
        const mother = await ctx
          .model(Partner)
          .create({ name: 'Mother Child', email: 'mother@example.com', lang: 'fr_FR' });
        await ctx.model(Guardian).create({ member_id: child, partner_id: mother });
        return { adult, child, lonely, mother };
      });
    it('are mailed to members and to the guardians of children, answered by link, until the match begins', async () => {
      const { adult, child, lonely, mother } = await people();
      const { call, game } = await app.write(async (ctx) => {
        const game = await makeMatch(ctx, club.ours, club.red, { start_datetime: noon(3) });
        const call = await makeCallUp(ctx, game, club.ours, [adult, child, lonely], false);
        await ctx.model(Convocation).write(call, { note: { en_US: 'Bring water.', fr_FR: 'Apportez de l’eau.' } });
        return { game, call };
      });
      const sent = await kw(manager, 'club.convocation', 'send_callups', [[call]]);
      expect(sent).toEqual({ mails: 2, without: ['Lou Lonely'] });
      await app.runJobs();
      const tokens = await app.read(async (ctx) => {
        const { callUpToken } = await import('../services/callup-links.ts');
        const lines = await ctx
          .model(ConvocationLine)
          .find([['convocation_id', '=', call]], { select: { member_id: true, mail_date: true } });
        const line = (member: number) => lines.find(({ member_id }) => member_id === member);
        const own = await ctx.model(Member).get(child, { select: { partner_id: true } });
        return {
          mailed: [adult, child, lonely].map((member) => line(member)?.mail_date !== null),
          mother: `/convocations/answer/${callUpToken(ctx, { line: line(child)?.id ?? 0, partner: mother })}`,
          child: `/convocations/answer/${callUpToken(ctx, { line: line(child)?.id ?? 0, partner: own.partner_id })}`,
          stranger: `/convocations/answer/${callUpToken(ctx, { line: line(adult)?.id ?? 0, partner: mother })}`,
        };
      });
      expect(tokens.mailed).toEqual([true, true, false]);
      const sentMails = (await mails(app)).filter(({ name }) => name === 'dribblo.callup');
      expect(sentMails.map(({ email }) => email).sort()).toEqual(['anna@example.com', 'mother@example.com']);
      const toMother = sentMails.find(({ email }) => email === 'mother@example.com');
      expect(toMother?.html).toContain(tokens.mother);
      expect(toMother?.html).toContain('Apportez de l’eau.');
      expect(toMother?.subject).toBe('Convocation de Theo Child\u00a0: Val-Fleuri 1 – Red Star');
      const answerOf = () =>
        app.read(
          async (ctx) =>
            (await ctx.model(ConvocationLine).first(
              [
                ['convocation_id', '=', call],
                ['member_id', '=', child],
              ],
              { select: { answer: true, answered_by_id: true, comment: true } },
            )) ?? null,
        );
      const page = await app.visitor().get(`${tokens.mother}?answer=yes`);
      expect([page.status, page.text.includes('Theo Child'), (await answerOf())?.answer]).toEqual([200, true, 'none']);
      const answered = await app.visitor().form(tokens.mother, { answer: 'no', comment: 'Chickenpox' });
      expect([answered.status, await answerOf()]).toEqual([
        303,
        expect.objectContaining({ answer: 'no', answered_by_id: mother, comment: 'Chickenpox' }),
      ]);
      expect((await app.visitor().form(tokens.mother, { answer: 'maybe' })).status).toBe(422);
      expect((await app.visitor().get(tokens.stranger)).status).toBe(404);
      expect(
        (await app.visitor().get(tokens.mother.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A')))).status,
      ).toBe(404);
      await app.write((ctx) => ctx.model(Match).write(game, { start_datetime: new Date(Date.now() - HOUR) }));
      expect((await app.visitor().form(tokens.child, { answer: 'yes' })).status).toBe(409);
      expect((await answerOf())?.answer).toBe('no');
    });

    it('show visitors who is called up and never what they answered, children by first name and initial', async () => {
      const { adult, child } = await people();
      const call = await app.write(async (ctx) => {
        const game = await makeMatch(ctx, club.young, club.red, { start_datetime: noon(2) });
        const id = await makeCallUp(ctx, game, club.young, [adult, child]);
        const lines = await ctx.model(ConvocationLine).search([['convocation_id', '=', id]]);
        await ctx.model(ConvocationLine).write(lines, { answer: 'no', comment: 'a secret reason' });
        return id;
      });
      const html = await app.visitor().rpc<string>('/convocations', { team: club.young, sn: false });
      expect(html).toContain('Anna Adult');
      expect(html).toContain('Theo C.');
      expect(html).not.toMatch(/Theo Child|secret reason|Does not come/);
      await app.write((ctx) =>
        ctx
          .model(Guardian)
          .write(0, {})
          .catch(() => undefined),
      );
      await app.write(async (ctx) => {
        const guards = await ctx.model(Guardian).search([['member_id', '=', child]]);
        await ctx.model(Guardian).write(guards, { consent_name: true });
      });
      expect(await app.visitor().rpc<string>('/convocations', { team: club.young, sn: 1 })).toContain('Theo Child');
      await app.write((ctx) => ctx.model(Convocation).write(call, { website_published: false }));
      expect(await app.visitor().rpc<string>('/convocations', { team: club.young })).not.toContain('Anna');
    });

    it('are for a team of ours that plays, once', async () => {
      const game = await app.write((ctx) => makeMatch(ctx, club.ours, club.red));
      expect(await refusalOf(app.write((ctx) => makeCallUp(ctx, game, club.young, [])))).toContain(
        'Only a team of ours',
      );
      expect(await refusalOf(app.write((ctx) => makeCallUp(ctx, game, club.red, [])))).toContain('Only a team of ours');
      await app.write((ctx) => makeCallUp(ctx, game, club.ours, []));
      expect(await refusalOf(app.write((ctx) => makeCallUp(ctx, game, club.ours, [])))).toContain(
        'called up for the match already',
      );
      expect(await refusalOf(kw(keeper, 'club.convocation', 'send_callups', [[1]]))).not.toBe('no refusal');
    });
  });

  describe('birthdays', () => {
    it('are those of people who agreed, by day and month, never the year', async () => {
      const year = new Date().getFullYear();
      const category = await app.write(async (ctx) => {
        const id = await ctx.model(Category).create({ name: 'Birthday people' });
        const born = (back: number, days: number) => `${year - back}${dayAt(days).slice(4)}`;
        const more = { consent_birthday: true, category_id: id };
        await makeMember(ctx, 'Today Adult', { birth_date: born(30, 0), ...more });
        await makeMember(ctx, 'Small Child', { birth_date: born(9, 0), ...more });
        await makeMember(ctx, 'Shy Person', { birth_date: born(30, 0), category_id: id });
        await makeMember(ctx, 'Later Adult', { birth_date: born(31, 13), ...more });
        return id;
      });
      const html = (params: object) =>
        app.visitor().rpc<string>('/get_birthday_members', { categories: [category], ...params });
      const day = await html({});
      expect(day).toContain('Today Adult');
      expect(day).toContain('Small C.');
      expect(day).not.toMatch(/Shy|Later|Small Child/);
      expect(day).not.toContain(String(year - 30));
      expect(await html({ weekly: 3 })).toContain('Later Adult');
      expect(await html({ weekly: 1 })).toContain('Today Adult');
      expect(await refusalOf(html({ categories: [99_999] }))).toContain('There is no such category.');
    });
  });

  describe('adverts', () => {
    it('run from their first to their last day, in their zone', async () => {
      await app.write(async (ctx) => {
        const sharp = (await import('sharp')).default;
        const png = await sharp({ create: { width: 64, height: 20, channels: 3, background: '#ff0000' } })
          .png()
          .toBuffer();
        const image = await ctx.files.putImage(png, { name: 'ad.png' });
        const adverts = ctx.model(Advert);
        await adverts.create({ name: 'Runs always', zone: 'z', image, link: 'https://a.example/' });
        await adverts.create({ name: 'Runs today', zone: 'z', image, date_from: today(), date_to: today() });
        await adverts.create({ name: 'Is over', zone: 'z', image, date_to: dayAt(-2) });
        await adverts.create({ name: 'Comes later', zone: 'z', image, date_from: dayAt(2) });
        await adverts.create({ name: 'Other zone', zone: 'y', image });
      });
      const html = await app.visitor().rpc<string>('/adverts/get', { ann: 'z' });
      expect(html).toMatch(/Runs always[\s\S]*Runs today/);
      expect(html).not.toMatch(/Is over|Comes later|Other zone/);
      expect(html).toContain('data-opt-interval="1000"');
      const refusal = await refusalOf(
        app.write((ctx) =>
          ctx.model(Advert).create({ name: 'x', zone: 'z', link: 'javascript:alert(1)', image: null }),
        ),
      );
      expect(refusal).not.toBe('no refusal');
    });
  });

  describe('rights', () => {
    it.each(['club.member', 'club.guardian', 'club.convocation.line', 'club.weather'])(
      'keep %s from visitors and employees',
      async (model) => {
        const worker = await app.as('worker');
        for (const client of [app.visitor(), keeper, worker]) {
          expect(await refusalOf(kw(client, model, 'search_read', [[], ['id']]))).not.toBe('no refusal');
        }
        if (model !== 'club.weather')
          expect(await kw(manager, model, 'search_read', [[], ['id']])).toEqual(expect.any(Array));
      },
    );

    it('let nobody but managers change anything', async () => {
      const worker = await app.as('worker');
      for (const client of [keeper, worker]) {
        for (const model of [
          'club.team',
          'club.match',
          'club.competition',
          'club.season',
          'club.category',
          'club.venue',
          'club.advert',
          'club.convocation',
          'club.wall',
          'club.wall.post',
        ]) {
          expect([model, await refusalOf(kw(client, model, 'create', [{ name: 'x' }]))]).not.toEqual([
            model,
            'no refusal',
          ]);
        }
      }
    });

    it('hide a team that is not published, and its page', async () => {
      expect((await app.visitor().get(`/teams/red-star-${club.red}`)).status).toBe(200);
      expect((await app.visitor().get(`/teams/blue-moon-${club.blue}`)).status).toBe(404);
      expect((await manager.get(`/teams/blue-moon-${club.blue}`)).status).toBe(200);
    });
  });

  describe('a match’s page', () => {
    it('has a calendar file and tells search engines what it is', async () => {
      const id = await app.write((ctx) => makeMatch(ctx, club.ours, club.red, { start_datetime: noon(5) }));
      const { mnbr } = await match(id);
      const page = (await app.visitor().get(`/matchs/${mnbr}`)).text;
      expect(page).toContain('"@type":"SportsEvent"');
      expect(page).toContain('js_countdown');
      const file = await app.visitor().get(`/matchs/${mnbr}/calendar.ics`);
      expect(file.headers.get('content-type')).toContain('text/calendar');
      expect(file.text).toMatch(/BEGIN:VCALENDAR[\s\S]*SUMMARY:Val-Fleuri 1 – Red Star/);
      expect((await app.visitor().get('/matchs/999999')).status).toBe(404);
      expect((await app.visitor().get('/matchs/abc')).status).toBe(404);
      expect((await app.visitor().get('/matchs?week=abc')).status).toBe(400);
    });

    it('is in the sitemap, like teams and walls', async () => {
      const map = (await app.visitor().get('/sitemap.xml')).text;
      expect(map).toMatch(/\/matchs</);
      expect(map).toContain(`/teams/val-fleuri-1-${club.ours}`);
    });
  });
});
