import { listOutbox } from '@pergola/web';
import { mailServerSetting, releaseMails } from 'pergola/mail';
import { createTestApp, openMailbox, someDatabase } from 'pergola/testing';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { Mailing } from '../models/mailing.ts';
import { MailRecipient } from '../models/recipient.ts';
import { Subscription } from '../models/subscription.ts';
import { makeList, makeMailing, sendAll } from './kit.ts';

someDatabase('A mailing where there is no mail server', (database) => {
  it('is tried and sent into the outbox, each mail once, with its files', async () => {
    await using app = await createTestApp({ addons: ['mass_mailing'], database });
    const list = await makeList(app, 'Readers', ['ada@example.com', 'bob@example.com']);
    const mailing = await makeMailing(app, [list]);
    await app.write((ctx) => ctx.model(Mailing).action_test_mailing([mailing], 'me@example.com'));
    await app.runJobs();
    await sendAll(app, mailing);
    await app.runJobs();
    const { mails } = await app.read((ctx) => listOutbox(ctx));
    expect(mails.map(({ name, email, subject, state }) => [name, email, subject, state]).sort()).toEqual([
      ['mass_mailing.mailing', 'ada@example.com', 'News for Ada', 'kept'],
      ['mass_mailing.mailing', 'bob@example.com', 'News for Bob', 'kept'],
      ['mass_mailing.mailing', 'me@example.com', '[Test] News for you', 'kept'],
    ]);
    const figures = () =>
      app.read((ctx) =>
        ctx.model(Mailing).get(mailing, {
          select: {
            state: true,
            sent: true,
            held: true,
            delivered: true,
            progress: true,
            last_error: true,
            sent_date: true,
          },
        }),
      );
    const about = await figures();
    expect(about).toMatchObject({
      state: 'done',
      sent: 0,
      held: 2,
      delivered: 0,
      progress: 0,
      last_error: null,
      sent_date: null,
    });
    // Once there is a server they go out by themselves, and count as handed over.
    const mailbox = await openMailbox();
    const { hostname, port } = new URL(mailbox.url);
    const server = { host: hostname, port: Number(port), security: 'none', user: '', password: '', from: '' } as const;
    await app.write(async (ctx) => {
      await ctx.settings.set(mailServerSetting, server);
      await ctx.jobs.enqueue(releaseMails, {});
    });
    await app.runJobs();
    expect(
      mailbox
        .received()
        .map(({ envelopeTo }) => envelopeTo[0])
        .sort(),
    ).toEqual(['ada@example.com', 'bob@example.com', 'me@example.com']);
    expect(await figures()).toMatchObject({ sent: 2, held: 0, progress: 100, sent_date: expect.any(Date) });
    await mailbox.close();
  });

  it('goes out later to those who still want it', async () => {
    await using app = await createTestApp({ addons: ['mass_mailing'], database });
    const people = ['stays', 'left', 'excluded', 'deleted'].map((name) => `${name}@example.com`);
    const mailing = await makeMailing(app, [await makeList(app, 'Readers', people)]);
    await sendAll(app, mailing);
    const mailbox = await openMailbox();
    const { hostname, port } = new URL(mailbox.url);
    const server = { host: hostname, port: Number(port), security: 'none', user: '', password: '', from: '' } as const;
    await app.write(async (ctx) => {
      const [left] = await ctx.model(Subscription).search([['contact_id.email', '=', 'left@example.com']]);
      await ctx.model(Subscription).write(left ?? 0, { opt_out: true });
      await ctx.model(Exclusion).exclude('excluded@example.com', 'staff');
      await ctx.model(Contact).unlink(await ctx.model(Contact).search([['email', '=', 'deleted@example.com']]));
      await ctx.settings.set(mailServerSetting, server);
      await ctx.jobs.enqueue(releaseMails, {});
    });
    await app.runJobs();
    expect(mailbox.received().map(({ envelopeTo }) => envelopeTo)).toEqual([['stays@example.com']]);
    const rows = await app.read((ctx) =>
      ctx.model(MailRecipient).find([], { select: { email: true, state: true }, order: 'id' }),
    );
    expect(rows.map(({ email, state }) => [email, state])).toEqual([
      ['stays@example.com', 'sent'],
      ['left@example.com', 'skipped'],
      ['excluded@example.com', 'skipped'],
      ['deleted@example.com', 'skipped'],
    ]);
    const { mails } = await app.read((ctx) => listOutbox(ctx, { state: 'withdrawn' }));
    expect(mails.map(({ email }) => email).sort()).toEqual([
      'deleted@example.com',
      'excluded@example.com',
      'left@example.com',
    ]);
    await mailbox.close();
  });
});
