import type { Client } from '../../core/testing/index.ts';
import { changed, filled, isCall, type Listing, none, type Sweep, type SweepCheck } from './site.ts';

type Attempt = readonly [name: string, init: RequestInit];

/** What another site, or a page without the session's word, can make a browser send. */
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
  title: 'What another site makes a browser send',
  async run(sweep) {
    const { admin, customer, routes } = sweep;
    const [token, foreign] = [await admin.csrfToken(), await customer.csrfToken()];
    const before = await sweep.tables();
    const [accepted, reasons, failed] = [[] as string[], new Map<string, number>(), [] as string[]];
    let tried = 0;
    for (const route of routes.filter(({ method }) => method === 'POST')) {
      const at = filled(route.path, '1');
      for (const [name, init] of attempts(sweep, route, token, foreign)) {
        tried += 1;
        const { status } = await admin.post(at, init);
        if (status >= 500) failed.push(`${route.path} (${name})`);
        if (status >= 400) continue;
        if (route.csrf === 'token') accepted.push(`${route.path} (${name})`);
        else reasons.set(route.csrf, (reasons.get(route.csrf) ?? 0) + 1);
      }
    }
    return [
      none('forms and calls accepted', tried, accepted),
      none('answers of status 500', tried, failed),
      none('tables changed', before.size, changed(before, await sweep.tables())),
      {
        what: 'accepted for a reason written beside the route',
        value: [...reasons.keys()].join('; '),
        limit: '–',
        holds: true,
      },
    ];
  },
};

const reading: SweepCheck = {
  id: 'C26',
  title: 'Who may call what',
  async run(sweep) {
    const before = await sweep.tables();
    const [open, failed] = [[] as string[], [] as string[]];
    let tried = 0;
    const who: readonly (readonly [string, Client])[] = [
      ['stranger', sweep.stranger()],
      ['customer', sweep.customer],
    ];
    for (const route of sweep.routes.filter(({ path }) => !/logout|session/.test(path))) {
      const needs = route.auth === 'user' || route.groups.length > 0;
      for (const [name, client] of who) {
        tried += 1;
        const path = filled(route.path, '999999');
        let answer = await sweep.ask(client, route, path, {});
        // To the same page in the visitor's language.
        if (answer.location?.startsWith('/fr/')) answer = await sweep.ask(client, route, `/fr${path}`, {});
        if (answer.status >= 500) failed.push(`${route.path} (${name})`);
        const refused =
          answer.status >= 400 || answer.location?.startsWith('/web/login') || /"error": ?\{/.test(answer.text);
        if (!refused && needs && (name === 'stranger' || route.groups.length > 0)) open.push(`${route.path} (${name})`);
      }
    }
    const kept = changed(before, await sweep.tables()).filter((name) => !/notification/.test(name));
    return [
      none('routes for members answered others', tried, open),
      none('answers of status 500', tried, failed),
      none('tables changed', before.size, kept),
    ];
  },
};

export const originChecks: readonly SweepCheck[] = [crossSite, reading];
