import { createServer } from 'node:http';
import { startBrowser } from '../../tools/testing/browser.ts';
import type { Client } from '../../tools/testing/index.ts';
import { changed, expectNone, filled, isCall, type Listing, type Sweep, type SweepCheck } from './site.ts';

type Attempt = readonly [name: string, init: RequestInit];

/** Requests that another site, or a page without the session's token, can make a browser send. */
function attempts(sweep: Sweep, route: Listing, token: string, foreignToken: string): readonly Attempt[] {
  const { url } = sweep.app;
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'call', params: {} });
  const json = (headers: Record<string, string>): RequestInit => ({
    body: call,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  const form = (fields: Record<string, string>, headers: Record<string, string>): RequestInit => ({
    body: new URLSearchParams(fields),
    headers,
  });
  if (isCall(route)) {
    return [
      ['another origin', json({ Origin: 'http://evil.example' })],
      ['origin null', json({ Origin: 'null' })],
      ['cross-site', json({ 'Sec-Fetch-Site': 'cross-site' })],
      ['same-site', json({ 'Sec-Fetch-Site': 'same-site' })],
      ['as text', { body: call, headers: { 'Content-Type': 'text/plain', Origin: url } }],
      ['as a form', form({ params: call }, { Origin: url })],
    ];
  }
  return [
    ['no token', form({ name: 'x' }, { Origin: url })],
    ["another session's token", form({ csrf_token: foreignToken }, { Origin: url })],
    ['another origin', form({ csrf_token: token }, { Origin: 'http://evil.example' })],
    ['origin null', form({ csrf_token: token }, { Origin: 'null' })],
    ['cross-site', form({ csrf_token: token }, { 'Sec-Fetch-Site': 'cross-site' })],
    ['as text', { body: `csrf_token=${token}`, headers: { 'Content-Type': 'text/plain', Origin: url } }],
  ];
}

const crossSite: SweepCheck = {
  id: 'C31',
  title: 'Requests that another site makes a browser send',
  async run(sweep) {
    const { admin, customer, routes } = sweep;
    const [token, foreign] = [await admin.csrfToken(), await customer.csrfToken()];
    const tablesBefore = await sweep.tables();
    const [accepted, reasons, failed] = [[] as string[], new Map<string, number>(), [] as string[]];
    let tryCount = 0;
    for (const route of routes.filter(({ method }) => method === 'POST')) {
      const url = filled(route.path, '1');
      for (const [name, init] of attempts(sweep, route, token, foreign)) {
        tryCount += 1;
        const { status } = await admin.post(url, init);
        if (status >= 500) failed.push(`${route.path} (${name})`);
        if (status >= 400) continue;
        if (route.csrf === 'token') accepted.push(`${route.path} (${name})`);
        else reasons.set(route.csrf, (reasons.get(route.csrf) ?? 0) + 1);
      }
    }
    return [
      expectNone('forms and calls accepted', tryCount, accepted),
      expectNone('responses with status 500', tryCount, failed),
      expectNone('tables changed', tablesBefore.size, changed(tablesBefore, await sweep.tables())),
      {
        label: 'accepted with a documented reason',
        value: [...reasons.keys()].join('; '),
        limit: '–',
        holds: true,
      },
    ];
  },
};

/** The most sensitive routes; each is attacked as a form, as a disguised call, and by a script with credentials. */
const worthwhile: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
  ['/web/login', { login: 'editor', password: 'editor' }],
  ['/web/logout', {}],
  ['/web/signup', { login: 'eve@example.org', name: 'Eve', password: 'long enough', confirm_password: 'long enough' }],
  ['/web/dataset/call_kw', { model: 'res.partner', method: 'create', args: '[{"name":"Eve"}]' }],
  ['/web/session/change_password', { old_pwd: 'admin', new_password: 'long enough', confirm_pwd: 'long enough' }],
  ['/website/publish', { id: '1', object: 'website.page' }],
  ['/shop/cart/update', { product_id: '1', add_qty: '1' }],
  ['/shop/confirm_order', { name: 'Eve' }],
  ['/website_mail/follow', { id: '1', object: 'forum.forum', message_is_follower: 'off' }],
  ['/groups/subscribe', { list_id: '1', email: 'eve@example.org' }],
];

const fromPage: SweepCheck = {
  id: 'C31',
  title: 'Ten of them from a real page of another site, opened by an administrator who is signed in',
  async run({ app, admin, tables }) {
    const page = (form: string): string => `<!doctype html><title>Evil</title>${form}`;
    const forms = worthwhile.flatMap(([path, fields]) => {
      const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value='${value}'>`);
      const call = JSON.stringify({ jsonrpc: '2.0', method: 'call', id: 1, params: fields });
      const to = app.url + path;
      return [
        page(`<form method="post" action="${to}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`),
        page(
          `<form method="post" enctype="text/plain" action="${to}"><input name='${call.slice(0, -1)},"x":"' value='"}'></form><script>document.forms[0].submit()</script>`,
        ),
        page(
          `<script>fetch(${JSON.stringify(to)}, { method: 'POST', mode: 'no-cors', credentials: 'include', body: ${JSON.stringify(call)} }).finally(() => { document.title = 'done' })</script>`,
        ),
        page(
          `<script>fetch(${JSON.stringify(to)}, { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(call)} }).catch(() => {}).finally(() => { document.title = 'done' })</script>`,
        ),
      ];
    });
    const server = createServer((req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      res.end(forms[Number((req.url ?? '').slice(1))] ?? '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const foreign = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const browser = await startBrowser();
    const { page: tab, context, close } = await browser.openPage();
    await context.addCookies([
      { name: 'session_id', value: admin.cookie('session_id') ?? '', url: app.url, sameSite: 'Lax' },
    ]);
    const tablesBefore = await tables();
    for (const index of forms.keys()) {
      await tab.goto(`${foreign}/${index}`).catch(() => {});
      await tab.waitForLoadState('networkidle').catch(() => {});
    }
    const changedTables = changed(tablesBefore, await tables());
    await tab.goto(`${app.url}/web/account`);
    const isStillIn = new URL(tab.url()).pathname === '/web/account';
    await close();
    await browser.close();
    server.close();
    return [
      expectNone('tables changed', tablesBefore.size, changedTables),
      {
        label: `after ${forms.length} pages the administrator is`,
        value: isStillIn ? 'signed in' : 'not',
        limit: 'signed in',
        holds: isStillIn,
      },
    ];
  },
};

const reading: SweepCheck = {
  id: 'C26',
  title: 'Who may call what',
  async run(sweep) {
    const tablesBefore = await sweep.tables();
    const [allowedRoutes, failed] = [[] as string[], [] as string[]];
    let tryCount = 0;
    const clients: readonly (readonly [string, Client])[] = [
      ['stranger', sweep.stranger()],
      ['customer', sweep.customer],
    ];
    for (const route of sweep.routes.filter(({ path }) => !/logout|session/.test(path))) {
      const needs = route.auth === 'user' || route.groups.length > 0;
      for (const [name, client] of clients) {
        tryCount += 1;
        const path = filled(route.path, '999999');
        let response = await sweep.ask(client, route, path, {});
        // Follows the redirect to the visitor's language.
        if (response.location?.startsWith('/fr/')) response = await sweep.ask(client, route, `/fr${path}`, {});
        if (response.status >= 500) failed.push(`${route.path} (${name})`);
        const isRefused =
          response.status >= 400 || response.location?.startsWith('/web/login') || /"error": ?\{/.test(response.text);
        if (!isRefused && needs && (name === 'stranger' || route.groups.length > 0))
          allowedRoutes.push(`${route.path} (${name})`);
      }
    }
    // Notifications and newsletter subscriptions belong to the caller, and anyone may request a passkey challenge.
    const callerTables = /notification|mail_mass_mailing_contact|auth_challenge/;
    const changedTables = changed(tablesBefore, await sweep.tables()).filter((name) => !callerTables.test(name));
    return [
      expectNone('routes for members answered others', tryCount, allowedRoutes),
      expectNone('responses with status 500', tryCount, failed),
      expectNone('tables changed', tablesBefore.size, changedTables),
    ];
  },
};

export const originChecks: readonly SweepCheck[] = [crossSite, fromPage, reading];
