import { z } from 'zod';
import { describeProblem } from '../../../core/base/errors.ts';
import { atOnce } from '../../../core/base/time-slices.ts';
import { cpuTime } from '../../../tools/testing/cpu-time.ts';
import { idleBreakers } from '../../../tools/testing/idle-breakers.ts';
import { modelKey } from '../../orm/model.ts';
import { action } from '../routes/action.ts';
import { extendRoute, record, route } from '../routes/route.ts';
import { type RoutingAddon, routeTableSteps } from '../routes/route-table.ts';

const buildRouteTable = (...about: Parameters<typeof routeTableSteps>) => atOnce(routeTableSteps(...about));

const nothing = async () => ({ kind: 'empty', status: 204 }) as const;
const Forum = Object.assign(class {}, { modelName: 'forum.forum', key: modelKey('forum.forum') });

function addon(name: string, routes: RoutingAddon['routes'], routeExtensions: RoutingAddon['routeExtensions'] = []) {
  return { name, routes, routeExtensions };
}

function problemsOf(...addons: RoutingAddon[]): string[] {
  return buildRouteTable(addons).problems.map(describeProblem);
}

test('what is written out wins over a parameter, whatever the order of the addons', () => {
  const slug = route.page('/shop/:slug', { name: 'shop.product', params: { slug: z.string() } }, nothing);
  const cart = route.page('/shop/cart', { name: 'sale.cart' }, nothing);
  for (const addons of [
    [addon('shop', [slug]), addon('sale', [cart])],
    [addon('sale', [cart]), addon('shop', [slug])],
  ]) {
    const { table, problems } = buildRouteTable(addons);
    expect(problems).toEqual([]);
    expect(table.match('GET', '/shop/cart')?.bound.route.name).toBe('sale.cart');
    expect(table.match('HEAD', '/shop/chair-1')?.params).toEqual({ slug: 'chair-1' });
    expect(table.match('GET', '/shop/cart')?.bound.addon).toBe('sale');
  }
});

test('a slash at the end, long parameters and encoded letters match; another case does not', () => {
  const { table } = buildRouteTable([
    addon('a', [
      route.rpc('/shop/tracking_last_order/', {}, nothing),
      route.page('/t/:token', { params: { token: z.string() } }, nothing),
    ]),
  ]);
  expect(table.match('POST', '/shop/tracking_last_order')).not.toBeNull();
  expect(table.match('POST', '/shop/tracking_last_order/')).not.toBeNull();
  expect(table.match('GET', `/t/${'x'.repeat(1000)}`)).not.toBeNull();
  expect(table.match('GET', `/t/${'x'.repeat(1001)}`)).toBeNull();
  expect(table.match('GET', '/t/caf%C3%A9%2F1')?.params.token).toBe('café/1');
  expect(table.match('GET', '/T/x')).toBeNull();
});

test('two addons with one method and path are a problem that names both, also under other parameter names', () => {
  const [problem, ...more] = problemsOf(
    addon('forum', [route.page('/q/:slug', { params: { slug: z.string() } }, nothing)]),
    addon('quote', [route.page('/q/:id/', { params: { id: z.string() } }, nothing)]),
  );
  expect(more).toEqual([]);
  expect(problem).toContain('GET /q/:id/ exists in addon forum and in addon quote');
  expect(
    problemsOf(addon('a', [route.page('/x', {}, nothing), route.form('/x', { body: z.object({}) }, nothing)])),
  ).toEqual([]);
});

test('every problem of every addon is told, not only the first', () => {
  const other = route.page('/gone', { name: 'other.gone' }, nothing);
  const problems = problemsOf(
    addon('a', [
      route.page('no-slash', {}, nothing),
      route.page('/p/:id', {}, nothing),
      route.page('/p', { params: { id: z.string() } }, nothing),
      route.form('/f', { body: undefined as unknown as z.ZodType }, nothing),
      route.http('/g', { method: 'GET', writes: true }, nothing),
      route.http('/h', { method: 'POST', csrf: { off: ' ' } }, nothing),
      route.page('/r/:id(((a+)+)+$)', { params: { id: z.string() } }, nothing),
      route.page('/n', { name: 'a.same' }, nothing),
      route.page('/m', { name: 'a.same' }, nothing),
    ]),
    addon('b', [], [extendRoute(other, (_, next) => next())]),
  );
  const text = problems.join('\n');
  for (const part of [
    'does not start with a slash',
    'says nothing about "id" in its path',
    'has a schema for "id", not in its path',
    'has no schema for its fields',
    'writes on GET',
    'switches the CSRF check off without a reason',
    'cannot be matched',
    'two routes are called "a.same"',
    'extends route "other.gone", which no enabled addon has',
  ]) {
    expect(text).toContain(part);
  }
});

test('parameters of the page of a form are those of its path', () => {
  const params = { garden: z.string() };
  const form = (page: string) => route.form('/x/:garden/send', { params, body: z.object({}), page }, nothing);
  expect(problemsOf(addon('a', [form('/x/:garden')]))).toEqual([]);
  expect(problemsOf(addon('a', [form('/x/:gardn')]))).toEqual([
    expect.stringContaining('has the page "/x/:gardn", whose "gardn" is not in its path.'),
  ]);
  const acting = action('/x/:garden', { params, form: { page: '/y/:plot' } }, nothing, () => '/');
  expect(problemsOf(addon('a', [acting]))).toEqual([expect.stringContaining('whose "plot" is not in its path.')]);
});

test('an extension of a route that is not there names the line that declares it', () => {
  const other = route.page('/gone', { name: 'other.gone' }, nothing);
  const extension = extendRoute(other, (_, next) => next());
  const line = Number(/route-table\.test\.ts:(\d+)/.exec(new Error().stack ?? '')?.[1]) - 1;
  const [problem] = buildRouteTable([{ ...addon('b', [], [extension]), folder: import.meta.dirname }]).problems;
  expect(problem).toMatchObject({ addon: 'b', file: 'route-table.test.ts', line });
});

test('groups nobody declares are a problem where the groups are known', () => {
  const addons = [addon('a', [route.page('/x', { groups: ['a.gone'] }, nothing)])];
  expect(buildRouteTable(addons, { groups: new Set(['base.group_user']) }).problems).toHaveLength(1);
  expect(buildRouteTable(addons, { groups: new Set(['a.gone']) }).problems).toEqual([]);
});

test('extensions run in addon order, the last outermost, and may change input and answer', async () => {
  const target = route.rpc('/sum', { name: 'a.sum', input: z.object({}) }, async ({ input }) => [input]);
  const wrap = (mark: string) =>
    extendRoute(target, async (input, next) => [
      mark,
      ...((await next({ ...input, input: `${input.input}${mark}` })) as unknown[]),
    ]);
  const { table, problems } = buildRouteTable([
    addon('a', [target]),
    addon('b', [], [wrap('b')]),
    addon('c', [], [wrap('c')]),
  ]);
  expect(problems).toEqual([]);
  const bound = table.match('POST', '/sum')?.bound;
  const ctx = { get: () => idleBreakers() };
  expect(await bound?.run({ ctx, input: '' })).toEqual(['c', 'b', 'cb']);
  expect(bound?.extendedBy).toEqual(['b', 'c']);
});

test('the list says of each method and path what checks and changes there are', () => {
  const { table } = buildRouteTable([
    addon('a', [
      route.page('/p', {}, nothing),
      route.form('/p', { auth: 'user', writes: true, body: z.object({}) }, nothing),
      route.rpc('/r', { groups: ['g'] }, nothing),
      route.http('/hook', { method: ['GET', 'POST'], csrf: { off: 'signed call-back' } }, nothing),
      route.http('/up', { method: 'POST', body: 'form', writes: true }, nothing),
      route.http('/beacon', { method: 'POST', writes: true }, nothing),
    ]),
  ]);
  const lines = table
    .list()
    .map(({ method, path, kind, auth, csrf, writes }) => [method, path, kind, auth, csrf, writes].join(' '));
  expect(lines).toEqual([
    'POST /beacon http public origin true',
    'GET /hook http public none false',
    'POST /hook http public off: signed call-back false',
    'GET /p page public none false',
    'POST /p form user token true',
    'POST /r rpc public origin false',
    'POST /up http public token true',
  ]);
});

test('pages and forms exist under language prefixes, calls do not, unknown paths do', () => {
  const { table } = buildRouteTable([
    addon('a', [
      route.page('/p', {}, nothing),
      route.rpc('/r', {}, nothing),
      route.page('/web', { multilang: false }, nothing),
    ]),
  ]);
  const { table: below } = buildRouteTable([
    addon('a', [
      route.http('/web/image/:id', { method: 'GET', params: { id: z.string() } }, nothing),
      route.page('/shop/x/:id', { params: { id: z.string() } }, nothing),
      route.rpc('/shop/x/y/:id', { params: { id: z.string() } }, nothing),
    ]),
  ]);
  expect(['/p', '/r', '/web', '/about-us'].map((path) => table.isMultilang(path))).toEqual([true, false, false, true]);
  expect(['/web/image', '/web', '/shop/x', '/shop'].map((path) => below.isMultilang(path))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(table.methodsAt('/p')).toEqual(['GET', 'HEAD']);
  expect(table.methodsAt('/r')).toEqual(['POST']);
  expect(table.methodsAt('/nowhere')).toEqual([]);
});

test('three hundred routes are matched in the time of three', async () => {
  const make = (count: number) =>
    buildRouteTable([
      addon(
        'a',
        Array.from({ length: count }, (_, n) =>
          route.page(`/section${n}/:forum/question/:id`, { params: { forum: record(Forum), id: z.string() } }, nothing),
        ),
      ),
    ]).table;
  const time = (table: ReturnType<typeof make>, last: number): Promise<number> =>
    cpuTime(() => {
      for (let n = 0; n < 20_000; n++) table.match('GET', `/section${n % last}/help-1/question/17`);
    });
  const [few, many] = [make(3), make(300)];
  let [leastFew, leastMany] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // In turns, so that both suffer alike from what else the machine does.
  for (let round = 0; round < 20; round++) {
    leastFew = Math.min(leastFew, await time(few, 3));
    leastMany = Math.min(leastMany, await time(many, 300));
  }
  // A list that is walked through would take fifty times as long.
  expect(leastMany).toBeLessThan(3 * leastFew);
});
