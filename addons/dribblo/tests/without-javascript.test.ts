import { byLanguage, type Client, createTestApp, type TestApp } from 'pergola/testing';
import sharp from 'sharp';
import { ConvocationLine } from '../models/club-convocation-line.ts';
import { Member } from '../models/club-member.ts';
import { Wall } from '../models/club-wall.ts';
import { WallPost } from '../models/club-wall-post.ts';
import { WeatherReport } from '../models/club-weather.ts';
import { callUpToken } from '../services/callup-links.ts';
import { weatherQuestion } from '../services/weather/client.ts';
import type { Weather } from '../services/weather/parse.ts';
import { FRESH_FOR, WeatherReports } from '../services/weather/reports.ts';
import { citySetting, weatherKeySetting } from '../settings.ts';

const sunny: Weather = {
  town: 'Val-Fleuri',
  measured: Math.floor(Date.now() / 1000),
  ahead: 0,
  now: { code: 800, text: 'ciel dégagé', temperature: 12, humidity: 71, wind: 18 },
  days: [],
};

describe('Without JavaScript', () => {
  let app: TestApp;
  let callUp: string;
  let photo: Blob;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['dribblo'], demo: true });
    await app.write(async (ctx) => {
      await ctx.settings.set(citySetting, 'Val-Fleuri, FR');
      await ctx.settings.set(weatherKeySetting, 'k3y');
    });
    callUp = await app.read(async (ctx) => {
      const line = await ctx.model(ConvocationLine).first([], { select: { member_id: true } });
      const { partner_id: partner } = await ctx
        .model(Member)
        .get(line?.member_id ?? 0, { select: { partner_id: true } });
      return `/convocations/answer/${callUpToken(ctx, { line: line?.id ?? 0, partner })}`;
    });
    const picture = sharp({ create: { width: 500, height: 300, channels: 3, background: '#336699' } });
    photo = new Blob([await picture.jpeg().toBuffer()], { type: 'image/jpeg' });
  });
  afterAll(() => app.close());

  const words = {
    en: {
      show: 'Show',
      search: 'Search',
      save: 'Save result',
      goals: 'Enter the goals of both teams.',
      post: 'Post',
      noTitle: 'The title is required!',
      remove: 'Delete: News',
      sure: 'Do you really want to delete this post?',
      more: 'Show more',
      send: 'Send answer',
      thanks: 'Thanks – you’re out.',
      open: 'Open Facebook',
      days: /^\d+ Days \d+ \S+ \d+ \S+ – /,
      noWeather: 'The forecast is loading.',
      weather: /^Weather in Val-Fleuri 12 °C .*Measured at .*https:\/\/openweathermap.org/,
    },
    fr: {
      show: 'Afficher',
      search: 'Rechercher',
      save: 'Enregistrer le résultat',
      goals: 'Saisissez les buts des deux équipes.',
      post: 'Publier',
      noTitle: 'Le titre est obligatoire!',
      remove: 'Supprimer : News',
      sure: 'Voulez vous vraiment supprimer ce post ?',
      more: 'Afficher plus',
      send: 'Envoyer la réponse',
      thanks: 'Merci, votre absence est notée.',
      open: 'Ouvrir Facebook',
      days: /^\d+ Jours \d+ \S+ \d+ \S+ – /,
      noWeather: 'Chargement des prévisions.',
      weather: /^Météo à Val-Fleuri 12 °C .*https:\/\/openweathermap.org/,
    },
  };

  describe.each(byLanguage(words))('at "$at"', ({ at, say }) => {
    let visitor: Client;
    let editor: Client;
    beforeAll(async () => {
      visitor = app.visitor();
      editor = await app.as('editor');
    });

    it('one is asked before a post is deleted', async () => {
      const wall = await app.read((ctx) => ctx.model(Wall).first([], { select: { name: true } }));
      const id = await app.write((ctx) => ctx.model(WallPost).create({ name: 'Gone', wall_id: wall?.id ?? 0 }));
      const left = () => app.read((ctx) => ctx.model(WallPost).count([['id', '=', id]]));
      const send = (fields: object) =>
        editor.form(
          `${at}/dribblo/post/delete/form`,
          { post_id: id, ...fields },
          { Accept: 'text/html', Referer: `${app.url}${at}/wall/1` },
        );
      const asked = await send({});
      expect([asked.status, await left()]).toEqual([200, 1]);
      expect(asked.text).toContain(say.sure);
      expect(asked.text).toContain(`href="${at}/wall/1"`);
      expect(asked.text).toContain(`<input type="hidden" name="post_id" value="${id}">`);
      const answer = await send({ confirmed: 'true' });
      expect([answer.status, answer.location, await left()]).toEqual([303, `${at}/wall/${wall?.id}`, 0]);
    });

    it('one finds the matches of a team, from the week and from the list', async () => {
      const team = await app.read((ctx) => ctx.ref('dribblo.demo_u15'));
      for (const [page, island, button] of [
        ['/club', 'dribblo.TeamFilter', say.show],
        ['/matchs', 'dribblo.MatchWeek', say.search],
      ] as const) {
        const { status, read } = await visitor.press(at + page, island, button, { team: String(team) });
        expect([status, read]).toEqual([200, expect.stringContaining('AS Val-Fleuri U15')]);
        expect(read).not.toContain('AS Val-Fleuri U11 –');
      }
      expect(await visitor.readIsland(`${at}/matchs`, 'dribblo.MatchWeek')).toContain(`${at}/matchs?week=1`);
    });

    it('one enters a result, and is told what is missing of it', async () => {
      // The last one that has begun.
      const [, match] = /\/matchs\/(\d+)\/result"/.exec((await editor.get(`${at}/matchs/results`)).text) ?? [];
      const press = (fields: Record<string, string>) =>
        editor.press(`${at}/matchs/${match}/result`, 'dribblo.Score', say.save, { state: 'played', ...fields });
      const half = await press({ receiver_res: '3', visitor_res: '' });
      expect([half.status, half.read]).toEqual([422, expect.stringContaining(say.goals)]);
      const { status, read } = await press({ receiver_res: '3', visitor_res: at ? '2' : '1' });
      expect([status, read]).toEqual([200, expect.stringContaining(at ? '3 – 2' : '3 – 1')]);
    });

    it('one finds the results to enter, with no word of what a phone keeps', async () => {
      const page = `${at}/matchs/results`;
      expect((await editor.get(page)).text).toMatch(new RegExp(`href="${at}/matchs/\\d+/result"`));
      expect(await editor.readIsland(page, 'dribblo.KeptScores')).toBe('');
    });

    it('one reads the weather that is known', async () => {
      await app.write(async (ctx) => ctx.model(WeatherReport).unlink(await ctx.model(WeatherReport).search([])));
      const weather = () => visitor.readIsland(`${at}/club`, 'dribblo.Weather');
      expect(await weather()).toContain(say.noWeather);
      await app.write(async (ctx) => {
        const question = await weatherQuestion(ctx);
        if (question) await ctx.get(WeatherReports).keep({ question, outcome: { weather: sunny } });
        const reports = ctx.model(WeatherReport);
        await reports.write(await reports.search([]), { fetched_date: new Date(Date.now() - FRESH_FOR) });
      });
      expect(await weather()).toMatch(say.weather);
    });

    it('one writes on the wall, with a photo, and takes it off again', async () => {
      const wall = `${at}/wall/1`;
      const bad = await editor.press(wall, 'dribblo.Wall', say.post, { descr: 'All of it' });
      expect(bad.read).toContain(say.noTitle);
      expect(bad.text).toContain('All of it</textarea>');
      const fields = { name: 'News', descr: 'Training is on Friday.', image: photo };
      const { read, text } = await editor.press(wall, 'dribblo.Wall', say.post, fields);
      expect(read).toContain('Training is on Friday.');
      expect(text).toMatch(/<img [^>]*class="club-photo" src="[^"]+"/);
      expect((await editor.press(wall, 'dribblo.Wall', say.remove)).read).not.toContain('Training is on Friday.');
      expect(await visitor.readIsland(wall, 'dribblo.Wall')).toMatch(new RegExp(`${say.more} \\?shown=\\d+`));
    });

    it('one answers a call-up', async () => {
      const fields = { answer: 'no', comment: 'Ill' };
      const { status, read } = await visitor.press(at + callUp, 'dribblo.CallUpAnswer', say.send, fields);
      expect([status, read]).toEqual([200, expect.stringContaining(say.thanks)]);
      expect(read).toContain('comment=Ill');
    });

    it.each<[string, string, string | RegExp]>([
      ['/club', 'dribblo.Social', `${say.open} https://www.facebook.com/as.val.fleuri.demo`],
      ['/club', 'website.Countdown', say.days],
    ])('what somebody needs stands in the page: %s, %s', async (page, island, text) => {
      expect(await visitor.readIsland(at + page, island)).toEqual(expect.stringMatching(text));
    });
  });
});
