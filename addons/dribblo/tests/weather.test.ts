import { createServer, type Server, type ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { jest } from '@jest/globals';
import { createTestApp, type TestApp, until } from 'pergola/testing';
import { WeatherReport } from '../models/club-weather.ts';
import { getJson, isAllowed } from '../services/weather/http-client.ts';
import { readWeather } from '../services/weather/parse.ts';
import { FRESH_FOR, RETRY_AFTER } from '../services/weather/reports.ts';
import { citySetting, OPEN_WEATHER_MAP, weatherKeySetting, weatherUrlSetting } from '../settings.ts';

const NOON = Math.floor(Date.now() / 86_400_000) * 86_400 + 43_200;
const sky = (id: number, description: string) => [{ id, description, main: '', icon: '01d' }];
const current = {
  name: 'Val-Fleuri',
  dt: NOON,
  timezone: 0,
  weather: sky(800, 'ciel dégagé'),
  main: { temp: 11.6, humidity: 71 },
  wind: { speed: 5 },
};
const forecast = {
  city: { timezone: 0 },
  list: Array.from({ length: 56 }, (_, index) => ({
    dt: NOON - 43_200 + index * 10_800,
    weather: sky(500 + (index % 8), 'pluie'),
    main: { temp: 9, temp_min: 5 + (index % 8), temp_max: 8 + (index % 8) },
  })),
};

const tell = (path: string, answer: ServerResponse): void => {
  answer.end(JSON.stringify(path.includes('forecast') ? forecast : current));
};

/** A stand-in for the weather service; what it does next is said by `behave`. */
function startStub() {
  const asked: URL[] = [];
  let behave = tell;
  const server: Server = createServer((request, answer) => {
    const url = new URL(request.url ?? '/', 'http://stub');
    asked.push(url);
    behave(url.pathname, answer);
  });
  return new Promise<{ url: string; asked: URL[]; server: Server; behave(next: typeof behave): void }>((done) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      done({ url: `http://127.0.0.1:${port}/data/2.5`, asked, server, behave: (next) => (behave = next) });
    });
  });
}

describe('the weather', () => {
  let app: TestApp;
  let stub: Awaited<ReturnType<typeof startStub>>;
  beforeAll(async () => {
    stub = await startStub();
    app = await createTestApp({ addons: ['dribblo'] });
  });
  afterAll(async () => {
    await app.close();
    stub.server.closeAllConnections();
    stub.server.close();
  });
  beforeEach(async () => {
    stub.asked.length = 0;
    stub.behave(tell);
    await set(stub.url);
    await app.write(async (ctx) => ctx.model(WeatherReport).unlink(await ctx.model(WeatherReport).search([])));
  });

  const set = (url: string, city = 'Val-Fleuri, FR', key = 'k3y') =>
    app.write(async (ctx) => {
      await ctx.settings.set(citySetting, city);
      await ctx.settings.set(weatherUrlSetting, url);
      await ctx.settings.set(weatherKeySetting, key);
    });
  const html = () => app.visitor().rpc<string>('/dribblo/weather');
  const age = (milliseconds: number) =>
    app.write(async (ctx) => {
      const reports = ctx.model(WeatherReport);
      for (const { id, fetched_date } of await reports.find([], { select: { fetched_date: true } })) {
        await reports.write(id, {
          fetched_date: new Date((fetched_date?.getTime() ?? 0) - milliseconds),
          closed_until: null,
        });
      }
    });

  it('forgets its key when the address changes', async () => {
    const key = () => app.read((ctx) => ctx.settings.get(weatherKeySetting));
    expect(await key()).toBe('k3y');
    const [row] = await app.read((ctx) =>
      ctx.db('core_setting').where({ name: 'dribblo.weather_key' }).select('value'),
    );
    expect(JSON.stringify(row)).not.toContain('k3y');
    await app.write((ctx) => ctx.settings.set(weatherUrlSetting, 'https://elsewhere.example/data/2.5'));
    expect(await key()).toBe('');
  });

  it('is asked for in metric and French, and shown for today and four days', async () => {
    const text = await html();
    expect(stub.asked.map(({ pathname }) => pathname).sort()).toEqual(['/data/2.5/forecast', '/data/2.5/weather']);
    expect(Object.fromEntries(stub.asked[0]?.searchParams ?? [])).toEqual({
      q: 'Val-Fleuri, FR',
      units: 'metric',
      lang: 'fr',
      appid: 'k3y',
    });
    expect(text).toContain('Weather in Val-Fleuri');
    expect(text).toContain('12 °C');
    expect(text).toContain('clear sky');
    expect(text).toContain('wind 18 km/h');
    expect(text.match(/<li>/g)).toHaveLength(4);
    expect(text).toMatch(/<b>15°<\/b>[\s\S]*5°/);
    expect(readWeather(current, forecast)?.days).toHaveLength(5);
  });

  it('is shown from what is kept for half an hour, and never carries the key', async () => {
    await html();
    await html();
    expect(stub.asked).toHaveLength(2);
    expect(await html()).not.toContain('k3y');
    await age(FRESH_FOR);
    await html();
    expect(stub.asked).toHaveLength(4);
  });

  it('is asked for in the background as well', async () => {
    const { refreshWeather } = await import('../jobs/refresh-weather.ts');
    await app.write((ctx) => ctx.jobs.enqueue(refreshWeather, {}));
    await app.runJobs();
    expect(stub.asked).toHaveLength(2);
    expect(await html()).toContain('12 °C');
    expect(stub.asked).toHaveLength(2);
  });

  it('that cannot be told is an error in the words of the service', async () => {
    stub.behave((_path, answer) => {
      answer.statusCode = 401;
      answer.end(JSON.stringify({ cod: 401, message: 'Invalid API key. <b>See</b> openweathermap.org' }));
    });
    const text = await html();
    expect(text).toMatch(/<h2[^>]*>Error<\/h2>/);
    expect(text).toContain('Invalid API key. &lt;b&gt;See&lt;/b&gt; openweathermap.org');
  });

  it.each<[string, (path: string, answer: ServerResponse) => void]>([
    ['hangs', () => {}],
    ['drips', (_path, answer) => void setInterval(() => answer.write(' '), 100).unref()],
    [
      'is endless',
      (_path, answer) => {
        const chunk = Buffer.alloc(256 * 1024, 32);
        const more = (): void => void (answer.destroyed || answer.write(chunk, () => setImmediate(more)));
        more();
      },
    ],
    ['answers no JSON', (_path, answer) => void answer.end('<html>')],
    ['sends elsewhere', (_path, answer) => void answer.writeHead(302, { location: `${stub.url}/secret` }).end()],
    ['breaks off', (_path, answer) => void answer.destroy()],
  ])('does not wait for a service that %s', async (_name, behaviour) => {
    stub.behave(behaviour);
    const text = await html();
    expect(text).toContain('>Error</h2>');
    expect(stub.asked.some(({ pathname }) => pathname.includes('secret'))).toBe(false);
  });

  it('leaves a service alone after five failures in a row', async () => {
    stub.behave((_path, answer) => void answer.destroy());
    for (let round = 0; round < 5; round++) {
      await html();
      if (round < 4) await age(RETRY_AFTER);
    }
    const asked = stub.asked.length;
    await app.write(async (ctx) => {
      const [row] = await ctx.model(WeatherReport).find([], { select: { failures: true, closed_until: true } });
      expect([row?.failures, (row?.closed_until?.getTime() ?? 0) > Date.now()]).toEqual([5, true]);
    });
    await html();
    expect(stub.asked).toHaveLength(asked);
  });

  it('makes no page wait, however many ask', async () => {
    stub.behave(() => {});
    const limit = jest.spyOn(AbortSignal, 'timeout');
    const abandon = new AbortController();
    limit.mockImplementation(() => abandon.signal);
    const calls = Promise.all([html(), html(), html()]);
    await until(() => stub.asked.length === 2);
    expect((await app.visitor().get('/matchs')).status).toBe(200);
    abandon.abort();
    await calls;
    limit.mockRestore();
    expect(stub.asked).toHaveLength(2);
  });

  it('is nothing until an administrator names town and key', async () => {
    await set(stub.url, '');
    expect(await html()).not.toMatch(/Error|Weather/);
    await set(OPEN_WEATHER_MAP, 'Val-Fleuri', '');
    await html();
    expect(stub.asked).toEqual([]);
    for (const address of [
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'ftp://x/',
      'nonsense',
      'http://user:pass@127.0.0.1/',
    ]) {
      await expect(set(address)).rejects.toThrow();
    }
  });
});

describe('addresses the server asks', () => {
  it.each(['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', '::1', 'fc00::1', '::ffff:127.0.0.1'])(
    'are within the own network only where an administrator named them: %s',
    (address) => {
      expect([isAllowed(address, false), isAllowed(address, true)]).toEqual([false, true]);
    },
  );
  it.each([
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'ff02::1',
    '::ffff:169.254.169.254',
    'nonsense',
  ])('are never those of no host: %s', (address) => {
    expect([isAllowed(address, false), isAllowed(address, true)]).toEqual([false, false]);
  });
  it('are not reached in other words, by any of forty ways to write this machine (C44)', async () => {
    let hits = 0;
    const canary = createServer((_request, answer) => {
      hits++;
      answer.end('{}');
    });
    await new Promise<void>((done) => canary.listen(0, '::', done));
    const address = canary.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const hosts = [
      ...['127.0.0.1', '127.1', '127.0.1', '0', '0.0.0.0', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1'],
      ...['017700000001', '127.255.255.254', '127.0.0.1.', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]'],
      ...['[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]', '[::7f00:1]', '[64:ff9b::7f00:1]'],
      ...['[2002:7f00:1::]', '[2001:0:7f00:1::]', '[::ffff:0:127.0.0.1]', '[fe80::1]', '[fc00::1]', '[fec0::1]'],
      ...[
        'localhost',
        'LOCALHOST',
        'localhost.',
        'ip6-localhost',
        hostname(),
        '①②⑦.⓪.⓪.①',
        '127。0。0。1',
        '%31%32%37.0.0.1',
      ],
      ...['169.254.169.254', '[::ffff:169.254.169.254]', '10.0.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1'],
    ];
    const addresses = [
      ...hosts.map((host) => `http://${host}:${port}/`),
      ...['file:///etc/passwd', `gopher://127.0.0.1:${port}/`, `ftp://127.0.0.1:${port}/`, 'data:application/json,{}'],
    ];
    expect(addresses.length).toBeGreaterThanOrEqual(40);
    const outcomes = await Promise.all(
      addresses.map((text) => {
        const about = { inside: false, signal: AbortSignal.timeout(2_000) };
        // What is no address at all cannot be asked either.
        return URL.canParse(text)
          ? getJson(new URL(text), about).then(
              () => text,
              () => '',
            )
          : '';
      }),
    );
    canary.closeAllConnections();
    canary.close();
    expect([outcomes.filter((text) => text !== ''), hits]).toEqual([[], 0]);
  });
  it('answer a megabyte at most', async () => {
    const server = createServer((request, answer) => answer.end(`"${'x'.repeat(Number(request.url?.slice(1)) - 2)}"`));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const ask = (size: number) =>
      getJson(new URL(`http://127.0.0.1:${port}/${size}`), { inside: true, signal: AbortSignal.timeout(60_000) });
    await expect(ask(1024 * 1024)).resolves.toMatchObject({ status: 200 });
    await expect(ask(1024 * 1024 + 1)).rejects.toThrow('The answer is too large.');
    server.close();
  });
});
