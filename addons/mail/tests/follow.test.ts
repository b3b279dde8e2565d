import path from 'node:path';
import { Attachment, User } from '@pergola/base';
import { listOutbox } from '@pergola/web';
import { identityOf } from 'pergola';
import { createTestApp, eachDatabase, type Mailbox, openMailbox, someDatabase, type TestApp } from 'pergola/testing';
import { newMessage } from '../mails.ts';
import { Follower } from '../models/follower.ts';
import { Topic } from './fixtures/fx_follow/addon.ts';

const roots = [path.join(import.meta.dirname, 'fixtures')];

eachDatabase('Following', (database, once) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let open: number;
  let draft: number;

  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({ addons: ['fx_follow'], roots, database, demo: true, env: { SMTP_URL: mailbox.url } });
    [open = 0, draft = 0] = await app.write((ctx) =>
      ctx.model(Topic).create([{ name: 'The garden' }, { name: 'A secret', draft: true }]),
    );
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });
  beforeEach(async () => {
    mailbox.clear();
    await app.write(async (ctx) => ctx.model(Follower).unlink(await ctx.model(Follower).search([])));
  });
  const status = (client: Pick<TestApp, 'rpc'>, id: number, model = 'fx_follow.topic') =>
    client.rpc('/website_mail/is_follower', { model, id });
  const follow = (client: Pick<TestApp, 'rpc'>, params: object) =>
    client.rpc('/website_mail/follow', { object: 'fx_follow.topic', message_is_follower: 'off', ...params });
  const followers = () =>
    app.read((ctx) => ctx.model(Follower).find([], { select: { res_id: true, partner_id: { email: true } } }));

  once('is on and off for a user, at once and by their own address', async () => {
    const portal = await app.as('portal');
    expect(await status(portal, open)).toEqual({
      is_user: true,
      email: 'portal@example.com',
      is_follower: false,
      alias_name: false,
    });
    expect(await follow(portal, { id: open, email: 'somebody@example.com' })).toBe(true);
    expect(await status(portal, open)).toMatchObject({ is_follower: true });
    expect((await followers()).map(({ partner_id }) => partner_id?.email)).toEqual(['portal@example.com']);
    expect(await follow(portal, { id: open, message_is_follower: 'on' })).toBe(false);
    expect(await followers()).toEqual([]);
  });

  once('asks a visitor to confirm the address by mail, and shows before it acts', async () => {
    const visitor = app.visitor();
    expect(await follow(visitor, { id: open, email: 'ada@example.com' })).toBe(true);
    expect(await followers()).toEqual([]);
    await app.runJobs();
    const mail = await mailbox.waitFor(({ envelopeTo }) => envelopeTo[0] === 'ada@example.com');
    const link = /href="[^"]*(\/mail\/follow\/[^"]+)"/.exec(mail.html ?? '')?.[1] ?? '';
    expect((await visitor.get(link)).text).toContain('ada@example.com');
    expect(await followers()).toEqual([]);
    expect((await visitor.form(link)).status).toBe(200);
    expect((await followers()).map(({ partner_id }) => partner_id?.email)).toEqual(['ada@example.com']);
    expect(await status(visitor, open)).toEqual({ is_user: false, email: '', is_follower: true, alias_name: false });
    expect(await status(app.visitor(), open)).toMatchObject({ is_follower: false });
    expect(await follow(visitor, { id: open, message_is_follower: 'on' })).toBe(false);
    expect(await followers()).toEqual([]);
  });

  once('does not exist for records one may not read, or that are not there', async () => {
    const visitor = app.visitor();
    const hidden = await status(visitor, draft);
    expect(hidden).toEqual(await status(visitor, 999_999));
    expect(hidden).toEqual(await status(visitor, 1, 'no.such.model'));
    expect(hidden).toEqual(await status(visitor, 1, 'res.users'));
    expect(await follow(visitor, { id: draft, email: 'eve@example.com' })).toBe(false);
    await app.runJobs();
    expect(mailbox.received()).toEqual([]);
    expect(await followers()).toEqual([]);
  });

  once('takes nobody off a list but themselves', async () => {
    await app.write(async (ctx) =>
      ctx.model(Topic).messageSubscribe([open], [await ctx.ref('base.demo_portal_partner')]),
    );
    expect(await follow(app.visitor(), { id: open, message_is_follower: 'on', email: 'portal@example.com' })).toBe(
      false,
    );
    expect(await followers()).toHaveLength(1);
  });

  once.each(['ada', '@', 'a@', 'ada@example.com\nBcc: eve@example.com', 'a@b, c@d'])(
    'refuses %j as an address',
    async (email) => {
      await expect(follow(app.visitor(), { id: open, email })).rejects.toThrow('address');
    },
  );

  once('works without JavaScript', async () => {
    const portal = await app.as('portal');
    const { text } = await portal.form('/website_mail/follow/form', { object: 'fx_follow.topic', id: open });
    // Jo reads French.
    expect(text).toContain('Vous êtes maintenant abonné.');
    expect(await followers()).toHaveLength(1);
  });

  once('writes to no account whose address nobody confirmed, and shows it to nobody', async () => {
    const portal = await app.as('portal');
    await follow(portal, { id: open });
    const confirm = (email_verified: boolean) =>
      app.write(async (ctx) => {
        const own = await ctx.model(User).byLogin('portal');
        await ctx.model(User).write(own?.id ?? 0, { email_verified });
      });
    await confirm(false);
    expect(await status(portal, open)).toMatchObject({ email: '' });
    const say = async (body: string) => {
      await app.write((ctx) => ctx.model(Topic).messagePost([open], { body }));
      await app.runJobs();
      await app.runJobs();
    };
    await say('<p>One.</p>');
    expect(mailbox.received()).toEqual([]);
    await confirm(true);
    await say('<p>Two.</p>');
    expect(mailbox.received().map(({ envelopeTo }) => envelopeTo[0])).toEqual(['portal@example.com']);
  });

  once('withdraws a queued mail from somebody who no longer follows', async () => {
    await app.write(async (ctx) => {
      const portal = await ctx.ref('base.demo_portal_partner');
      await ctx.model(Topic).messageSubscribe([open], [portal]);
      const [message = 0] = await ctx.model(Topic).messagePost([open], { body: '<p>Late.</p>' });
      await ctx.mail.send(newMessage, {
        to: { email: 'portal@example.com' },
        values: { headline: 'Late', record: '', path: '', author: '', body: '', unsubscribe: '/' },
        key: `mail.message/${message}/${portal}`,
      });
      await ctx.model(Topic).messageUnsubscribe([open], [portal]);
    });
    await app.runJobs();
    expect(mailbox.received()).toEqual([]);
    const { mails } = await app.read((ctx) => listOutbox(ctx, { search: 'portal@example.com' }));
    expect(mails.map(({ state }) => state)).toContain('withdrawn');
  });

  it('sends what is said to each follower once, but not to its author nor to who may no longer read', async () => {
    const ids = { admin: 'base.admin_partner', portal: 'base.demo_portal_partner', ana: 'base.demo_northwind_ana' };
    await app.write(async (ctx) => {
      const partners = await Promise.all(Object.values(ids).map((id) => ctx.ref(id)));
      await ctx.model(Topic).messageSubscribe([open, draft], partners);
      await ctx.model(Topic).messagePost([open], { body: '<p>It rains.</p><script>alert(1)</script>' });
      await ctx.model(Topic).messagePost([draft], { body: '<p>Hush.</p>' });
      await ctx.model(Topic).messagePost([draft], { body: '<p>Psst.</p>', except: [await ctx.ref(ids.admin)] });
      await ctx
        .model(Topic)
        .messagePost([open], { body: '<p>Mine.</p>', authorId: await ctx.ref(ids.portal), except: partners.slice(2) });
    });
    await app.runJobs();
    await app.runJobs();
    const sent = mailbox
      .received()
      .map(({ envelopeTo, html = '' }) => [
        envelopeTo[0],
        /It rains|Hush|Psst|Mine/.exec(html)?.[0],
        html.includes('<script'),
      ]);
    expect(sent.sort()).toEqual([
      ['admin@example.com', 'Hush', false],
      ['admin@example.com', 'It rains', false],
      ['admin@example.com', 'Mine', false],
      ['ana@northwind.example', 'It rains', false],
      ['portal@example.com', 'It rains', false],
    ]);
  });

  once('ends by one click in a mail program, and only by a link that is ours', async () => {
    await app.write(async (ctx) => {
      await ctx.model(Topic).messageSubscribe([open], [await ctx.ref('base.demo_portal_partner')]);
      await ctx.model(Topic).messagePost([open], { body: '<p>Again.</p>' });
    });
    await app.runJobs();
    await app.runJobs();
    const mail = await mailbox.waitFor(({ html }) => (html ?? '').includes('Again.'));
    const header = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
    const link = new URL(/<([^>]+)>/.exec(header)?.[1] ?? '').pathname;
    expect((await app.get(link)).status).toBe(200);
    expect(await followers()).toHaveLength(1);
    const altered = `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`;
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await app.post(altered, { body })).status).toBe(404);
    expect(await followers()).toHaveLength(1);
    expect((await app.post(link, { body })).status).toBe(200);
    expect(await followers()).toEqual([]);
  });
});

someDatabase('Messages', (database) => {
  it('and followers are rows for employees who may read the record, and for nobody else', async () => {
    await using app = await createTestApp({ addons: ['fx_follow'], roots, database, demo: true });
    const [topic, secret] = await app.write(async (ctx) => {
      const made = await ctx
        .model(Topic)
        .create([{ name: 'The garden' }, { name: 'For administrators', admins: true }]);
      await ctx.model(Topic).messagePost(made, { body: '<p>Hello</p>' });
      await ctx.model(Topic).messageSubscribe(made, [await ctx.ref('base.demo_editor_partner')]);
      return made;
    });
    const editor = await app.as('editor');
    const kw = (model: string, method: string, ...args: unknown[]) =>
      editor.rpc<unknown[]>('/web/dataset/call_kw', { model, method, args, kwargs: {} });
    expect(await kw('mail.message', 'search_read', [], ['res_id'])).toMatchObject([{ res_id: topic }]);
    expect(await kw('mail.followers', 'search_read', [], ['res_id'])).toMatchObject([{ res_id: topic }]);
    expect(await kw('mail.message', 'search_count', [])).toBe(1);
    expect(await kw('mail.message', 'read_group', [], ['res_id'], ['model'])).toMatchObject([{ model_count: 1 }]);
    expect(await kw('fx_follow.topic', 'search_read', [], ['message_ids', 'message_is_follower'])).toMatchObject([
      { id: topic, message_ids: [expect.any(Number)], message_is_follower: true },
    ]);
    await expect(kw('mail.message', 'create', { model: 'fx_follow.topic', res_id: secret })).rejects.toThrow();
    await expect(
      kw('mail.followers', 'create', { res_model: 'fx_follow.topic', res_id: secret, partner_id: 1 }),
    ).rejects.toThrow();
    const portal = await app.as('portal');
    await expect(
      portal.rpc('/web/dataset/call_kw', {
        model: 'fx_follow.topic',
        method: 'read',
        args: [[topic], ['message_ids']],
        kwargs: {},
      }),
    ).rejects.toThrow();
  });

  it('take along only files their author may read, and answer only what was said on the same record', async () => {
    await using app = await createTestApp({ addons: ['fx_follow'], roots, database, demo: true });
    const made = await app.write(async (ctx) => {
      const [topic = 0, secret = 0] = await ctx
        .model(Topic)
        .create([{ name: 'The garden' }, { name: 'Secret', admins: true }]);
      const [said = 0] = await ctx.model(Topic).messagePost([secret], { body: '<p>Hush</p>' });
      const hidden = await ctx.model(Attachment).create({ name: 'x', res_model: 'fx_follow.topic', res_id: secret });
      const editor = await identityOf(ctx, (await ctx.model(User).byLogin('editor'))?.id ?? 0);
      return { topic, said, hidden, editor };
    });
    const post = (saying: object) =>
      app.write(async (ctx) => {
        const own = made.editor ? ctx.as({ user: made.editor }) : ctx;
        const loose = await own.model(Attachment).create({ name: 'mine' });
        return own.model(Topic).messagePost([made.topic], { body: '<p>Hi</p>', attachmentIds: [loose], ...saying });
      });
    await expect(post({ attachmentIds: [made.hidden] })).rejects.toMatchObject({ code: 'mail.files_of_others' });
    await expect(post({ parentId: made.said })).rejects.toMatchObject({ code: 'mail.other_record' });
    const [message] = await post({});
    const files = await app.read((ctx) =>
      ctx.model(Attachment).find([['res_model', '=', 'mail.message']], { select: { name: true, res_id: true } }),
    );
    expect(files).toMatchObject([{ name: 'mine', res_id: message }]);
  });

  it('are for readers of their record; notes are for employees', async () => {
    await using app = await createTestApp({ addons: ['fx_follow'], roots, database, demo: true });
    const id = await app.write(async (ctx) => {
      const topic = await ctx.model(Topic).create({ name: 'The garden' });
      await ctx.model(Topic).messagePost([topic], { body: '<p>For all</p>' });
      await ctx.model(Topic).messagePost([topic], { body: '<p>For us</p>', internal: true });
      return topic;
    });
    const portal = await app.as('portal');
    await expect(
      portal.rpc('/web/dataset/call_kw', { model: 'mail.message', method: 'search_read', args: [[]], kwargs: {} }),
    ).rejects.toThrow();
    await expect(
      portal.rpc('/web/dataset/call_kw', { model: 'mail.followers', method: 'search_read', args: [[]], kwargs: {} }),
    ).rejects.toThrow();
    const seen = await app.read((ctx) => ctx.model(Topic).messages(id));
    expect(seen.map(({ body }) => body)).toEqual(['<p>For us</p>', '<p>For all</p>']);
  });

  it('go with their record', async () => {
    await using app = await createTestApp({ addons: ['fx_follow'], roots, database });
    const left = await app.write(async (ctx) => {
      const topic = await ctx.model(Topic).create({ name: 'Gone soon' });
      await ctx.model(Topic).messagePost([topic], { body: '<p>Bye</p>' });
      await ctx.model(Topic).messageSubscribe([topic], [await ctx.ref('base.admin_partner')]);
      await ctx.model(Topic).unlink(topic);
      return [await ctx.modelNamed('mail.message').count([]), await ctx.modelNamed('mail.followers').count([])];
    });
    expect(left).toEqual([0, 0]);
  });
});

eachDatabase('Following by eight presses at the same time', (database) => {
  it('is done once, and answers each of them', async () => {
    const env = { TRUSTED_PROXIES: 'loopback' };
    await using app = await createTestApp({ addons: ['fx_follow'], roots, database, demo: true, env });
    const topic = await app.write((ctx) => ctx.model(Topic).create({ name: 'The garden' }));
    const eight = Array.from({ length: 8 }, (_, index) => index);
    const count = () => app.read((ctx) => ctx.model(Follower).count([]));
    const portal = await app.as('portal');
    const press = (client: Pick<TestApp, 'rpc'>, now: 'on' | 'off', email?: string) =>
      client.rpc('/website_mail/follow', { object: 'fx_follow.topic', id: topic, message_is_follower: now, email });
    expect(await Promise.all(eight.map(() => press(portal, 'off')))).toEqual(Array(8).fill(true));
    expect(await count()).toBe(1);
    expect(await Promise.all(eight.map(() => press(portal, 'on')))).toEqual(Array(8).fill(false));
    expect(await count()).toBe(0);
    const partner = await app.read(async (ctx) => (await ctx.model(User).byLogin('portal'))?.id ?? 0);
    const contact = await app.read(
      async (ctx) => (await ctx.model(User).get(partner, { select: { partner_id: true } })).partner_id ?? 0,
    );
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(eight.map(() => app.write((ctx) => ctx.model(Topic).messageSubscribe([topic], [contact]))));
      expect(await count()).toBe(1);
      await Promise.all(eight.map(() => app.write((ctx) => ctx.model(Topic).messageUnsubscribe([topic], [contact]))));
      expect(await count()).toBe(0);
    }
    const asked = eight.map((index) => press(app.visitor(`203.0.113.${index + 1}`), 'off', 'twice@example.com'));
    expect(await Promise.all(asked)).toEqual(Array(8).fill(true));
    const mails = await app.read((ctx) => ctx.db('core_outbox').where({ email: 'twice@example.com' }).select('id'));
    expect(mails).toHaveLength(1);
  });
});
