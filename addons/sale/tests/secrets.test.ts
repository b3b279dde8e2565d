import { mailServerSetting } from 'pergola/mail';
import { createTestApp, eachDatabase } from 'pergola/testing';
import { PaymentAcquirer } from '../models/payment-acquirer.ts';

const server = {
  host: 'mail.example.org',
  port: 465,
  security: 'tls',
  user: 'ada',
  password: 'TopSecretPw',
  from: '',
} as const;

eachDatabase('Passwords and keys', (database) => {
  it('are encrypted in the database, also those stored before they were', async () => {
    await using app = await createTestApp({ addons: ['sale'], database });
    const id = await app.write((ctx) => ctx.model(PaymentAcquirer).create({ name: 'Card', provider: 'transfer' }));
    await app.write(async (ctx) => {
      await ctx.db('payment_acquirer').where({ id }).update({ secret_key: 'PlainKey' });
      await ctx.settings.set(mailServerSetting, { ...server });
      await ctx
        .db('core_setting')
        .where({ name: 'core.mail_server' })
        .update({ value: JSON.stringify(server) });
    });
    const stored = () =>
      app.read(async (ctx) =>
        JSON.stringify([await ctx.db('payment_acquirer').select(), await ctx.db('core_setting').select()]),
      );
    const read = () =>
      app.read(async (ctx) => [
        (
          await ctx
            .sudo()
            .model(PaymentAcquirer)
            .get(id, { select: { secret_key: true } })
        ).secret_key,
        (await ctx.settings.get(mailServerSetting))?.password,
      ]);
    expect(await stored()).toContain('TopSecretPw');
    expect(await read()).toEqual(['PlainKey', 'TopSecretPw']);
    await app.application.lifecycle.disable(['sale'], { yes: true });
    for (let times = 0; times < 2; times += 1) {
      // Coming back does what an upgrade does; a second time changes nothing.
      await app.application.lifecycle.enable(['sale']);
      await app.runJobs();
      expect(await stored()).not.toMatch(/TopSecretPw|PlainKey/);
      expect(await read()).toEqual(['PlainKey', 'TopSecretPw']);
      await app.application.lifecycle.disable(['sale'], { yes: true });
    }
  });

  it('of a payment method are replaced when its provider changes', async () => {
    await using app = await createTestApp({ addons: ['sale'], database });
    const keys = await app.write(async (ctx) => {
      const methods = ctx.sudo().model(PaymentAcquirer);
      const id = await methods.create({ name: 'Card', provider: 'transfer' });
      const key = async () => (await methods.get(id, { select: { secret_key: true } })).secret_key;
      const first = await key();
      await methods.write(id, { provider: 'transfer', name: 'Cards' });
      const second = await key();
      await methods.write(id, { provider: 'test_card' });
      return [first === second, second === (await key())];
    });
    expect(keys).toEqual([true, false]);
  });
});
