import { Attachment, User } from '@pergola/base';
import { type JobRun, Unavailable } from 'pergola';
import {
  createTestApp,
  eachDatabase,
  type Mailbox,
  openMailbox,
  type ReceivedMail,
  type TestApp,
  withClock,
} from 'pergola/testing';
import { watchMailings } from '../jobs/send-mailings.ts';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { Mailing } from '../models/mailing.ts';
import { MailRecipient } from '../models/recipient.ts';
import { Subscription } from '../models/subscription.ts';
import { MailingDelivery } from '../services/delivery.ts';
import { mailConnections } from '../settings.ts';
import { addresses, header, linkIn, makeList, makeMailing, sendAll } from './kit.ts';

const many = (count: number, host: string): string[] => Array.from({ length: count }, (_, at) => `p${at}@${host}`);

eachDatabase('Sending a mailing', (database, once) => {
  const clock = withClock();
  let app: TestApp;
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await createTestApp({ addons: ['mass_mailing'], database, demo: true, env: { SMTP_URL: mailbox.url } });
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });
  beforeEach(() => {
    mailbox.clear();
    mailbox.refuse(null);
    mailbox.refuseRecipients(() => null);
  });

  const stateOf = (id: number) =>
    app.read((ctx) =>
      ctx.model(Mailing).get(id, {
        select: {
          state: true,
          total: true,
          scheduled: true,
          sent: true,
          delivered: true,
          failed: true,
          bounced: true,
          skipped: true,
          progress: true,
          last_error: true,
        },
      }),
    );
  const rowsOf = (id: number) =>
    app.read((ctx) =>
      ctx
        .model(MailRecipient)
        .find([['mass_mailing_id', '=', id]], { select: { email: true, state: true, exception: true, next_at: true } }),
    );
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: Error & { code?: string }) => error.code,
    );

  once('reaches every address of its lists once, in its language, with its own links', async () => {
    const one = await makeList(app, 'One', ['ada@one.example', 'both@one.example', 'gone@one.example']);
    const two = await makeList(app, 'Two', ['both@one.example', 'eve@one.example', 'never@one.example']);
    const mailing = await makeMailing(app, [one, two]);
    await app.write(async (ctx) => {
      const eve = await ctx.model(Contact).search([['email', '=', 'eve@one.example']]);
      await ctx.model(Contact).write(eve, { lang: 'fr_FR', name: 'Ève <b>Martin</b>' });
      await ctx
        .as({ lang: 'fr_FR' })
        .model(Mailing)
        .write(mailing, { name: 'Nouvelles pour {{first_name|vous}}', headline: 'Du neuf' });
      const gone = await ctx.model(Subscription).search([['contact_id.email', '=', 'gone@one.example']]);
      await ctx.model(Subscription).write(gone, { opt_out: true });
      await ctx.model(Exclusion).exclude('never@one.example', 'asked');
    });
    await sendAll(app, mailing);
    expect(addresses(mailbox.received())).toEqual(['ada@one.example', 'both@one.example', 'eve@one.example']);
    expect(await stateOf(mailing)).toMatchObject({
      state: 'done',
      total: 4,
      sent: 3,
      skipped: 1,
      scheduled: 0,
      progress: 100,
    });
    const mail = (email: string) => mailbox.received().find(({ envelopeTo }) => envelopeTo[0] === email);
    const [ada, eve] = [mail('ada@one.example'), mail('eve@one.example')];
    expect(ada?.subject).toBe('News for Ada');
    expect(ada?.html).toContain('Dear Ada Doe');
    expect(ada?.text).toContain('Dear Ada Doe');
    expect(ada?.html).toContain('href="https://example.org/a?b=1&amp;c=2"');
    expect(eve?.subject).toBe('Nouvelles pour Ève');
    expect(eve?.html).toContain('Du neuf');
    expect(eve?.html).toContain('Dear Ève &lt;b&gt;Martin&lt;/b&gt;');
    const link = linkIn(ada, 'unsubscribe');
    expect(link).not.toBe(linkIn(eve, 'unsubscribe'));
    expect(header(ada, 'List-Unsubscribe')).toBe(`<${app.url}${link}>`);
    expect(header(ada, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    // Each is told of the lists they are on.
    expect(
      [ada, mail('both@one.example'), eve].map((one) =>
        /is subscribed to: ([^.]*)\.|inscrit à : ([^.]*)\./
          .exec(one?.text?.replace(/\s+/g, ' ') ?? '')
          ?.slice(1)
          .join(''),
      ),
    ).toEqual(['One', 'One, Two', 'Two']);
    expect(ada?.raw).not.toMatch(/mass_mailing\/(open|click)/);
    // Nothing is loaded from anybody when it is opened.
    expect(ada?.html).not.toMatch(/@import|<link|googleapis/);
    expect(ada?.messageId).toMatch(/^<mm\.\d+\.[\w-]{22}@localhost>$/);
    expect(await refusal(app.write((ctx) => ctx.model(Mailing).send_mail([mailing])))).toBe('mass_mailing.sent');
    expect(await refusal(app.write((ctx) => ctx.model(Mailing).write(mailing, { headline: 'Changed' })))).toBe(
      'core.invalid_values',
    );
  });

  once(
    'shows before it unsubscribes, does it at one click of a mail program, and forgets nobody who was not asked',
    async () => {
      const list = await makeList(app, 'Leaving', ['leo@two.example', 'lea@two.example']);
      await sendAll(app, await makeMailing(app, [list]));
      const on = async () =>
        (
          await app.read((ctx) =>
            ctx.model(Subscription).find(
              [
                ['list_id', '=', list],
                ['opt_out', '=', false],
              ],
              { select: { contact_id: { email: true } } },
            ),
          )
        ).map(({ contact_id }) => contact_id?.email);
      const mail = mailbox.received().find(({ envelopeTo }) => envelopeTo[0] === 'leo@two.example');
      const link = linkIn(mail, 'unsubscribe');
      const page = await app.visitor().get(link);
      expect(page.text).toContain('leo@two.example');
      expect(await on()).toHaveLength(2);
      for (const altered of [
        `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`,
        link.replace(/unsubscribe\/\d/, 'unsubscribe/9'),
        `${link}.`,
      ]) {
        expect(
          (await app.visitor().post(altered, { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }))
            .status,
        ).toBe(404);
      }
      expect(await on()).toHaveLength(2);
      // No Origin, no cookie: a mail program.
      const answer = await app.visitor().post(link, { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
      expect(answer.status).toBe(200);
      expect(await on()).toEqual(['lea@two.example']);
      const chosen = linkIn(mail, 'preferences');
      const preferences = await app.visitor().get(chosen);
      expect(preferences.text).toMatch(new RegExp(`name="list" value="${list}" id="list-${list}">`));
      expect((await app.visitor().form(chosen, { list: String(list) })).text).toContain('Your preferences are saved');
      expect(await on()).toEqual(expect.arrayContaining(['leo@two.example', 'lea@two.example']));
      await app.visitor().form(chosen, { exclude: 'on' });
      expect(await on()).toEqual(['lea@two.example']);
      expect(await app.read((ctx) => ctx.model(Exclusion).count([['email', '=', 'leo@two.example']]))).toBe(1);
      const view = await app.visitor().get(linkIn(mail, 'view'));
      expect(view.text).toContain('Dear Leo Doe');
      expect(view.headers.get('content-security-policy')).toContain('sandbox');
    },
  );

  it('goes on after a crash: at most the mail on each connection comes twice, as the same mail', async () => {
    const people = many(120, 'crash.example');
    const mailing = await makeMailing(app, [await makeList(app, 'Crash', people)]);
    await app.write((ctx) => ctx.settings.set(mailConnections, 4));
    await app.write((ctx) => ctx.model(Mailing).write(mailing, { state: 'sending' }));
    const runner = (await app.write((ctx) => ctx.model(Mailing).beginRun(mailing))) ?? '';
    // Dies after some writes: from then on nothing is written any more.
    let left = 14;
    const dying: JobRun<object>['write'] = (work) => {
      if (left-- <= 0) return Promise.reject(new Error('killed'));
      return app.write(work);
    };
    const end = Date.now() + 60_000;
    const signal = new AbortController().signal;
    await expect(
      app.read((ctx) =>
        ctx.get(MailingDelivery).run({ ctx, input: {}, attempt: 1, write: dying, signal }, { mailing, runner, end }),
      ),
    ).rejects.toThrow('killed');
    const before = mailbox.received().length;
    expect(before).toBeGreaterThan(4);
    expect(before).toBeLessThan(people.length);
    // Another run leaves it alone until the dead one's time is up.
    expect(await app.write((ctx) => ctx.model(Mailing).beginRun(mailing))).toBeNull();
    await app.write((ctx) => ctx.model(Mailing).write(mailing, { runner_until: ctx.now().plus(-1) }));
    await app.write(async (ctx) => {
      const again = await ctx.model(Mailing).get(mailing, { select: { state: true } });
      expect(again.state).toBe('sending');
    });
    const next = (await app.write((ctx) => ctx.model(Mailing).beginRun(mailing))) ?? '';
    const result = await app.read((ctx) =>
      ctx
        .get(MailingDelivery)
        .run({ ctx, input: {}, attempt: 1, write: (work) => app.write(work), signal }, { mailing, runner: next, end }),
    );
    expect(result).toEqual({ kind: 'done' });
    const mails = mailbox.received();
    expect(new Set(addresses(mails))).toEqual(new Set(people));
    const twice = [...Map.groupBy(mails, ({ envelopeTo }) => envelopeTo[0]).values()].filter((some) => some.length > 1);
    expect(twice.length).toBeLessThanOrEqual(4);
    for (const some of twice) {
      expect(some).toHaveLength(2);
      expect(new Set(some.map(({ messageId }) => messageId)).size).toBe(1);
    }
  });

  it('writes down what is out even when the database has no time for a while', async () => {
    const people = many(30, 'busy.example');
    const mailing = await makeMailing(app, [await makeList(app, 'Busy', people)]);
    await app.write((ctx) => ctx.model(Mailing).write(mailing, { state: 'sending' }));
    const runner = (await app.write((ctx) => ctx.model(Mailing).beginRun(mailing))) ?? '';
    // Counted from the first email on: a slow machine also writes that the run is alive. The last write ends the run and isn't refused.
    let writes = 0;
    const busy: JobRun<object>['write'] = (work) => {
      const sent = addresses(mailbox.received()).filter((address) => people.includes(address)).length;
      if (sent > 0) writes += 1;
      const isRefused = sent > 0 && (writes <= 2 || (writes === 4 && sent < people.length));
      return isRefused ? Promise.reject(new Unavailable('Too much to do.')) : app.write(work);
    };
    const signal = new AbortController().signal;
    const run = { input: {}, attempt: 1, write: busy, signal };
    const result = await app.read((ctx) =>
      ctx.get(MailingDelivery).run({ ctx, ...run }, { mailing, runner, end: Date.now() + 60_000 }),
    );
    expect(result).toEqual({ kind: 'done' });
    expect(writes).toBeGreaterThan(2);
    expect(addresses(mailbox.received())).toEqual([...people].sort());
  });

  it('two runs at once send nothing twice', async () => {
    const people = many(150, 'twice.example');
    const mailing = await makeMailing(app, [await makeList(app, 'Twice', people)]);
    await app.write((ctx) => ctx.model(Mailing).send_mail([mailing]));
    await Promise.all([app.runJobs(), app.runJobs(), app.runJobs()]);
    await app.runJobs();
    expect(addresses(mailbox.received())).toEqual([...people].sort());
    expect(await stateOf(mailing)).toMatchObject({ state: 'done', sent: people.length });
  });

  once('is taken up again when its job was lost', async () => {
    const mailing = await makeMailing(app, [await makeList(app, 'Lost', ['lost@lost.example'])]);
    await app.write((ctx) => ctx.model(Mailing).send_mail([mailing]));
    await app.write(async (ctx) => {
      await ctx.db('core_job').delete();
      await ctx.jobs.enqueue(watchMailings, {});
    });
    await app.runJobs();
    expect(addresses(mailbox.received())).toContain('lost@lost.example');
    expect(await stateOf(mailing)).toMatchObject({ state: 'done' });
  });

  once('can be stopped and taken up again', async () => {
    const people = many(60, 'stop.example');
    const mailing = await makeMailing(app, [await makeList(app, 'Stop', people)], { rate: 40 });
    await app.write((ctx) => ctx.model(Mailing).send_mail([mailing]));
    const running = app.runJobs();
    await mailbox.waitFor(() => mailbox.received().length >= 5);
    await app.write((ctx) => ctx.model(Mailing).cancel_mass_mailing([mailing]));
    await running;
    const before = mailbox.received().length;
    expect(before).toBeLessThan(people.length);
    expect(await stateOf(mailing)).toMatchObject({ state: 'paused' });
    await sendAll(app, mailing);
    expect(addresses(mailbox.received())).toEqual([...people].sort());
    expect(await stateOf(mailing)).toMatchObject({ state: 'done' });
  });

  once('keeps to the rate', async () => {
    const mailing = await makeMailing(app, [await makeList(app, 'Slow', many(20, 'rate.example'))], { rate: 20 });
    const started = performance.now();
    await sendAll(app, mailing);
    expect(performance.now() - started).toBeGreaterThan(900);
    expect(mailbox.received()).toHaveLength(20);
  });

  once('waits for its time', async () => {
    const mailing = await makeMailing(app, [await makeList(app, 'Later', ['later@three.example'])]);
    const queue = (at: Date | null) =>
      app.write(async (ctx) => {
        await ctx.model(Mailing).write(mailing, { schedule_date: at });
        await ctx.model(Mailing).put_in_queue([mailing]);
      });
    expect(await refusal(queue(null))).toBe('mass_mailing.not_ready');
    expect(await refusal(queue(new Date(Date.now() - 1000)))).toBe('mass_mailing.not_ready');
    const change = (schedule_date: Date | null) =>
      app.write((ctx) => ctx.model(Mailing).write(mailing, { schedule_date }));
    await queue(new Date(Date.now() + 3_600_000));
    expect(await refusal(change(new Date(Date.now() - 1_000)))).toBe('mass_mailing.not_ready');
    await change(null);
    expect(await stateOf(mailing)).toMatchObject({ state: 'draft' });
    await queue(new Date(Date.now() + 3_600_000));
    await change(new Date(Date.now() + 60_000));
    await app.runJobs();
    expect(mailbox.received()).toEqual([]);
    expect(await stateOf(mailing)).toMatchObject({ state: 'in_queue' });
    clock.forward(61_000);
    await app.runJobs();
    expect(addresses(mailbox.received()).filter((email) => email.endsWith('@three.example'))).toEqual([
      'later@three.example',
    ]);
    expect(await stateOf(mailing)).toMatchObject({ state: 'done' });
  });

  once('tries again what a server puts off, and says what it refuses', async () => {
    const mailing = await makeMailing(app, [await makeList(app, 'Trouble', ['off@four.example'])]);
    mailbox.refuse(451);
    await sendAll(app, mailing);
    expect(await rowsOf(mailing)).toMatchObject([
      { state: 'waiting', next_at: expect.any(Date), exception: expect.stringContaining('refused') },
    ]);
    expect(await stateOf(mailing)).toMatchObject({ state: 'sending' });
    mailbox.refuse(554);
    const [row] = await rowsOf(mailing);
    await app.write((ctx) => ctx.model(MailRecipient).write(row?.id ?? 0, { next_at: new Date(Date.now() - 1) }));
    const run = await app.write((ctx) => ctx.model(Mailing).beginRun(mailing));
    const signal = new AbortController().signal;
    await app.read((ctx) =>
      ctx
        .get(MailingDelivery)
        .run(
          { ctx, input: {}, attempt: 1, write: (work) => app.write(work), signal },
          { mailing, runner: run ?? '', end: Date.now() + 5_000 },
        ),
    );
    expect(await rowsOf(mailing)).toMatchObject([{ state: 'failed' }]);
    expect(await stateOf(mailing)).toMatchObject({ state: 'done', failed: 1 });
    // A policy is no reason to think that the address does not exist.
    expect(await app.read((ctx) => ctx.model(Exclusion).count([['email', '=', 'off@four.example']]))).toBe(0);
  });

  /** Sends a mailing to `count` addresses whose server answers as `answer` says. */
  const sendTo = async (host: string, count: number, answer: (email: string) => string | null) => {
    const mailing = await makeMailing(app, [await makeList(app, host, many(count, host))]);
    mailbox.refuseRecipients(answer);
    await sendAll(app, mailing);
    return mailing;
  };
  const exclusions = (host: string) =>
    app.read(async (ctx) =>
      (await ctx.model(Exclusion).find([['email', 'like', `@${host}`]], { select: { email: true } })).map(
        ({ email }) => email.split('@')[0],
      ),
    );

  once('excludes only addresses that do not exist', async () => {
    const answers = [
      '550 5.1.1 User unknown',
      '550 5.7.1 Spam detected',
      '552 5.2.2 Mailbox full',
      '550 5.1.1 Account over quota',
      '554 5.3.4 Message too large',
      '451 4.7.1 Greylisted, try later',
      '550 No such user here',
      null,
    ];
    const mailing = await sendTo(
      'kinds.example',
      answers.length,
      (email) => answers[Number(/\d+/.exec(email)?.[0])] ?? null,
    );
    const rows = await app.read((ctx) =>
      ctx
        .model(MailRecipient)
        .find([['mass_mailing_id', '=', mailing]], { select: { state: true, reason: true }, order: 'email' }),
    );
    expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
      ['failed', 'address'],
      ['failed', 'content'],
      ['failed', 'full'],
      ['failed', 'full'],
      ['failed', 'content'],
      ['waiting', 'later'],
      ['failed', 'address'],
      ['sent', null],
    ]);
    expect((await exclusions('kinds.example')).sort()).toEqual(['p0', 'p6']);
    const counts = await app.read((ctx) =>
      ctx
        .model(Contact)
        .find([['email', 'like', '@kinds.example']], { select: { message_bounce: true }, order: 'email' }),
    );
    expect(counts.map(({ message_bounce }) => message_bounce)).toEqual([1, 1, 1, 1, 1, 0, 1, 0]);
  });

  once.each([
    ['550 5.7.1 Relaying denied', 20],
    ['550 5.1.8 Sender address rejected: Domain not found', 20],
    ['550 5.7.26 Unauthenticated: DMARC policy', 2],
  ])(
    'is paused by %j, tells the person responsible, and goes on without sending anything twice',
    async (answer, count) => {
      const host = `blame${answer.length}.example`;
      const editor = await app.read(async (ctx) => (await ctx.model(User).search([['login', '=', 'editor']]))[0] ?? 0);
      const mailing = await makeMailing(app, [await makeList(app, host, many(count, host))], { user_id: editor });
      let taken = 0;
      mailbox.refuseRecipients((email) => (email.endsWith(host) && (count < 3 || ++taken > 4) ? answer : null));
      await sendAll(app, mailing);
      const pause = await app.read((ctx) =>
        ctx.model(Mailing).get(mailing, { select: { state: true, pause_reason: true, last_error: true } }),
      );
      expect(pause).toMatchObject({ state: 'paused', pause_reason: 'sender' });
      expect(pause.last_error).toContain(answer.slice(4));
      expect(await exclusions(host)).toEqual([]);
      const notices = mailbox.received().filter(({ subject }) => subject?.startsWith('Mailing paused'));
      expect(notices.map(({ envelopeTo }) => envelopeTo)).toEqual([['editor@example.com']]);
      expect(header(notices[0], 'Auto-Submitted')).toBe('auto-generated');
      // The refusal of a mail that was on its way is recorded after the pause.
      const [late] = (await rowsOf(mailing)).filter(({ state }) => state === 'waiting');
      await app.write((ctx) =>
        ctx.model(MailRecipient).write(late?.id ?? 0, { state: 'failed', reason: 'sender', attempts: 1 }),
      );
      mailbox.refuseRecipients(() => null);
      await sendAll(app, mailing);
      expect(await stateOf(mailing)).toMatchObject({ state: 'done', sent: count, failed: 0 });
      expect(addresses(mailbox.received().filter((mail) => mail !== notices[0]))).toEqual(many(count, host).sort());
    },
  );

  once.each(['451 4.3.0 Try again later', '421 4.7.0 Too many messages', 'cut'])(
    'delays no one else when a server answers %j',
    async (answer) => {
      const host = `slow${answer.length}.example`;
      await app.write((ctx) => ctx.settings.set(mailConnections, 1));
      const mailing = await sendTo(host, 6, (email) => (/^p[02]@/.test(email) ? answer : null));
      await app.write((ctx) => ctx.settings.set(mailConnections, 4));
      expect(addresses(mailbox.received())).toEqual([1, 3, 4, 5].map((at) => `p${at}@${host}`));
      const waiting = (await rowsOf(mailing)).filter(({ state }) => state === 'waiting');
      expect(waiting.map(({ email }) => email)).toEqual([`p0@${host}`, `p2@${host}`]);
      for (const { next_at } of waiting) expect(next_at).toEqual(expect.any(Date));
      expect(await stateOf(mailing)).toMatchObject({ state: 'sending', last_error: null });
    },
  );

  once('shows international domains as they are written, however they are given', async () => {
    const list = await makeList(app, 'IDN', [
      'Info@MÜNCHEN.example',
      'info@xn--mnchen-3ya.example',
      'team@xn--mnchen-3ya.example',
    ]);
    await app.write((ctx) => ctx.model(Exclusion).exclude('team@münchen.example', 'asked'));
    const mailing = await makeMailing(app, [list]);
    await sendAll(app, mailing);
    expect((await rowsOf(mailing)).map(({ email, state }) => [email, state])).toEqual([
      ['info@münchen.example', 'sent'],
      ['team@münchen.example', 'skipped'],
    ]);
    expect(mailbox.received()).toHaveLength(1);
    expect(mailbox.received()[0]?.raw).toContain('info@xn--mnchen-3ya.example');
  });

  once('goes to a few addresses first, with links that do nothing', async () => {
    const mailing = await makeMailing(app, [await makeList(app, 'Trial', ['real@five.example'])]);
    await app.write((ctx) => ctx.model(Mailing).action_test_mailing([mailing], 'me@five.example, you@five.example'));
    await app.runJobs();
    expect(addresses(mailbox.received())).toEqual(['me@five.example', 'you@five.example']);
    const [mail] = mailbox.received();
    expect(mail?.subject).toBe('[Test] News for you');
    const link = linkIn(mail, 'unsubscribe');
    expect((await app.visitor().get(link)).text).toContain('This is a test email');
    expect((await app.visitor().form(link)).text).toContain('This is a test email');
    expect(await refusal(app.write((ctx) => ctx.model(Mailing).action_test_mailing([mailing], 'me')))).toBe(
      'mass_mailing.not_ready',
    );
  });

  once('takes its files along, and a copy of it has its own', async () => {
    const list = await makeList(app, 'Attachments', ['fay@files.example']);
    const file = (content: string) =>
      app.write(async (ctx) =>
        ctx.model(Attachment).create({
          name: 'leaflet é.txt',
          datas: await ctx.files.put(Buffer.from(content), { name: 'leaflet é.txt', mimetype: 'text/plain' }),
        }),
      );
    const mailing = await makeMailing(app, [list], { attachment_ids: [await file('first')] });
    const copy = await app.write((ctx) => ctx.model(Mailing).copy(mailing));
    await app.write((ctx) => ctx.model(Mailing).action_test_mailing([mailing], 'me@files.example'));
    await sendAll(app, mailing);
    const carried = () =>
      mailbox
        .received()
        .map(({ envelopeTo, attachments }) => [
          envelopeTo[0],
          ...attachments.map(({ filename, content }) => `${filename}: ${Buffer.from(content as ArrayBuffer)}`),
        ])
        .sort();
    const expected = [
      ['fay@files.example', 'leaflet é.txt: first'],
      ['me@files.example', 'leaflet é.txt: first'],
    ];
    expect(carried()).toEqual(expected);
    const more = await file('late');
    expect(await refusal(app.write((ctx) => ctx.model(Mailing).write(mailing, { attachment_ids: [more] })))).toBe(
      'core.invalid_values',
    );
    await app.write((ctx) => ctx.model(Mailing).unlink([mailing]));
    mailbox.clear();
    await sendAll(app, copy);
    expect(carried()).toEqual([expected[0]]);
    const large = await file('x'.repeat(11_000_000));
    expect(await refusal(makeMailing(app, [list], { attachment_ids: [large] }))).toBe('mass_mailing.too_many_files');
  });

  once('counts opens and clicks only when told to', async () => {
    const mailing = await makeMailing(app, [await makeList(app, 'Counted', ['cleo@six.example'])], {
      track_opens: true,
      track_clicks: true,
    });
    await sendAll(app, mailing);
    const [mail] = mailbox.received();
    const pixel = /src="https?:\/\/[^"/]+(\/mass_mailing\/open\/[^"]+)"/.exec(mail?.html ?? '')?.[1] ?? '';
    const click =
      /"https?:\/\/[^"/]+(\/mass_mailing\/click\/[^"]+)"[^>]*>what is new/.exec(mail?.html ?? '')?.[1] ?? '';
    expect((await app.visitor().get(pixel)).headers.get('content-type')).toBe('image/gif');
    expect(await app.visitor().get(click)).toMatchObject({ status: 302, location: 'https://example.org/a?b=1&c=2' });
    expect(await app.visitor().get(click.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toMatchObject({
      status: 404,
    });
    await app.visitor().get(pixel.replace(/open\/\d+/, 'open/1'));
    await app.write(async (ctx) => ctx.jobs.enqueue((await import('../jobs/count-seen.ts')).countSeen, {}));
    await app.runJobs();
    expect(
      await app.read((ctx) =>
        ctx.model(Mailing).get(mailing, { select: { opened: true, clicked: true, link_ids: { clicks: true } } }),
      ),
    ).toMatchObject({ opened: 1, clicked: 1 });
  });

  once('refuses what cannot be sent', async () => {
    const empty = await makeList(app, 'Empty');
    const mailing = await makeMailing(app, [empty]);
    expect(await refusal(app.write((ctx) => ctx.model(Mailing).send_mail([mailing])))).toBe('mass_mailing.not_ready');
    expect(await refusal(makeMailing(app, [empty], { body_html: '<p>{{7*7}}</p>' }))).toBe('mass_mailing.not_ready');
    expect(await refusal(makeMailing(app, [empty], { button_url: 'javascript:alert(1)' }))).toBe(
      'mass_mailing.not_ready',
    );
    expect(await refusal(makeMailing(app, [empty], { email_from: 'a@b.example, c@d.example' }))).toBe(
      'mass_mailing.not_ready',
    );
  });

  once('a name that wants to be more stays a name', async () => {
    const list = await makeList(app, 'Names', ['mallory@seven.example']);
    const evil = 'Mallory" <x@evil.example>, y@evil.example {{email}} <script>alert(1)</script>';
    await app.write(async (ctx) =>
      ctx
        .model(Contact)
        .write(await ctx.model(Contact).search([['email', '=', 'mallory@seven.example']]), { name: evil }),
    );
    await sendAll(
      app,
      await makeMailing(app, [list], {
        name: '{{name}}',
        body_html: '<p><a href="https://example.org/?n={{name}}">{{name}}</a></p>',
      }),
    );
    const [mail] = mailbox.received() as [ReceivedMail];
    expect(mail.envelopeTo).toEqual(['mallory@seven.example']);
    expect(mail.to).toHaveLength(1);
    expect(mail.subject).toBe(evil);
    expect(mail.html).not.toContain('<script>');
    expect(mail.html).toContain('&lt;script&gt;');
    expect(mail.html).toContain('?n=Mallory%22');
  });
});
