import { z } from 'zod';
import {
  Conflict,
  InvalidInput,
  NotAllowed,
  NotFound,
  PergolaError,
  Unauthenticated,
} from '../../../core/base/errors.ts';
import { fragment } from '../../pages/define.ts';
import type { Address } from '../address.ts';
import { redirect, reply } from '../routes/reply.ts';
import { addValues, extendRoute, record, route } from '../routes/route.ts';
import { base, startSite, type TestSite } from './kit.ts';

const Forum = Object.assign(class {}, { modelName: 'forum.forum' }) as never;
/** What handlers were given, to be looked at and emptied by tests. */
export const seen: unknown[] = [];

const routes = {
  page: route.page(
    '/hello/:name',
    { params: { name: z.string() }, query: z.object({ page: z.number().default(1) }) },
    async ({ params, query, render, ctx }) =>
      render('t.hello', { name: params.name, page: query.page, lang: ctx.lang }),
  ),
  private: route.page('/my', { auth: 'user' }, async ({ ctx, render }) => render('t.hello', { name: ctx.user.name })),
  managers: route.page('/managers', { auth: 'user', groups: ['club.manager'] }, async ({ render }) =>
    render('t.hello', {}),
  ),
  forum: route.page(
    '/forum/:forum',
    { name: 't.forum', params: { forum: record(Forum) }, query: z.object({ q: z.string().optional() }) },
    async ({ params, render }) => render('t.hello', { name: JSON.stringify(params.forum) }),
  ),
  live: route.events('/forum/:forum/live', { params: { forum: record(Forum) } }, async ({ params }) => params.forum),
  ask: route.form(
    '/forum/:forum/ask',
    {
      auth: 'user',
      writes: true,
      params: { forum: record(Forum) },
      body: z.object({
        title: z.string().min(3, 'The title is too short.'),
        qty: z.number().default(1),
        password: z.string().optional(),
      }),
      files: { photo: 1000 },
      prepare: async ({ body, ctx }) => `${body.title} prepared, writes: ${ctx.writes}`,
      invalid: ({ values, errors, message, render }) => render('t.invalid', { values, errors, message }),
    },
    async ({ body, prepared, ctx, files, request, url }) => {
      seen.push({
        body,
        prepared,
        writes: ctx.writes,
        files: files.photo?.map(({ name, content }) => [name, content.length]),
      });
      if (body.title === 'taken') throw new InvalidInput('Taken.', { fields: { title: 'There is one already.' } });
      if (body.title === 'sold out') throw new Conflict('Sold out meanwhile.');
      if (body.title === 'not you') throw new NotAllowed('You may not.');
      if (body.title === 'try again') request.setCookie('try', String(seen.length));
      ctx.session.set('title', body.title);
      return redirect(url('/forum/help-1'));
    },
  ),
  letter: route.page('/letters/:to', { params: { to: z.string() } }, async ({ params, render }) => {
    if (params.to === 'nobody') throw new PergolaError('an inner detail');
    return render('t.letter', params);
  }),
  write: route.form(
    '/letters/:to/write',
    { page: '/letters/:to', params: { to: z.string() }, body: z.object({ text: z.string().min(3, 'Write more.') }) },
    async () => redirect('/hello/sent'),
  ),
  sign: route.form(
    '/letters/:to/signed',
    { auth: 'user', page: '/letters/:to', params: { to: z.string() }, body: z.object({ text: z.string() }) },
    async () => redirect('/hello/sent'),
  ),
  rpc: route.rpc(
    '/sum',
    { input: z.object({ a: z.number(), b: z.number().default(0) }) },
    async ({ input }) => input.a + input.b,
  ),
  nothing: route.rpc('/nothing', {}, async ({ input }) => (Object.keys(input as object).length > 0 ? 'values' : null)),
  markup: route.rpc('/markup', {}, async ({ renderFragment }) => renderFragment('t.hello', { name: 'Ada' })),
  deny: route.rpc('/deny', { input: z.object({ how: z.string() }) }, async ({ input }) => {
    switch (input.how) {
      case 'allowed':
        throw new NotAllowed('You may not.');
      case 'gone':
        throw new NotFound('No such record {id}.', { params: { id: 7 } });
      case 'conflict':
        throw new Conflict('Too late.');
      case 'login':
        throw new Unauthenticated('Wrong login or password.', { code: 'web.wrong_login' });
      default:
        throw new Error('secret at /srv/app/x.ts:1');
    }
  }),
  mine: route.rpc('/mine', { auth: 'user', writes: true }, async ({ ctx }) => ctx.user.name),
  plainForm: route.form('/plain-form', { body: z.object({ name: z.string() }) }, async () => redirect('/')),
  ratedPage: route.page('/rated-page', { rate: { calls: 1, seconds: 60 } }, async ({ render }) =>
    render('t.hello', {}),
  ),
  deep: route.rpc(
    '/deep',
    { limit: { signedIn: 2 * 1024 * 1024 }, input: z.object({ a: z.unknown() }) },
    async () => true,
  ),
  tags: route.json(
    '/forum/get_tags',
    { query: z.object({ q: z.string(), l: z.number().max(50).default(50) }) },
    async ({ query }) => [query],
  ),
  both: route.http('/both', { method: ['GET', 'POST'], body: 'form' }, async ({ body, query }) =>
    reply.json({ body, query }),
  ),
  raw: route.http('/raw', { method: 'POST', body: 'raw', writes: true, limit: { bytes: 2000 } }, async ({ body }) =>
    reply.text(String((body as Uint8Array).length)),
  ),
  hook: route.http(
    '/hook',
    { method: 'POST', body: 'json', writes: true, csrf: { off: 'signed call-back' } },
    async ({ body }) => reply.json(body),
  ),
  empty: route.http('/empty', { method: 'GET' }, async () => reply.empty()),
  signin: route.form(
    '/signin',
    { body: z.object({ id: z.number(), redirect: z.string().optional() }), writes: true },
    async ({ body, ctx }) => {
      ctx.session.signIn(body.id);
      return redirect(body.redirect ?? '/my');
    },
  ),
  cookie: route.http('/cookie', { method: 'GET' }, async ({ request }) => {
    request.setCookie('a', 'b c; d', { maxAge: 10 });
    request.setHeader('X-Thing', 'yes');
    return reply.html('<p>x</p>');
  }),
  elsewhere: route.http('/pay', { method: 'GET' }, async () => reply.elsewhere('https://pay.example/x?y=1')),
  rated: route.rpc('/rated', { rate: { calls: 2, seconds: 60 } }, async () => true),
  ratedBy: route.rpc(
    '/rated-by',
    {
      input: z.object({ who: z.string() }),
      rate: { calls: 1, seconds: 60, by: ({ body }) => (body as { who: string }).who },
    },
    async () => true,
  ),
};
const plain = route.page('/plain', { name: 't.plain' }, async ({ render }) => render('t.hello', { name: 'x' }));

/** A site with routes of every kind. */
export function startKinds(): Promise<TestSite> {
  return startSite({
    addons: [
      base,
      {
        name: 't',
        routes: [...Object.values(routes), plain],
        fragments: [fragment('t.user', { template: 't.user', load: async (ctx) => ({ name: ctx.user.name }) })],
      },
      {
        name: 'more',
        routeExtensions: [extendRoute(plain, async (_, next) => addValues(await next(), { name: 'extended' }))],
        fallbacks: [
          {
            name: 'pages',
            handler: async ({ request, render }) =>
              request.path === '/about-us' ? render('t.hello', { name: 'about' }) : null,
          },
        ],
        address: {
          prepare: async () => ({}),
          resolve: (_, { path }): Address =>
            path === '/fr' || path.startsWith('/fr/')
              ? { path: path.slice(3) || '/', lang: 'fr_FR' }
              : path === '/old'
                ? { path, lang: 'en_US', redirect: { to: '//evil.example/', status: 301 } }
                : { path, lang: 'en_US', ...(path === '/plain' ? { cookies: { website_lang: 'en_US' } } : {}) },
          localize: (_, path, lang) => (lang === 'fr_FR' ? `/fr${path}` : path),
        },
      },
    ],
    templates: {
      't.hello': ({ name, page, lang }, context) =>
        `<p>${name} ${page ?? ''} ${lang ?? ''}</p><a href="${context.url('/forum/help-1')}">${context.fragment('t.user')}</a>${context.csrf()}`,
      't.letter': ({ to }, context) =>
        `<form method="post" action="/letters/${to}/write">${context.csrf()}<input name="text"><button>Send</button></form>`,
      't.invalid': ({ values, errors, message }) => JSON.stringify({ values, errors, message }),
      't.user': ({ name }) => `<b>${name}</b>`,
    },
    records: { 'forum.forum': { 1: { id: 1, display_name: 'Help' }, 2: { id: 2, display_name: '你好' } } },
  });
}
