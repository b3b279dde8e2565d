import { Partner, User } from '@pergola/base';
import { signText } from 'pergola';
import { createTestApp, type Mailbox, openMailbox, someDatabase, type TestApp } from 'pergola/testing';
import { makePage } from '../../snippets/tests/kit.ts';
import { WebsiteForm } from '../models/form.ts';
import { WebsiteFormField } from '../models/form-field.ts';
import { WebsiteFormSubmission } from '../models/form-submission.ts';

someDatabase('forms that editors make', (database) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let form: number;
  let fields: Readonly<Record<string, string>>;
  beforeAll(async () => {
    mailbox = await openMailbox();
    const env = { SMTP_URL: mailbox.url, TRUSTED_PROXIES: 'loopback' };
    app = await createTestApp({ addons: ['website'], database, env, demo: true });
    [form, fields] = await app.write(async (ctx) => {
      const id = await ctx
        .model(WebsiteForm)
        .create({ name: 'Join', mail_to: 'club@example.org', target: 'contact', thanks: 'See you soon.' });
      const ask = async (name: string, values: object): Promise<[string, string]> => [
        name,
        `field_${await ctx.model(WebsiteFormField).create({ form_id: id, name, ...values })}`,
      ];
      const questions = [
        await ask('Name', { role: 'name', required: true }),
        await ask('E-mail', { type: 'email', role: 'email', required: true }),
        await ask('Age', { type: 'number' }),
        await ask('Day', { type: 'choice', choices: 'Monday\nFriday' }),
        await ask('Tools', { type: 'several', choices: 'Saw\nHammer' }),
        await ask('Rules', { type: 'consent', required: true }),
      ];
      return [id, Object.fromEntries(questions)] as const;
    });
    await makePage(
      app,
      '/join',
      `<h2>Join us</h2><div data-block="website.form" data-options='{"form":${form}}'></div>`,
    );
  });
  beforeEach(() => mailbox.clear());
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  const stamp = (): string => {
    const shownAt = String(Date.now() - 10_000);
    return `${shownAt}.${signText(app.config.sessionSecret, 'website.contact', shownAt)}`;
  };
  const good = { Name: 'Ada', 'E-mail': 'ada@example.org', Age: '36', Day: 'Friday', Rules: '1' };
  let visitors = 0;
  const send = (answers: Readonly<Record<string, string | readonly string[]>>, more: Record<string, string> = {}) => {
    const body = new URLSearchParams({ stamp: stamp(), ...more });
    for (const [name, value] of Object.entries(answers))
      for (const item of [value].flat()) body.append(fields[name] ?? name, item);
    return app.visitor().post(`/website/form/${form}`, {
      body,
      headers: { Origin: app.url, Referer: `${app.url}/join`, 'X-Forwarded-For': `203.0.113.${++visitors}` },
    });
  };
  const submissions = () =>
    app.read((ctx) =>
      ctx.model(WebsiteFormSubmission).find([['form_id', '=', form]], {
        select: { name: true, email: true, answers: true, page: true, target_id: true },
      }),
    );

  it('stand on a page with their questions, and on one of their own', async () => {
    for (const path of ['/join', `/website/form/${form}`]) {
      const { text } = await app.get(path);
      expect(text).toMatch(new RegExp(`name="${fields.Tools}"\\s+value="Hammer"`));
      expect(text).not.toContain('club@example.org');
    }
  });

  it('keep what was sent, mail it, and make a contact', async () => {
    expect(await send({ ...good, Tools: ['Saw', 'Hammer'] })).toMatchObject({
      status: 303,
      location: `/website/form/${form}/sent`,
    });
    expect((await app.get(`/website/form/${form}/sent`)).text).toContain('See you soon.');
    const [row] = await submissions();
    expect(row).toMatchObject({ name: 'Ada', email: 'ada@example.org', page: '/join' });
    expect(row?.answers).toBe(
      'Name: Ada\nE-mail: ada@example.org\nAge: 36\nDay: Friday\nTools: Saw\nHammer\nRules: Yes',
    );
    const contact = await app.read((ctx) => ctx.model(Partner).get(row?.target_id ?? 0, { select: { email: true } }));
    expect(contact.email).toBe('ada@example.org');
    await app.runJobs();
    const [mail] = await mailbox.received();
    expect(mail).toMatchObject({ envelopeTo: ['club@example.org'], subject: 'Join: response from Ada' });
    expect(mail?.replyTo).toEqual([{ name: 'Ada', address: 'ada@example.org' }]);
  });

  it('belong to the contact with the address, not to an account that only says the address is its own', async () => {
    const email = 'shared@example.org';
    const answers = [{ field: 1, question: 'E-mail', answer: email, role: 'email' }];
    const target = () => app.write((ctx) => ctx.model(WebsiteForm).makeTarget('contact', answers));
    const stranger = await app.write(async (ctx) => {
      const partner_id = await ctx.model(Partner).create({ name: 'A stranger', email });
      await ctx.model(User).create({ login: 'a-stranger', partner_id });
      return partner_id;
    });
    const createdRecord = await target();
    expect(createdRecord?.id).not.toBe(stranger);
    expect((await target())?.id).toBe(createdRecord?.id);
  });

  it.each([
    ['no name', { Name: ' ' }, 'Fill in this field.'],
    ['no address', { 'E-mail': 'ada' }, 'Enter a valid email address.'],
    ['no number', { Age: 'old' }, 'Enter a number.'],
    ['a choice of their own', { Day: 'Sunday' }, 'Choose one of the options.'],
    ['another tool', { Tools: ['Saw', 'Laser'] }, 'Choose one of the options.'],
    ['no consent', { Rules: '' }, 'Tick this box to continue.'],
  ])('refuse %s by the questions as they are kept, and keep what was typed', async (_what, change, message) => {
    const previousCount = (await submissions()).length;
    const { status, text } = await send({ ...good, ...change });
    expect([status, text.includes(message), text.includes('Join us')]).toEqual([422, true, true]);
    if (!('E-mail' in change)) expect(text).toContain('value="ada@example.org"');
    expect(await submissions()).toHaveLength(previousCount);
  });

  it('take no question that is not theirs, and nothing from programs', async () => {
    const previousCount = (await submissions()).length;
    expect((await send({ ...good, homepage: 'https://spam.example' })).status).toBe(303);
    expect((await send(good, { stamp: '1.x' })).status).toBe(422);
    expect(await submissions()).toHaveLength(previousCount);
    await send({ ...good, field_999999: 'laser', evil: 'laser' });
    expect((await submissions()).at(0)?.answers).not.toContain('laser');
  });

  it('are closed to everybody once they are', async () => {
    await app.write((ctx) => ctx.model(WebsiteForm).write(form, { active: false }));
    expect((await send(good)).status).toBe(404);
    expect((await app.get('/join')).text).toContain('This form is closed.');
    await app.write((ctx) => ctx.model(WebsiteForm).write(form, { active: true }));
  });

  it('show what was sent to those who may read it, and to nobody else', async () => {
    await send({ ...good, Tools: ['Saw', 'Hammer'] });
    const path = `/website/form/${form}/answers.csv`;
    const { text, status } = await (await app.as('admin')).get(path);
    expect([status, text.split('\r\n')[0]]).toEqual([200, 'Sent,Page,Name,E-mail,Age,Day,Tools,Rules']);
    expect(text).toContain(',/join,Ada,ada@example.org,36,Friday,"Saw\nHammer",Yes');
    expect((await app.visitor().get(path)).status).not.toBe(200);
    await expect(
      app.visitor().rpc('/web/dataset/call_kw/website.form.submission/search_read', {
        model: 'website.form.submission',
        method: 'search_read',
        args: [],
        kwargs: { domain: [], fields: ['answers'] },
      }),
    ).rejects.toThrow();
  });
});
