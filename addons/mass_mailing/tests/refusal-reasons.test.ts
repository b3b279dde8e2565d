import { createTestApp, someDatabase } from 'pergola/testing';
import migration from '../migrations/0001-refusal-reasons.ts';
import { Exclusion } from '../models/exclusion.ts';
import { BounceMailbox } from '../models/mailbox.ts';
import { MailRecipient } from '../models/recipient.ts';
import { makeList, makeMailing, sendAll } from './kit.ts';

someDatabase('Upgrading mailings to reasons of refusals', (database) => {
  it('lifts wrong exclusions, drops clear passwords, and marks held mails', async () => {
    await using app = await createTestApp({ addons: ['mass_mailing'], database });
    const mailing = await makeMailing(app, [await makeList(app, 'Held', ['ada@example.com'])]);
    await sendAll(app, mailing);
    const result = await app.write(async (ctx) => {
      const notes = {
        gone: '550 5.1.1 No such user',
        relay: 'Can’t send mail - all recipients were rejected: 550 5.7.1 Relaying denied',
        full: '550 5.2.2 Mailbox full',
        sender: '553 5.1.8 Domain of sender address does not exist',
        unclear: 'The mail came back.',
      };
      for (const [name, note] of Object.entries(notes))
        await ctx.model(Exclusion).exclude(`${name}@example.com`, 'bounce', note);
      await ctx.model(Exclusion).exclude('staff@example.com', 'staff', '550 5.2.2 Mailbox full');
      const box = await ctx.model(BounceMailbox).create({ name: 'Bounces', host: 'imap.example.com' });
      await ctx.db('mail_mass_mailing_mailbox').where({ id: box }).update({ password: 'secret' });
      await ctx
        .db('mail_blacklist')
        .where({ email: 'gone@example.com' })
        .update({ email: 'gone@xn--mnchen-3ya.example' });
      await ctx.db('mail_mail_statistics').where({ mass_mailing_id: mailing }).update({ state: 'sent' });
      const told: string[] = [];
      await migration.up({ db: ctx.db, note: (text: string) => told.push(text) } as never);
      return {
        told,
        excluded: (await ctx.db('mail_blacklist').orderBy('email').select('email')).map(({ email }) => email),
        password: (await ctx.db('mail_mass_mailing_mailbox').where({ id: box }).first('password')).password,
      };
    });
    expect(result).toEqual({
      told: [expect.stringMatching(/^3 addresses/)],
      excluded: ['gone@münchen.example', 'staff@example.com', 'unclear@example.com'],
      password: null,
    });
    const rows = await app.read((ctx) => ctx.model(MailRecipient).find([], { select: { state: true } }));
    expect(rows.map(({ state }) => state)).toEqual(['held']);
  });
});
