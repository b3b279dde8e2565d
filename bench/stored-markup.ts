import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/**
 * C35 for the football club, on a running site with its demo data: writes hostile texts into every text field of its models, by call and by
 * form, and opens the pages and backend views that show them in Chromium, with and without the content security policy.
 *
 * `node bench/stored-markup.ts http://localhost:8069 admin admin [file.json | file.txt | file.mjs …]`: the files contain more texts, one
 * per line, as a JSON list, or as DOMPurify's fixtures. It changes the site's records: use a disposable one. `FROM=500` starts with the
 * 501st text.
 */
const [base = 'http://localhost:8069', login = 'admin', password = 'admin', ...files] = process.argv.slice(2);
const PORTION = 25;

/** Hand-written attack texts: scripts in all forms that browsers tolerate. */
function ownVectors(): string[] {
  const tags = [
    'img src=x',
    'svg',
    'video src=x',
    'audio src=x',
    'body',
    'details open',
    'input autofocus',
    'iframe',
    'a href=#',
    'p',
  ];
  const events = [
    'onerror',
    'onload',
    'onfocus',
    'onclick',
    'onmouseover',
    'ontoggle',
    'onanimationstart',
    'onpointerrawupdate',
  ];
  const wrap = [
    (text: string) => text,
    (text: string) => `<b>${text}</b>`,
    (text: string) => `"'>${text}`,
    (text: string) => `</textarea></title></style></script>${text}`,
    (text: string) => `<math><mtext><table><mglyph><style><!--</style>${text}`,
    (text: string) => `<noscript><p title="</noscript>${text}">`,
    (text: string) => text.replace(/</g, '&lt;').replace(/>/g, '&gt;'),
  ];
  const handlers = tags.flatMap((tag) => events.map((event) => `<${tag} ${event}=alert(1)>`));
  const addresses = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
  ];
  const places = [
    '<a href="$">x</a>',
    '<form action="$"><button>x</button></form>',
    '<iframe src="$"></iframe>',
    '<object data="$"></object>',
    '<embed src="$">',
    '<svg><a xlink:href="$"><text>x</text></a></svg>',
    '<base href="$">',
    '<meta http-equiv=refresh content="0;url=$">',
    '<div style="background:url($)">x</div>',
    '<button formaction="$">x</button>',
  ];
  const links = places.flatMap((place) => addresses.map((address) => place.replace('$', address)));
  const otherVectors = [
    '<script>alert(1)</script>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '{{constructor.constructor("alert(1)")()}}',
    '{{{this}}}',
    '<template><script>alert(1)</script></template>',
    '<div data-block="dribblo.posts" data-options="{}"></div>',
    '<div data-frame="javascript:alert(1)" class="js_social club-social-gate"><button>x</button></div>',
    '<img data-refresh="/matchs/week" data-params="{}">',
    '<style>*{background:url(javascript:alert(1))}</style>',
    '<link rel=stylesheet href="javascript:alert(1)">',
  ];
  return [...handlers, ...links, ...otherVectors].flatMap((text) => wrap.map((wrapper) => wrapper(text)));
}

async function vectorsOf(file: string): Promise<string[]> {
  if (file.endsWith('.mjs')) {
    const { default: fixtures } = (await import(file)) as { default: { payload: string }[] };
    return fixtures.map(({ payload }) => payload);
  }
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.json') ? (JSON.parse(text) as string[]) : text.split(/\r?\n/);
}

/** Cookies of the site by name. */
const jar = new Map<string, string>();

/** Makes a call as the administrator; returns null if it is refused. */
async function call<T>(path: string, params: object): Promise<T | null> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: base,
      cookie: [...jar].map((pair) => pair.join('=')).join('; '),
    },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'call', params, id: 1 }),
  });
  if (response.status >= 500) throw new Error(`${path} returned ${response.status}`);
  for (const text of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    jar.set(name, value);
  }
  const { result, error } = (await response.json()) as {
    result?: T;
    error?: { data?: { name?: string; message?: string } };
  };
  if (error && process.env.VERBOSE) console.log(path, JSON.stringify(params).slice(0, 200), error.data?.message);
  return result ?? null;
}
const kw = <T>(model: string, method: string, args: unknown[], kwargs: object = {}): Promise<T | null> =>
  call<T>('/web/dataset/call_kw', { model, method, args, kwargs });

interface Place {
  readonly model: string;
  readonly ids: readonly number[];
  /** Text fields with their maximum lengths. */
  readonly fields: readonly { name: string; size: number }[];
}

/** Returns 25 records of a model, creating as many as needed. */
async function place(
  model: string,
  fields: Record<string, number>,
  make: ((index: number) => object) | null,
  domain: unknown[] = [],
): Promise<Place> {
  const existingIds = (await kw<number[]>(model, 'search', [domain], { limit: PORTION })) ?? [];
  const ids = [...existingIds];
  for (let index = existingIds.length; make && index < PORTION; index++) {
    const id = await kw<number>(model, 'create', [make(index)]);
    if (id) ids.push(id);
  }
  return { model, ids, fields: Object.entries(fields).map(([name, size]) => ({ name, size })) };
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function prepare() {
  const [team = 0] = (await kw<number[]>('club.team', 'search', [[['is_ours', '=', true]]])) ?? [];
  const [opponentId = 0] = (await kw<number[]>('club.team', 'search', [[['is_ours', '=', false]]])) ?? [];
  const teams = await place('club.team', { name: 80, training: 4000, description: 4000 }, null);
  for (const id of teams.ids) await kw('club.team', 'write', [[id], { is_ours: true, website_published: true }]);
  const league =
    (await kw<number>('club.competition', 'create', [{ name: 'C35', team_ids: [[6, 0, teams.ids]] }])) ?? 0;
  const noon = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + 86_400_000 / 2 + 60_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ');
  const venues = await place('club.venue', { name: 120, street: 200, zip: 24, city: 200, note: 4000 }, (index) => ({
    name: `Ground ${index}`,
  }));
  const matches: number[] = [];
  for (const [index, id] of teams.ids.entries()) {
    const visitor_id = teams.ids[(index + 1) % teams.ids.length] ?? opponentId;
    const matchId = await kw<number>('club.match', 'create', [
      {
        receiver_id: id,
        visitor_id,
        start_datetime: noon,
        competition_id: league,
        venue_id: venues.ids[index],
        compet_phase: 'x',
      },
    ]);
    if (matchId) matches.push(matchId);
  }
  const calls: number[] = [];
  for (const [index, match_id] of matches.entries()) {
    const id = await kw<number>('club.convocation', 'create', [
      { match_id, team_id: teams.ids[index], website_published: true, meeting_place: 'x', note: 'x' },
    ]);
    if (id) calls.push(id);
  }
  const walls = await place('club.wall', { name: 80, description: 4000 }, (index) => ({
    name: `Wall ${index}`,
    website_published: true,
  }));
  const places: Place[] = [
    teams,
    venues,
    { model: 'club.match', ids: matches, fields: [{ name: 'compet_phase', size: 80 }] },
    {
      model: 'club.convocation',
      ids: calls,
      fields: [
        { name: 'meeting_place', size: 160 },
        { name: 'note', size: 4000 },
      ],
    },
    walls,
    await place('club.competition', { name: 120 }, (index) => ({ name: `League ${index}` })),
    await place(
      'club.competition.adjustment',
      { reason: 200 },
      (index) => ({ competition_id: league, team_id: teams.ids[index], points: -1, reason: 'x' }),
      [['competition_id', '=', league]],
    ),
    await place('club.category', { name: 40 }, (index) => ({ name: `Category ${index}` })),
    await place('club.season', { name: 40 }, (index) => ({
      name: `Season ${index}`,
      date_start: '2026-01-01',
      date_end: '2026-12-31',
    })),
    await place('club.member', { licence: 40 }, null),
    await place('res.partner', { name: 120 }, null, [
      [
        'id',
        'in',
        (
          await kw<{ partner_id: [number, string] }[]>('club.member', 'search_read', [[], ['partner_id']], {
            limit: PORTION,
          })
        )?.map(({ partner_id }) => partner_id[0]),
      ],
    ]),
    await place('club.advert', { name: 120, link: 1024 }, (index) => ({
      name: `Advert ${index}`,
      zone: 'c35',
      image: png,
    })),
  ];
  for (const id of (await kw<number[]>('club.advert', 'search', [[]])) ?? [])
    await kw('club.advert', 'write', [[id], { zone: 'c35' }]);
  const piece = (id: string, options: object): string =>
    `<div data-block="dribblo.${id}" data-options='${JSON.stringify(options)}'></div>`;
  const content = `<section><h1>C35</h1>${piece('posts', { count: 24 })}${piece('standings', { competition: league })}${piece('callups', {})}${piece('adverts', { zone: 'c35' })}${piece('week', { filter: true })}${piece('birthdays', { period: 'three_weeks' })}${piece('poster', { team })}${piece('next_match', { team })}${piece('next_matches', { nbr: 20 })}${piece('match_list', { teams: teams.ids.slice(0, 10), nbr: 3 })}${piece('teams', {})}</section>`;
  await kw('website.page', 'create', [{ name: 'C35', url: '/c35', content, website_published: true }]);
  const numbers = await kw<{ mnbr: number }[]>('club.match', 'read', [matches, ['mnbr']]);
  return { places, wall: walls.ids[0] ?? 1, mnbr: numbers?.map(({ mnbr }) => mnbr) ?? [], teams: teams.ids };
}

const findings: string[] = [];
let reportedCount = 0;

/** Findings since the last call. */
function fresh(): string[] {
  const since = [...new Set(findings.slice(reportedCount))];
  reportedCount = findings.length;
  return since;
}

async function watched(browser: Browser, bypassCSP: boolean): Promise<Page> {
  const context = await browser.newContext({ bypassCSP });
  await context.addCookies([...jar].map(([name, value]) => ({ name, value, url: base })));
  await context.exposeFunction('__ran', (finding: string) => void findings.push(`ran: ${finding}`));
  await context.addInitScript(() => {
    const report = (finding: string) => (): void => Reflect.get(window, '__ran')(`${finding} at ${location.pathname}`);
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'msgbox']) Reflect.set(window, name, report(name));
  });
  return context.newPage();
}

/** Checks a page: loads it, hovers over its elements, and looks for anything that could run. */
async function checkPage(page: Page, path: string): Promise<number> {
  const response = await page.goto(base + path, { waitUntil: 'load' });
  await page.waitForTimeout(60);
  const dangerousElements = await page.evaluate(() => {
    const all = [...document.querySelectorAll('body *')];
    for (const element of all) {
      element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      element.dispatchEvent(new Event('focus'));
    }
    // Resolves the address as the browser does: unusual spaces before the scheme make it a path.
    const leadsToScript = (value: string): boolean => {
      const { protocol, pathname } = URL.parse(value, location.href) ?? { protocol: '', pathname: '' };
      return ['javascript:', 'vbscript:'].includes(protocol) || (protocol === 'data:' && pathname.startsWith('text/'));
    };
    const runs = (element: Element): boolean =>
      ['OBJECT', 'EMBED', 'BASE', 'IFRAME', 'META', 'MATH'].includes(element.tagName.toUpperCase()) ||
      (element.tagName === 'SCRIPT' &&
        !/json|importmap/.test(element.getAttribute('type') ?? '') &&
        !/^\/_assets\//.test(element.getAttribute('src') ?? '')) ||
      [...element.attributes].some(
        ({ name, value }) =>
          /^on/i.test(name) ||
          (/^(href|src|action|formaction|xlink:href|data|poster)$/i.test(name) && leadsToScript(value)),
      );
    return all.filter(runs).map((element) => element.outerHTML.slice(0, 160));
  });
  findings.push(...dangerousElements.map((html) => `in ${path}: ${html}`));
  return response?.status() ?? 0;
}

async function posted(values: {
  name: string;
  website_published: boolean;
}): Promise<{ id: number; name: string } | null> {
  const id = await kw<number>('club.wall.post', 'create', [values]);
  return id ? { id, name: values.name } : null;
}

async function main(): Promise<void> {
  await call('/web/session/authenticate', { db: 'pergola', login, password });
  const more = (await Promise.all(files.map(vectorsOf))).flat();
  const vectors = [...new Set([...ownVectors(), ...more])].filter((text) => text.trim() !== '');
  const site = await prepare();
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const pages = { off: await watched(browser, true), on: await watched(browser, false) };
  const counts = { writes: 0, refused: 0, views: 0, wrongText: 0, errors: 0 };
  const fields = site.places.reduce((sum, place) => sum + place.fields.length, 2);
  console.log(`${vectors.length} texts, ${fields} fields of ${site.places.length + 1} models`);
  for (let from = Number(process.env.FROM ?? 0); from < vectors.length; from += PORTION) {
    const portion = vectors.slice(from, from + PORTION);
    for (const { model, ids, fields: names } of site.places) {
      for (const [index, id] of ids.entries()) {
        const text = portion[index % portion.length] ?? '';
        for (const { name, size } of names) {
          const value = ['name', 'licence'].includes(name) ? `${index}${text}` : text;
          counts.writes++;
          if ((await kw(model, 'write', [[id], { [name]: value.slice(0, size) }])) === null) counts.refused++;
        }
      }
    }
    const posts: { id: number; name: string }[] = [];
    for (const text of portion) {
      counts.writes++;
      // Posts only a few, because the wall accepts at most thirty in ten minutes.
      const values = { wall_id: site.wall, name: text.slice(0, 160), descr: text };
      const post =
        from === 0
          ? await call<{ id: number; name: string }>('/dribblo/wall/new', values)
          : await posted({ ...values, website_published: true });
      if (post) posts.push(post);
      else counts.refused++;
    }
    const fixtureIndex = (from / PORTION) % site.mnbr.length;
    const paths = [
      '/c35',
      '/matchs',
      '/teams',
      `/teams/${site.teams[fixtureIndex]}`,
      `/matchs/${site.mnbr[fixtureIndex]}`,
      `/wall/${site.wall}?shown=36`,
      `/wall/posts/${posts[0]?.id}`,
      '/web/m/club.wall.post',
      `/web/m/club.wall.post/${posts[fixtureIndex % posts.length]?.id}`,
      `/web/m/club.team/${site.teams[fixtureIndex]}`,
    ];
    for (const path of paths) {
      const modes = fixtureIndex % 4 === 0 ? [pages.off, pages.on] : [pages.off];
      for (const page of modes) {
        counts.views++;
        if ((await checkPage(page, path)) >= 500) counts.errors++;
      }
    }
    // A title must appear as literal text.
    await pages.off.goto(`${base}/wall/${site.wall}?shown=36`);
    const shownTitles = await pages.off.locator('[data-post-id] a[href*="/wall/posts/"]').allTextContents();
    const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
    for (const { name } of posts) if (!shownTitles.some((text) => plain(text) === plain(name))) counts.wrongText++;
    for (const { id } of posts) await call('/dribblo/post/delete', { post_id: id });
    process.stderr.write(`\r${from + portion.length} of ${vectors.length}, ${findings.length} found`);
    for (const finding of fresh()) console.log(`\n${finding}`);
  }
  await browser.close();
  console.log(`\n${JSON.stringify(counts)}\nexecuted or executable: ${findings.length}`);
  process.exitCode = findings.length + counts.errors + counts.wrongText > 0 ? 1 : 0;
}

await main();
