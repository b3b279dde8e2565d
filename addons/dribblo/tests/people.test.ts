import { Partner } from '@pergola/base';
import { type Client, someDatabase, type TestApp } from 'pergola/testing';
import { Advert } from '../models/club-advert.ts';
import { Category } from '../models/club-category.ts';
import { Convocation } from '../models/club-convocation.ts';
import { ConvocationLine } from '../models/club-convocation-line.ts';
import { Guardian } from '../models/club-guardian.ts';
import { Match } from '../models/club-match.ts';
import { Member } from '../models/club-member.ts';
import { type Club, kw, mails, makeCallUp, makeMatch, makeMember, noon, refusalOf, startClub } from './kit.ts';

const HOUR = 3600_000;
const today = () => new Date().toISOString().slice(0, 10);
const dayAt = (days: number) => noon(days).toISOString().slice(0, 10);

someDatabase('the people of the football club', (database) => {
  let app: TestApp;
  let club: Club;
  let manager: Client;
  let keeper: Client;
  beforeAll(async () => {
    ({ app, club, manager, keeper } = await startClub(database));
  });
  afterAll(() => app?.close());

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
          .find([['convocation_id', '=', call]], { select: { member_id: true, mail_date: true, mail_state: true } });
        const line = (member: number) => lines.find(({ member_id }) => member_id === member);
        const own = await ctx.model(Member).get(child, { select: { partner_id: true } });
        return {
          mailed: [adult, child, lonely].map((member) => line(member)?.mail_date !== null),
          // No mail server is configured.
          states: [adult, child, lonely].map((member) => line(member)?.mail_state),
          mother: `/convocations/answer/${callUpToken(ctx, { line: line(child)?.id ?? 0, partner: mother })}`,
          child: `/convocations/answer/${callUpToken(ctx, { line: line(child)?.id ?? 0, partner: own.partner_id })}`,
          stranger: `/convocations/answer/${callUpToken(ctx, { line: line(adult)?.id ?? 0, partner: mother })}`,
        };
      });
      expect(tokens).toMatchObject({ mailed: [true, true, false], states: ['held', 'held', null] });
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
      // A network may answer thirty times a minute.
      for (let round = 0; round < 10; round += 1) {
        const sent = { answer: round % 2 ? 'no' : 'yes', comment: `Round ${round}` };
        const twice = await Promise.all([1, 2].map(() => app.visitor().form(tokens.mother, sent)));
        expect(twice.map(({ status, location }) => [status, location])).toEqual(
          Array(2).fill([303, `${tokens.mother}?done=1`]),
        );
        expect(await answerOf()).toMatchObject(sent);
      }
      await app.visitor().form(tokens.mother, { answer: 'no', comment: 'Chickenpox' });
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
      expect(html).not.toMatch(/Theo Child|secret reason|Unavailable/);
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
        'Choose one of our teams',
      );
      expect(await refusalOf(app.write((ctx) => makeCallUp(ctx, game, club.red, [])))).toContain(
        'Choose one of our teams',
      );
      await app.write((ctx) => makeCallUp(ctx, game, club.ours, []));
      expect(await refusalOf(app.write((ctx) => makeCallUp(ctx, game, club.ours, [])))).toContain(
        'already called up for this match',
      );
      expect(await refusalOf(kw(keeper, 'club.convocation', 'send_callups', [[1]]))).not.toBe('no refusal');
    });
  });

  describe('birthdays', () => {
    it('are those of people who agreed, by day and month, never the year', async () => {
      const year = new Date().getFullYear();
      const category = await app.write(async (ctx) => {
        const id = await ctx.model(Category).create({ name: 'Birthday people' });
        // Years between which a 29 February exists in both or in none.
        const born = (back: number, days: number) => `${year - back}${dayAt(days).slice(4)}`;
        const more = { consent_birthday: true, category_id: id };
        await makeMember(ctx, 'Today Adult', { birth_date: born(32, 0), ...more });
        await makeMember(ctx, 'Small Child', { birth_date: born(8, 0), ...more });
        await makeMember(ctx, 'Shy Person', { birth_date: born(32, 0), category_id: id });
        await makeMember(ctx, 'Later Adult', { birth_date: born(32, 13), ...more });
        return id;
      });
      const html = (params: object) =>
        app.visitor().rpc<string>('/get_birthday_members', { categories: [category], ...params });
      const day = await html({});
      expect(day).toContain('Today Adult');
      expect(day).toContain('Small C.');
      expect(day).not.toMatch(/Shy|Later|Small Child/);
      expect(day).not.toContain(String(year - 32));
      expect(await html({ weekly: 3 })).toContain('Later Adult');
      expect(await html({ weekly: 1 })).toContain('Today Adult');
      expect(await refusalOf(html({ categories: [99_999] }))).toContain('We can’t find that category.');
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
});
