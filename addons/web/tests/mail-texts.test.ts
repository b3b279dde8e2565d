import { AuditEntry } from '@pergola/base';
import { type Client, createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { resetMail } from '../mails.ts';
import { makeUser } from './kit.ts';

someDatabase('Words of mails', (database) => {
  let app: TestApp;
  let admin: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'employee', { groups: ['base.group_user'] });
    admin = await app.as('admin');
  });
  afterAll(() => app.close());

  const name = 'web.reset_password';
  type Text = { subject: string; body: string; isEdited: boolean; isOutdated: boolean; values: string[] };
  type Preview = { subject: string; html: string; faults: { field: string; line: number; text: string }[] };
  const one = (lang = 'en_US') => admin.rpc<Text>('/web/backend/mail-texts/one', { name, lang });
  const preview = (body: string, subject = 'S') =>
    admin.rpc<Preview>('/web/backend/mail-texts/preview', { name, lang: 'en_US', subject, body });
  const change = (body: string, subject = 'New words', lang = 'en_US') =>
    admin.rpc('/web/backend/mail-texts/change', { name, lang, subject, body });
  const sent = async (lang: string) => {
    const to = `${lang}-${Math.random().toString(36).slice(2)}@example.org`;
    await app.write((ctx) =>
      ctx.mail.send(resetMail, { to: { email: to, lang }, values: { name: '<Ada>', path: '/x' } }),
    );
    const { mails } = await admin.rpc<{ mails: { id: number }[] }>('/web/backend/outbox', { search: to });
    return admin.rpc<{ subject: string; html: string }>('/web/backend/outbox/mail', { id: mails[0]?.id ?? 0 });
  };

  it('shows the shipped words of each language without the frame of all mails', async () => {
    const shipped = await one();
    expect(shipped).toMatchObject({ isEdited: false, isOutdated: false, subject: 'Choose a new password' });
    expect(shipped.body).toContain('{{greeting name}}');
    expect(shipped.body).not.toContain('web.mail_layout');
    expect(shipped.values).toEqual(['name', 'path']);
    expect((await one('fr_FR')).body).toContain('{{greeting name}}');
    expect((await one('fr_FR')).subject).not.toBe(shipped.subject);
  });

  it('sends the words of the language that were edited, and the shipped ones again after a reset', async () => {
    await change('<p>Dear {{name}}: {{> web.mail_button path=path label="Go"}}</p>', 'For {name}');
    const mail = await sent('en_US');
    expect(mail?.subject).toBe('For <Ada>');
    expect(mail?.html).toContain('Dear &lt;Ada&gt;');
    expect(mail?.html).toContain('data-slot="mail-footer"');
    expect((await sent('fr_FR'))?.html).not.toContain('Dear');
    expect(await one()).toMatchObject({ isEdited: true, isOutdated: false });
    const audit = await app.read((ctx) =>
      ctx.model(AuditEntry).count([['field', '=', 'web.reset_password.words.en_US']]),
    );
    expect(audit).toBe(1);
    await admin.rpc('/web/backend/mail-texts/reset', { name, lang: 'en_US' });
    expect((await sent('en_US'))?.html).not.toContain('Dear');
  });

  it('refuses what the mail does not know, with its place and the nearest name, and keeps nothing of it', async () => {
    const texts = async (body: string, subject?: string) =>
      (await preview(body, subject)).faults.map(({ text }) => text);
    expect(await texts('<p>\n  {{nam}}</p>')).toEqual(['Line 2, column 5: Unknown name “nam”. Did you mean “name”?']);
    expect(await texts('<p>{{name}}</p>', '{nme}')).toEqual(['Unknown name “nme”. Did you mean “name”?']);
    expect((await texts('<p>{{#if name}}</p>'))[0]).toMatch(/Line 1/);
    expect(await texts('<p>{{plural name "{n} seat" "{n} seats"}}</p>')).toEqual([
      expect.stringContaining('{{plural}}: "Administrator" is not a number'),
    ]);
    for (const evil of [
      '{{{name}}}',
      '{{lookup this "constructor"}}',
      '{{constructor}}',
      '{{@root.name}}',
      '{{attribute "website.name"}}',
      '{{island "web.Backend"}}',
      '{{> web.account}}',
      '{{> (lookup . "x")}}',
      '{{#*inline "mail_footer"}}x{{/inline}}',
      '{{html name}}',
      '<script>1</script>',
      '<img src="x" onerror="x()">',
      '<a href="{{name}}">x</a>',
    ]) {
      expect([evil, (await texts(evil)).length > 0]).toEqual([evil, true]);
      await expect(change(evil)).rejects.toThrow();
    }
    expect(await one()).toMatchObject({ isEdited: false });
  });

  it('shows the words with values of whoever looks', async () => {
    const { html, subject, faults } = await preview('<p>Dear {{name}}</p>', 'For {name}');
    expect(faults).toEqual([]);
    expect(subject).toMatch(/^For .+/);
    expect(html).toContain('Dear ');
  });

  it('is for administrators', async () => {
    const employee = await app.as('employee');
    await expect(employee.rpc('/web/backend/mail-texts', {})).rejects.toThrow();
    await expect(employee.rpc('/web/backend/mail-texts/reset', { name, lang: 'en_US' })).rejects.toThrow();
  });

  it('lists every mail, with what is edited', async () => {
    await change('<p>Other {{name}}</p>', 'Other', 'fr_FR');
    const list = await admin.rpc<{ name: string; edited: string[]; outdated: string[] }[]>(
      '/web/backend/mail-texts',
      {},
    );
    expect(list.find((mail) => mail.name === name)).toMatchObject({ edited: ['fr_FR'], outdated: [] });
  });
});
