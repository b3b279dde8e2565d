import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { meterTime } from '../../../tools/testing/fixtures/fx_costly/meter-time.ts';
import { WROTE_COOKIE } from '../../page-cache/page-cache.ts';
import { type AddonCost, type CostReport, costLedger, costsOf, readCosts } from '../index.ts';

const PAGE = '/fx/priced/:kind';

eachDatabase('Costs of addons', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['base', 'fx_costly'], database });
    Object.assign(app.application.get(costLedger), { clock: () => meterTime.now, limit: Infinity });
    // The first request compiles and loads.
    await visit('plain');
  });
  afterAll(() => app.close());

  /** Requests a page that isn't cached. */
  const visit = (kind: string) =>
    app.visitor().get(`/fx/priced/${kind}`, { headers: { cookie: `${WROTE_COOKIE}=elsewhere` } });
  const stored = async (): Promise<readonly CostReport[]> => {
    await app.application.get(costLedger).store();
    return readCosts(app.database, 5);
  };
  const costOf = (report: CostReport | null, addon: string): AddonCost =>
    report?.addons.find((cost) => cost.addon === addon) ?? {
      ...{ addon, ms: 0, queries: 0, rows: 0, bytes: 0, errors: 0, share: 0 },
    };
  /** Costs of an addon for some requests of one kind. */
  const measure = async (addon: string, figure: keyof Omit<AddonCost, 'addon'>, requests: () => Promise<unknown>) => {
    const before = costOf(costsOf(await stored(), PAGE), addon)[figure];
    await requests();
    return costOf(costsOf(await stored(), PAGE), addon)[figure] - before;
  };

  it.each(['model', 'wait', 'service', 'patch', 'fragment', 'route'])(
    'finds 50 ms of an extension: %s',
    async (kind) => {
      expect(await measure('fx_costly', 'ms', () => visit(kind))).toBe(50);
      expect(await measure('fx_priced', 'ms', () => visit(kind))).toBe(0);
      expect(await measure('core', 'ms', () => visit(kind))).toBe(0);
    },
  );

  it.each(['model', 'patch', 'fragment', 'route'])('doesn’t burden pages served at the same time: %s', async (kind) => {
    const atOnce = () => Promise.all([visit(kind), visit(kind), visit('plain'), visit('plain')]);
    expect(await measure('fx_costly', 'ms', atOnce)).toBe(100);
    expect(await measure('fx_priced', 'ms', atOnce)).toBe(0);
  });

  it('attributes queries to the addon that runs them', async () => {
    expect(await measure('fx_costly', 'queries', () => visit('plain'))).toBe(0);
    expect(await measure('fx_priced', 'queries', () => visit('plain'))).toBe(1);
    expect(await measure('fx_costly', 'queries', () => Promise.all([visit('queries'), visit('queries')]))).toBe(20);
    expect(await measure('fx_costly', 'rows', () => visit('queries'))).toBe(10);
  });

  it('attributes errors to the addon that throws them', async () => {
    const broken = async () => expect((await visit('broken')).status).toBe(500);
    expect(await measure('fx_priced', 'errors', broken)).toBe(1);
    expect(await measure('fx_costly', 'errors', broken)).toBe(0);
  });

  it.each(['failing-model', 'failing-patch'])('counts errors of parts that are left out: %s', async (kind) => {
    const failing = async () => expect((await visit(kind)).status).toBe(200);
    expect(await measure('fx_costly', 'errors', failing)).toBe(1);
    expect(await measure('fx_priced', 'errors', failing)).toBe(0);
  });

  it('tells administrators, and only them, in their browser', async () => {
    const timing = async (client: Pick<TestApp, 'get'>) =>
      (await client.get('/fx/priced/model')).headers.get('server-timing');
    expect(await timing(app.visitor())).toBeNull();
    const shares = (await timing(await app.as('admin')))?.split(', ') ?? [];
    expect(shares.toSorted()).toEqual(['base;dur=0.0', 'core;dur=0.0', 'fx_costly;dur=50.0', 'fx_priced;dur=0.0']);
  });

  it('measures jobs', async () => {
    await app.write((ctx) => ctx.jobs.enqueue(announce(app), { kind: 'model' }));
    await app.runJobs();
    const report = costsOf(await stored(), 'job fx_priced.announce');
    expect(report).toMatchObject({ requests: 1, ms: 50 });
    expect(costOf(report, 'fx_costly')).toMatchObject({ ms: 50, share: 1 });
  });

  it('measures some requests for all while there are many, and all jobs', async () => {
    const ledger = app.application.get(costLedger);
    const requestsOf = async (page: string) => costsOf(await stored(), page)?.requests ?? 0;
    const [before, jobs] = [await requestsOf(PAGE), await requestsOf('job fx_priced.announce')];
    ledger.limit = 0;
    const accounts = Array.from({ length: 2500 }, () => ledger.open('visitor'));
    expect(accounts.filter((account) => account !== null)).toHaveLength(500);
    for (const account of accounts) account?.close(PAGE);
    for (let n = 0; n < 10; n++) ledger.open('job')?.close('job fx_priced.announce');
    ledger.limit = Infinity;
    expect((await requestsOf(PAGE)) - before).toBe(2500);
    expect(await requestsOf('job fx_priced.announce')).toBe(jobs + 10);
  });

  it('divides all of the time and all of the page', async () => {
    for (const { ms, addons } of await stored()) {
      const sum = addons.reduce((total, cost) => total + cost.share, 0);
      if (ms > 0) expect(sum).toBeCloseTo(1, 3);
    }
    const { text } = await visit('plain');
    const added = '<p><em>part</em>\n</p>';
    expect(text).toContain(added);
    // A fragment's place is marked while its page is rendered.
    const mark = 48;
    expect(await measure('fx_costly', 'bytes', () => visit('plain'))).toBe(added.length + mark);
    expect(await measure('fx_priced', 'bytes', () => visit('plain'))).toBe(text.length - added.length);
  });
});

it.each([
  ['/shop', '/shop'],
  ['/shop/:category', '/shop/garden-1'],
  ['/shop/:category', '/fr/shop/garden-1/'],
  ['/shop/new', '/shop/new'],
  ['/sitemap-:file.xml', '/sitemap-2.xml'],
  ['POST /shop', 'POST /shop'],
  [undefined, '/shop/garden-1/2'],
  [undefined, '/sitemap-2_xml'],
])('finds the costs of %s by %s', (page, path) => {
  const pages = ['/shop/:category', '/shop/new', '/shop', '/sitemap-:file.xml', 'POST /shop', 'job shop.clean'];
  const reports = pages.map((name): CostReport => ({ page: name, requests: 1, ms: 1, addons: [] }));
  expect(costsOf(reports, path)?.page).toBe(page);
});

/** The job of the fixture, which packages don't import. */
function announce(app: TestApp) {
  const job = app.application.generation.addons
    .flatMap(({ definition }) => definition.jobs ?? [])
    .find(({ name }) => name === 'fx_priced.announce');
  if (!job) throw new Error('The fixture has no job.');
  return job;
}
