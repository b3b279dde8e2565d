import { listOutbox } from '#addons/web';
import { createTestApp, eachDatabase } from '#core/testing';
import { Mailing } from '../models/mailing.ts';
import { makeList, makeMailing, sendAll } from './kit.ts';

eachDatabase('A mailing where there is no mail server', (database) => {
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
    const about = await app.read((ctx) =>
      ctx.model(Mailing).get(mailing, { select: { state: true, delivered: true, last_error: true } }),
    );
    expect(about).toMatchObject({ state: 'done', delivered: 2, last_error: null });
  }, 90_000);
});
