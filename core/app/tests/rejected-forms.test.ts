import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DomUtils, parseDocument } from 'htmlparser2';
import { type Client, createTestApp, inOrder, type TestApp } from 'pergola/testing';
import type { z } from 'zod';
import { type RouteDefinition, routes } from '../../../packages/http/index.ts';
import { signText } from '../../../packages/http/security/crypto.ts';
import { repository } from '../../base/addon-folders.ts';

type Element = NonNullable<ReturnType<typeof DomUtils.findOne>>;

/** A form on a page. */
interface PageForm {
  readonly route: RouteDefinition;
  readonly page: string;
  readonly action: string;
  readonly isMultipart: boolean;
  readonly fields: readonly {
    readonly name: string;
    readonly value: string;
    readonly kind: 'typed' | 'chosen' | 'hidden';
  }[];
}

let app: TestApp;

beforeAll(async () => {
  const folder = join(repository, 'addons');
  const addons = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'addon.ts')));
  app = await createTestApp({ addons, demo: true });
});
afterAll(() => app.close());

const all = (test: (element: Element) => boolean, html: string): Element[] =>
  DomUtils.findAll(test, parseDocument(html).children);

function formsOf(page: string, html: string): PageForm[] {
  const table = app.application.generation.get(routes);
  return all(({ name, attribs }) => name === 'form' && attribs.method === 'post', html).flatMap((form): PageForm[] => {
    const action = new URL(form.attribs.action || page, app.url);
    const route = table.match('POST', action.pathname.replace(/^\/fr(?=\/)/, ''))?.bound.route;
    if (route?.kind !== 'form') return [];
    const controls = DomUtils.findAll(
      ({ name, attribs }) =>
        ['input', 'select', 'textarea'].includes(name) &&
        Boolean(attribs.name) &&
        // `homepage` is a honeypot for bots.
        attribs.hidden === undefined &&
        !['csrf_token', 'homepage'].includes(attribs.name ?? '') &&
        !['file', 'password', 'submit'].includes(attribs.type ?? ''),
      form.children,
    );
    const fields = controls.map(({ name, attribs }) => {
      const isChosen = name === 'select' || ['checkbox', 'radio'].includes(attribs.type ?? '');
      const kind = attribs.type === 'hidden' ? 'hidden' : isChosen ? 'chosen' : 'typed';
      return { name: attribs.name ?? '', value: attribs.value ?? '', kind } as const;
    });
    return [
      { route, page, action: action.pathname, isMultipart: form.attribs.enctype === 'multipart/form-data', fields },
    ];
  });
}

/** Collects the forms of linked pages, one per route. */
async function formsFrom(client: Client, starts: readonly string[], pages: number): Promise<PageForm[]> {
  const seen = new Set<string>();
  const kinds = new Map<string, number>();
  const forms = new Map<string, PageForm>();
  const waiting = [...starts];
  for (let path = waiting.shift(); path !== undefined && seen.size < pages; path = waiting.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await client.get(path);
    if (answer.location) waiting.unshift(new URL(answer.location, app.url).pathname);
    if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
    for (const form of formsOf(path, answer.text)) forms.set(form.route.name, forms.get(form.route.name) ?? form);
    for (const { attribs } of all(({ name }) => name === 'a', answer.text)) {
      const link = URL.parse(attribs.href ?? '', app.url + path);
      if (link?.origin !== app.url || /logout/.test(link.pathname) || link.pathname.startsWith('/fr')) continue;
      // A few pages of each kind.
      const kind =
        app.application.generation.get(routes).match('GET', link.pathname)?.bound.route.name ?? link.pathname;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if ((kinds.get(kind) ?? 0) <= 6) waiting.push(link.pathname + link.search);
    }
  }
  return [...forms.values()];
}

const TYPED = 'Typed <b>by hand</b> & "kept"';
const TOO_LONG = 'too long '.repeat(1_000);
/** Ways to fill in a form incorrectly: the value sent for each kind of field. */
const mistakes = [
  { about: 'numbers and choices that mean nothing', typed: TYPED, chosen: 'nonsense', hidden: 'nonsense' },
  { about: 'texts that are too long', typed: TOO_LONG, chosen: null, hidden: null },
  { about: 'nothing filled in', typed: '', chosen: null, hidden: null },
] as const;

async function send(client: Client, form: PageForm, mistake: (typeof mistakes)[number], referer: boolean) {
  const fields = form.fields.map(({ name, value, kind }) => [name, mistake[kind] ?? value]);
  const token = await client.csrfToken();
  const entries = [...fields, ['csrf_token', token]] as [string, string][];
  const body = form.isMultipart ? new FormData() : new URLSearchParams();
  for (const [name, value] of entries) body.append(name, value);
  const headers = { Origin: app.url, Accept: 'text/html', ...(referer ? { Referer: app.url + form.page } : {}) };
  return client.post(form.action, { body, headers });
}

/** Whether the page contains the form with the submitted text in all its text fields. */
function holdsTyped(html: string, form: PageForm, typedText: string): boolean {
  return formsOf(form.page, html).some(
    (returnedForm) =>
      returnedForm.route === form.route &&
      form.fields
        .filter(({ kind }) => kind === 'typed')
        .every(({ name }) => valueIn(html, returnedForm.action, name) === typedText),
  );
}

function valueIn(html: string, action: string, field: string): string | null {
  const forms = all(({ name, attribs }) => name === 'form' && (attribs.action ?? action).endsWith(action), html);
  for (const form of forms) {
    const [control] = DomUtils.findAll(({ attribs }) => attribs.name === field, form.children);
    if (control) return control.attribs.value ?? DomUtils.textContent(control).replace(/^\n/, '');
  }
  return null;
}

/** Pages without incoming links: linked from emails, or of records missing in the demo. */
async function moreStarts(): Promise<string[]> {
  return app.write(async (ctx) => {
    const [quote] = await ctx.modelNamed('sale.order').find(
      [
        ['state', '=', 'sent'],
        ['access_token', '!=', null],
      ],
      { select: { access_token: true }, limit: 1 },
    );
    const [line] = await ctx.modelNamed('club.convocation.line').find([], { select: { member_id: true }, limit: 1 });
    const member = await ctx.modelNamed('club.member').get(Number(line?.member_id), { select: { partner_id: true } });
    const admin = await ctx.modelNamed('res.users').search([['login', '=', 'admin']]);
    for (const name of ['Phone', 'Laptop']) {
      const key = { name, credential: name, public_key: 'x', counter: 0, site: 'localhost' };
      await ctx.modelNamed('auth.passkey').create({ ...key, user_id: admin[0] ?? 0 });
    }
    const answer = `${line?.id}.${member.partner_id}`;
    const callUp = `${answer}.${signText(ctx.config.sessionSecret, 'dribblo.callup', answer)}`;
    return [`/quote/${quote?.id}/${quote?.access_token}`, `/convocations/answer/${callUp}`];
  });
}

const starts = [
  '/',
  '/shop',
  '/forum',
  '/event',
  '/web/account',
  '/web/account/keys',
  '/my/addresses/new',
  '/my/newsletter',
  '/matchs/import',
  '/newsletter',
  '/web/login',
  '/web/signup',
];
const formByRoute = new Map<string, PageForm>();
let further: readonly string[];

beforeAll(async () => {
  further = await moreStarts();
});

// The last tests check all forms found by the first ones.
inOrder();

describe.each(['admin', 'portal', null])('for %s', (login) => {
  test('a refused form comes back with what was sent', async () => {
    const client = login === null ? app.visitor() : await app.as(login);
    const forms = await formsFrom(client, [...further, ...starts], 400);
    const faults: string[] = [];
    let refusedCount = 0;
    for (const form of forms.filter(({ route }) => !route.name.includes('logout'))) {
      formByRoute.set(form.route.name, form);
      const isTyped = form.fields.some(({ kind }) => kind === 'typed');
      for (const mistake of mistakes) {
        // Hidden fields identify the page.
        for (const referer of isTyped && mistake.hidden === null ? [true, false] : [true]) {
          const answer = await send(client, form, mistake, referer);
          if (answer.status < 400 || answer.status === 429) continue;
          // An earlier form may have removed this one.
          const isStillThere = formsOf(form.page, (await client.get(form.page)).text).some(
            ({ route }) => route === form.route,
          );
          if (!isStillThere) continue;
          refusedCount++;
          if (holdsTyped(answer.text, form, mistake.typed)) continue;
          faults.push(`${form.route.name} at ${form.page}, ${referer ? 'with' : 'without'} Referer: ${mistake.about}`);
        }
      }
    }
    expect(faults).toEqual([]);
    expect(refusedCount).toBeGreaterThan(10);
  });
});

test('every form with fields has a page that shows it again', () => {
  const formsWithoutPage = app.application.generation
    .get(routes)
    .all.map(({ route }) => route)
    .filter(({ kind, options }) => kind === 'form' && options.beacon !== true)
    .filter(({ options }) => Object.keys((options.body as z.ZodObject).shape ?? {}).length > 0)
    .filter(({ options }) => !options.page && !options.invalid);
  expect(formsWithoutPage.map(({ name }) => name)).toEqual([]);
});

test('every form that deletes or withdraws something asks first', () => {
  // These have a page of their own with the reason or consequences, or can be undone.
  const confirmedForms = ['website_event.ticket_cancel', 'web.app_switch', 'quote.decline'];
  const deleting = app.application.generation
    .get(routes)
    .all.map(({ route }) => route)
    .filter(
      ({ kind, name }) =>
        kind === 'form' && /\.delete|_delete|remove|removal|revoke|clean|leave|cancel|decline/.test(name),
    )
    .filter(({ name, options }) => !options.confirm && !confirmedForms.includes(name));
  expect(deleting.map(({ name }) => name)).toEqual([]);
});

test('the question before deleting leads on and back in the language of its page', async () => {
  const path = '/web/account/keys/passkeys/remove';
  for (const prefix of ['', '/fr']) {
    const headers = { Accept: 'text/html', Referer: `${app.url}${prefix}/web/account/keys?done=renamed` };
    const { text } = await (await app.as('admin')).form(prefix + path, { id: 1 }, headers);
    expect(text).toContain(`action="${prefix}${path}"`);
    expect(text).toContain(`href="${prefix}/web/account/keys?done=renamed"`);
  }
});

test('the forms of all apps were tried', () => {
  expect([...formByRoute.keys()]).toEqual(
    expect.arrayContaining([
      'auth.passkey_rename',
      'dribblo.answer_callup',
      'dribblo.new_post_form',
      'dribblo.take_fixtures',
      'forum.new',
      'forum.comment',
      'forum.answer',
      'forum.close',
      'forum.offensive',
      'mail.follow_form',
      'mass_mailing.subscribe_form',
      'quote.accept_form',
      'quote.decline',
      'quote.post',
      'website.send_contact',
      'website_event.add_event',
      'website_sale.cart_update',
    ]),
  );
});
