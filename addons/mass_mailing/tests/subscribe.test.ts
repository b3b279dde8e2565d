import { User } from '@pergola/base';
import {
  CallError,
  type Client,
  createTestApp,
  eachDatabase,
  type Mailbox,
  openMailbox,
  type TestApp,
} from 'pergola/testing';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { MailingList } from '../models/list.ts';
import { Subscription } from '../models/subscription.ts';
import { linkIn, makeList } from './kit.ts';

eachDatabase('Subscribing to a mailing list', (database, once) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let list: number;
  let closed: number;
  let visits = 0;

  beforeAll(async () => {
    mailbox = await openMailbox();
    const env = { SMTP_URL: mailbox.url, TRUSTED_PROXIES: 'loopback' };
    app = await createTestApp({ addons: ['mass_mailing'], database, demo: true, env });
    list = await makeList(app, 'Letter', ['known@example.org']);
    closed = await app.write((ctx) => ctx.model(MailingList).create({ name: 'Board', is_public: false }));
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });
  beforeEach(async () => {
    await app.runJobs();
    mailbox.clear();
  });

  /** A visitor with an address of their own. */
  const stranger = () => app.visitor(`198.51.100.${++visits}`);
  const subscribe = (client: Client, email: unknown, list_id: unknown = list) =>
    client.rpc('/website_mass_mailing/subscribe', { list_id, email });
  const status = (client: Client, list_id = list) => client.rpc('/website_mass_mailing/is_subscriber', { list_id });
  const subscribed = (of = list) =>
    app.read(async (ctx) => {
      const rows = await ctx.model(Subscription).find(
        [
          ['list_id', '=', of],
          ['opt_out', '=', false],
        ],
        { select: { contact_id: { email: true } } },
      );
      return rows.map(({ contact_id }) => contact_id?.email).sort();
    });
  const leave = (email: string) =>
    app.write(async (ctx) => {
      const rows = await ctx.model(Subscription).search([['contact_id.email', '=', email]]);
      await ctx.model(Subscription).write(rows, { opt_out: true });
    });
  const refusal = (client: Client, email: unknown, list_id?: unknown) =>
    subscribe(client, email, list_id).then(
      () => null,
      (error: unknown) => (error instanceof CallError ? error.data : error),
    );
  const lastMail = async () => {
    await app.runJobs();
    return mailbox.received().at(-1);
  };
  const form = (fields: Record<string, string>, client: Client = stranger()) =>
    client.post('/website_mass_mailing/subscribe/form', {
      body: new URLSearchParams(fields),
      headers: { Origin: app.url },
    });

  once('asks a visitor to confirm by mail, shows before it acts, and then knows them', async () => {
    const own = await makeList(app, 'Own', ['known@example.org']);
    const visitor = stranger();
    expect(await status(visitor, own)).toEqual({ is_subscriber: false, email: false });
    expect(await subscribe(visitor, ' Ada Lovelace <Ada@Example.org> ', own)).toBe(true);
    expect(await subscribed(own)).toEqual(['known@example.org']);
    expect(await status(visitor, own)).toEqual({ is_subscriber: false, email: 'ada@example.org' });
    const mail = await lastMail();
    expect(mail?.envelopeTo).toEqual(['ada@example.org']);
    const link = linkIn(mail, 'confirm');
    const page = await stranger().get(link);
    expect(page.text).toContain('ada@example.org');
    expect(page.headers.get('cache-control')).toMatch(/no-store|private/);
    expect(await subscribed(own)).toEqual(['known@example.org']);
    // On another device: whoever owns the address says yes.
    const phone = stranger();
    const { text } = await phone.form(link);
    expect(text).toContain('You’re subscribed');
    expect(await subscribed(own)).toEqual(['ada@example.org', 'known@example.org']);
    const [choices = ''] = /\/mass_mailing\/preferences\/[\w.-]+/.exec(text) ?? [];
    expect((await phone.get(choices)).text).toContain('ada@example.org');
    expect(await status(visitor, own)).toEqual({ is_subscriber: true, email: 'ada@example.org' });
    expect(
      await app.read((ctx) =>
        ctx.model(Contact).first([['email', '=', 'ada@example.org']], { select: { name: true, lang: true } }),
      ),
    ).toMatchObject({ name: 'Ada Lovelace', lang: 'en_US' });
  });

  once('subscribes to several lists with one mail, and knows each by the request that was confirmed', async () => {
    const second = await makeList(app, 'Days', []);
    const visitor = stranger();
    await subscribe(visitor, 'two@example.org', [list, second]);
    const mail = await lastMail();
    expect(mailbox.received()).toHaveLength(1);
    expect(mail?.subject).toContain('Days, Letter');
    const link = linkIn(mail, 'confirm');
    expect((await stranger().get(link)).text).toContain('Days, Letter');
    expect(await status(visitor, second)).toEqual({ is_subscriber: false, email: 'two@example.org' });
    expect((await stranger().form(link)).text).toContain('You’re subscribed to: Days, Letter.');
    const on = { is_subscriber: true, email: 'two@example.org' };
    expect(await visitor.rpc('/website_mass_mailing/is_subscriber', { list_id: [list, second] })).toEqual([on, on]);
    // A later request for another list leaves what is known of the first, and tells nothing before it is confirmed.
    const other = stranger();
    await subscribe(other, 'one@example.org', list);
    await stranger().form(linkIn(await lastMail(), 'confirm'));
    await subscribe(other, 'one@example.org', second);
    await app.runJobs();
    expect([await status(other), await status(other, second)]).toEqual([
      { is_subscriber: true, email: 'one@example.org' },
      { is_subscriber: false, email: 'one@example.org' },
    ]);
    // Whoever asks for one list learns nothing of another, not even when the owner of the address confirms.
    const curious = stranger();
    await subscribe(curious, 'known@example.org', second);
    await stranger().form(linkIn(await lastMail(), 'confirm'));
    expect([await status(curious), await status(curious, second)]).toEqual([
      { is_subscriber: false, email: 'known@example.org' },
      { is_subscriber: true, email: 'known@example.org' },
    ]);
    expect(await refusal(stranger(), 'two@example.org', [])).toMatchObject({ message: 'Choose at least one list.' });
    expect(await refusal(stranger(), 'two@example.org', [list, closed])).toMatchObject({
      message: 'We can’t find that mailing list.',
    });
  });

  once('keeps all that was ticked: on the form that comes back, and among the preferences', async () => {
    const second = await makeList(app, 'Nights', []);
    const about = new URLSearchParams({ email: 'nothing' });
    for (const id of [list, second]) about.append('list_id', String(id));
    const post = (path: string, body: URLSearchParams) => stranger().post(path, { body, headers: { Origin: app.url } });
    const back = (await post('/website_mass_mailing/subscribe/form', about)).text;
    const ticked = [...back.matchAll(/<input[^>]*name="list_id"[^>]*>/g)].filter(([tag]) => tag.includes('checked'));
    expect(ticked.map(([tag]) => Number(/value="(\d+)"/.exec(tag)?.[1])).sort()).toEqual([list, second].sort());
    about.set('email', 'both@example.org');
    expect((await post('/website_mass_mailing/subscribe/form', about)).text).toContain('You’ll get an email');
    const { text } = await stranger().form(linkIn(await lastMail(), 'confirm'));
    const [choices = ''] = /\/mass_mailing\/preferences\/[\w.-]+/.exec(text) ?? [];
    const kept = new URLSearchParams();
    for (const id of [list, second]) kept.append('list', String(id));
    const saved = (await post(choices, kept)).text;
    expect(saved.match(/name="list"[^>]*checked/g)).toHaveLength(2);
  });

  once('subscribes users at once by their own address, and asks for any other', async () => {
    const portal = await app.as('portal');
    await leave('portal@example.com');
    expect(await status(portal)).toEqual({ is_subscriber: false, email: 'portal@example.com' });
    expect(await subscribe(portal, 'Portal@Example.com')).toBe(true);
    expect(await status(portal)).toEqual({ is_subscriber: true, email: 'portal@example.com' });
    // The name is the account's, unless another one is typed.
    const name = () =>
      app.read(async (ctx) => {
        const of = [['email', '=', 'portal@example.com']] as const;
        return (await ctx.model(Contact).first(of, { select: { name: true } }))?.name;
      });
    const { name: account } = await app
      .read((ctx) => ctx.model(User).first([['login', '=', 'portal']], { select: { partner_id: { name: true } } }))
      .then((user) => user?.partner_id ?? { name: '' });
    expect(account).not.toBe('');
    await app.write(async (ctx) => {
      const contacts = ctx.model(Contact);
      await contacts.unlink(await contacts.search([['email', '=', 'portal@example.com']]));
    });
    await subscribe(portal, 'portal@example.com');
    expect(await name()).toBe(account);
    expect(await subscribe(portal, 'boss@example.org')).toBe(true);
    expect(await subscribed()).not.toContain('boss@example.org');
    expect(await status(portal)).toEqual({ is_subscriber: true, email: 'portal@example.com' });
  });

  once('owns no address that nobody confirmed: an account alone neither learns of it nor subscribes it', async () => {
    const portal = await app.as('portal');
    const confirm = (email_verified: boolean) =>
      app.write(async (ctx) => {
        const own = await ctx.model(User).byLogin('portal');
        await ctx.model(User).write(own?.id ?? 0, { email_verified });
      });
    await subscribe(portal, 'portal@example.com');
    expect(await status(portal)).toMatchObject({ is_subscriber: true });
    await confirm(false);
    expect((await status(portal)) as object).toMatchObject({ is_subscriber: false });
    await leave('portal@example.com');
    await subscribe(portal, 'portal@example.com');
    expect(await subscribed()).not.toContain('portal@example.com');
    await confirm(true);
    await subscribe(portal, 'portal@example.com');
    expect(await subscribed()).toContain('portal@example.com');
  });

  once('says the same about addresses that are known and those that are not', async () => {
    const [one, other] = [stranger(), stranger()];
    expect(await subscribe(one, 'known@example.org')).toEqual(await subscribe(other, 'stranger@example.org'));
    expect(await status(one)).toEqual({ is_subscriber: false, email: 'known@example.org' });
    expect(await status(other)).toEqual({ is_subscriber: false, email: 'stranger@example.org' });
    await app.runJobs();
    expect(mailbox.received().map(({ subject }) => subject)).toHaveLength(2);
    expect(new Set(mailbox.received().map(({ subject }) => subject)).size).toBe(1);
  });

  once.each([
    ['nothing', ''],
    ['no at sign', 'ada'],
    ['nothing before it', '@example.org'],
    ['two addresses', 'a@example.org, b@example.org'],
    ['a line break', 'a@example.org\r\nBcc: b@example.org'],
    ['a line break in the name', 'Ada\r\nBcc: b@example.org <a@example.org\r\n>'],
    ['an encoded word', '=?utf-8?q?a=40example.org?= <b>'],
    ['a comment', 'a(b)@example.org'],
    ['a line separator', 'a\u2028@example.org'],
  ])('refuses %s', async (_what, email) => {
    expect(await refusal(stranger(), email)).toMatchObject({ message: expect.stringContaining('address') });
    await app.runJobs();
    expect(mailbox.received()).toEqual([]);
  });

  once('knows no difference between lists that are closed and lists that are not there', async () => {
    const visitor = stranger();
    const missing = await refusal(visitor, 'eve@example.org', 999_999);
    expect(await refusal(visitor, 'eve@example.org', closed)).toEqual({
      ...(missing as object),
      reference: expect.anything(),
    });
    expect(await status(visitor, closed)).toEqual(await status(visitor, 999_999));
  });

  once('takes odd input for what it is', async () => {
    const visitor = stranger();
    expect(await status(visitor, Number.MAX_SAFE_INTEGER)).toEqual({ is_subscriber: false, email: false });
    expect(await refusal(visitor, 'eve@example.org', Number.MAX_SAFE_INTEGER)).toMatchObject({
      message: expect.any(String),
    });
    for (const odd of ['x', -1, 1.5, null, [1, 'x'], {}]) {
      await expect(visitor.rpc('/website_mass_mailing/is_subscriber', { list_id: odd })).rejects.toThrow(CallError);
    }
    for (const odd of [null, 5, ['a@example.org'], {}, 'x'.repeat(10_000)]) {
      await expect(subscribe(visitor, odd)).rejects.toThrow(CallError);
    }
    for (const path of [
      'confirm/x.y',
      'confirm/é',
      'unsubscribe/1.2.3',
      'preferences/..%2f',
      'view/0.0.x',
      'open/x.gif',
      'click/1.1.x',
      `image/1/${'a'.repeat(64)}`,
    ]) {
      expect((await visitor.get(`/mass_mailing/${path}`)).status).toBeLessThan(500);
    }
  });

  once('takes a name along only as a name', async () => {
    expect(await subscribe(stranger(), '"Eve, Bcc: x@evil.example" <eve@example.org>')).toBe(true);
    const mail = await lastMail();
    expect(mail?.envelopeTo).toEqual(['eve@example.org']);
    expect(mail?.to).toHaveLength(1);
    expect(mail?.bcc ?? []).toEqual([]);
  });

  once('works without JavaScript, and says what is wrong beside the field', async () => {
    const bad = await form({ list_id: String(list), email: 'nothing' });
    expect(bad.status).toBe(422);
    expect(bad.text).toMatch(/js_subscribe[^>]* has-error/);
    expect(bad.text).toContain('value="nothing"');
    const good = await form({ list_id: String(list), email: 'form@example.org', redirect: '//evil.example' });
    expect(good.text).toContain('You’ll get an email');
    expect(good.text).not.toContain('evil.example');
    expect((await lastMail())?.envelopeTo).toEqual(['form@example.org']);
  });

  it('sends few mails to one address, and tells nobody when it is enough', async () => {
    const often = () => form({ list_id: String(list), email: 'often@example.org' });
    const answers = await Promise.all(Array.from({ length: 8 }, often));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await app.runJobs();
    expect(mailbox.received()).toHaveLength(1);
  });

  once('takes no more than twenty a minute from one place', async () => {
    const visitor = stranger();
    const answers: number[] = [];
    for (let number = 0; number < 24; number++) {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        method: 'call',
        id: 1,
        params: { list_id: list, email: `n${number}@example.org` },
      });
      const answer = await visitor.post('/website_mass_mailing/subscribe', {
        body,
        headers: { 'Content-Type': 'application/json', Origin: app.url, 'X-Forwarded-For': '203.0.113.77' },
      });
      answers.push('error' in answer.json<object>() ? 1 : 0);
    }
    expect(answers.filter((refused) => refused === 0)).toHaveLength(20);
  });

  once('brings back who had left, when they say so themselves', async () => {
    await app.write(async (ctx) => {
      await ctx.model(Contact).subscribeAll(list, [{ email: 'back@example.org' }], 'staff');
      const ids = await ctx.model(Subscription).search([['contact_id.email', '=', 'back@example.org']]);
      await ctx.model(Subscription).write(ids, { opt_out: true });
      await ctx.model(Exclusion).exclude('back@example.org', 'asked');
    });
    await form({ list_id: String(list), email: 'back@example.org' });
    expect(await subscribed()).not.toContain('back@example.org');
    await stranger().form(linkIn(await lastMail(), 'confirm'));
    expect(await subscribed()).toContain('back@example.org');
    expect(await app.read((ctx) => ctx.model(Exclusion).count([['email', '=', 'back@example.org']]))).toBe(0);
  });

  once('altered links do nothing', async () => {
    await form({ list_id: String(list), email: 'link@example.org' });
    const link = linkIn(await lastMail(), 'confirm');
    for (const altered of [
      `${link}x`,
      link.slice(0, -1),
      link.replace(/confirm\/./, 'confirm/Z'),
      '/mass_mailing/confirm/x',
    ]) {
      expect((await stranger().get(altered)).status).toBe(404);
      expect((await stranger().form(altered)).status).toBe(404);
    }
    expect(await subscribed()).not.toContain('link@example.org');
  });

  once('is done by staff too, one by one or many at a time', async () => {
    const admin = await app.as('admin');
    const call = <T>(model: string, method: string, ...args: unknown[]) =>
      admin.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs: {} });
    const made = await call<number>('mail.mass_mailing.contact', 'create', {
      email: 'Staff@Example.org',
      list_id: list,
    });
    await call('mail.mass_mailing.contact', 'write', [made], { list_id: list });
    expect(await subscribed()).toContain('staff@example.org');
    const text = 'Ann Lee <ann@example.org>\nbob@example.org; staff@example.org\n\n';
    await call('mail.mass_mailing.list', 'write', [list], { new_addresses: text });
    expect(await call('mail.mass_mailing.list', 'add_addresses', [list])).toBe(2);
    expect(await subscribed()).toEqual(expect.arrayContaining(['ann@example.org', 'bob@example.org']));
    await call('mail.mass_mailing.list', 'write', [list], { new_addresses: 'good@example.org\nno address' });
    await expect(call('mail.mass_mailing.list', 'add_addresses', [list])).rejects.toThrow('no address');
    expect(await subscribed()).not.toContain('good@example.org');
  });

  once('hides who is on a list from everybody but those who send mailings', async () => {
    const portal = await app.as('portal');
    const editor = await app.as('editor');
    const read = (client: Client, model: string) =>
      client.rpc('/web/dataset/call_kw', { model, method: 'search_read', args: [[], ['id']], kwargs: {} });
    for (const model of [
      'mail.mass_mailing.contact',
      'mail.mass_mailing.subscription',
      'mail.blacklist',
      'mail.mass_mailing',
    ]) {
      await expect(read(portal, model)).rejects.toThrow();
      await expect(read(editor, model)).rejects.toThrow();
    }
    const admin = await app.as('admin');
    const fields = await admin.rpc<object[]>('/web/dataset/call_kw', {
      model: 'mail.mass_mailing.list',
      method: 'search_read',
      args: [[], ['name', 'contact_nbr']],
      kwargs: {},
    });
    expect(fields.length).toBeGreaterThan(1);
  });
});
