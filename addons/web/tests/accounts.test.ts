import { Partner, User } from '@pergola/base';
import type { Ctx, Id } from 'pergola';
import { createTestApp, eachDatabase, someDatabase, type TestApp } from 'pergola/testing';
import { type LinkPurpose, makeToken } from '../links.ts';
import { WebUser } from '../models/res-users.ts';
import { signupSetting } from '../settings.ts';
import { linkIn, mails, makeUser, PASSWORD, signIn, uidOf } from './kit.ts';

const registration = { name: 'Ada', email: 'ada@example.com', password: PASSWORD, confirm: PASSWORD };
/** Token as in the email of a link, created at `at` if given. */
async function tokenFor(ctx: Ctx, purpose: LinkPurpose, id: Id, at?: Date): Promise<string> {
  const facts = await ctx.model(WebUser).linkOwner(id);
  if (!facts) throw new Error('There is no such user.');
  return makeToken(at ? Object.create(ctx, { now: { value: () => at } }) : ctx, purpose, facts);
}

const userOf = (app: TestApp, login: string) => app.read((ctx) => ctx.model(User).byLogin(login));

eachDatabase('Creating an account', (database, once) => {
  once('signs in a new customer at once, where they wanted to go, and confirms the address by a link', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const answer = await app.form('/web/signup', { ...registration, redirect: '/shop?a=1' });
    expect(answer).toMatchObject({ status: 303, location: '/shop?a=1' });
    const id = await uidOf(app);
    expect(id).toBeTruthy();
    const account = (await app.get('/web/account')).text;
    expect(account).toContain('Your email address isn’t confirmed yet.');
    expect(account).toContain('You sign in as <strong translate="no">ada@example.com</strong>');
    expect((await app.get('/my/account')).text).toContain('Your email address isn’t confirmed yet.');

    await app.runJobs();
    const [mail] = await mails(app);
    expect(mail).toMatchObject({ name: 'web.verify_email', email: 'ada@example.com' });
    const link = linkIn(mail?.html ?? '', '/web/verify_email/');
    const elsewhere = app.visitor();
    expect((await elsewhere.get(link)).text).toContain('Is ada@example.com your address?');
    expect((await elsewhere.form(link)).text).toContain('Thank you');
    // The link alone doesn't sign anyone in, and the new user stays signed in.
    expect(await uidOf(elsewhere)).toBeFalsy();
    expect(await uidOf(app)).toBe(id);
    expect((await app.get('/web/account')).text).toContain('Your email address is confirmed.');
    expect((await app.get('/my/account')).text).not.toContain('isn’t confirmed yet');
    expect((await userOf(app, 'ada@example.com'))?.id).toBe(id);
    const again = await app.get(link);
    expect([again.status, again.text]).toEqual([
      404,
      expect.stringContaining('This link has expired or was already used.'),
    ]);
  });

  once(
    'leads to one’s own account when nobody wanted to go anywhere, and opens by its password before the address is confirmed',
    async () => {
      await using app = await createTestApp({ addons: ['web'], database });
      expect(await app.form('/web/signup', registration)).toMatchObject({ status: 303, location: '/my/account' });
      const id = await uidOf(app);
      const later = app.visitor();
      expect((await signIn(later, 'ada@example.com', 'another password')).status).toBe(422);
      expect(await signIn(later, ' ADA@example.com', PASSWORD, '/shop')).toMatchObject({ location: '/shop' });
      expect(await uidOf(later)).toBe(id);
      // Both accounts have separate passwords; a forgotten one is reset through the account's own email.
      const changed = { old_password: PASSWORD, password: 'a new password', confirm: 'a new password' };
      expect(await later.form('/web/account/password', changed)).toMatchObject({ status: 303 });
      const tooLong = `${'a'.repeat(244)}@example.com`;
      expect((await app.visitor().form('/web/reset_password', { login: tooLong })).status).toBe(422);
      await app.visitor().form('/web/reset_password', { login: 'ada@example.com' });
      await app.runJobs();
      const reset = linkIn((await mails(app)).at(-1)?.html ?? '', '/web/reset_password/');
      const chosen = { password: 'another good one', confirm: 'another good one' };
      const visitor = app.visitor();
      expect((await visitor.get(reset)).text).toContain('For the account ada@example.com.');
      expect((await visitor.form(reset, chosen)).status).toBe(303);
      expect([await uidOf(visitor), await uidOf(later)]).toEqual([id, null]);
      expect((await userOf(app, 'ada@example.com'))?.id).toBe(id);
    },
  );

  once(
    'is the same to all appearance when the address has an account already, to whose owner alone the mail goes',
    async () => {
      await using app = await createTestApp({ addons: ['web', 'forum'], database });
      const owner = await makeUser(app, 'known@example.com');
      /** Everything a stranger sees after signing up with an address and looking around. */
      const tour = async (email: string) => {
        const stranger = app.visitor();
        const wanted = { ...registration, email, password: 'a stranger came', confirm: 'a stranger came' };
        const seen: (readonly [string, number, string | null, string, string])[] = [];
        const note = (what: string, { status, location, headers, text }: Awaited<ReturnType<typeof stranger.get>>) => {
          const plain = text
            .replaceAll(email.toLowerCase(), 'ADDRESS')
            .replace(/unconfirmed-\w+/g, 'SUFFIX')
            .replace(/<time[^>]*>[^<]*/g, '')
            .replace(/(value|nonce|token|content)="[^"]*"/g, '')
            .replace(/\d+/g, '0');
          seen.push([what, status, location, [...headers.keys()].sort().join(), plain]);
        };
        const get = async (path: string) => note(path, await stranger.get(path));
        note('signs up', await stranger.form('/web/signup', wanted));
        for (const path of ['/', '/my/account', '/web/account', '/forum', '/web/login']) await get(path);
        const id = Number(await uidOf(stranger));
        const info = await stranger.rpc<{ username: string }>('/web/session/get_session_info');
        expect(info.username).toBe(email.toLowerCase());
        const read = { model: 'res.users', method: 'read', args: [[id], ['login', 'name', 'email', 'email_verified']] };
        const [row] = await stranger.rpc<{ login: string }[]>('/web/dataset/call_kw', { ...read, kwargs: {} });
        seen.push([
          'reads',
          0,
          null,
          '',
          JSON.stringify({ ...row, id: 0 })
            .replaceAll(email.toLowerCase(), 'ADDRESS')
            .replace(/unconfirmed-\w+/, 'SUFFIX'),
        ]);
        note('asks again', await stranger.form('/web/account/verify'));
        await get('/web/account?done=mail');
        const asked = await stranger.rpc('/forum/send_validation_email', {});
        seen.push(['asks in the forum', 0, null, '', JSON.stringify(asked)]);
        await app.runJobs();
        const password = { old_password: 'wrong password', password: 'a new password', confirm: 'a new password' };
        note('changes the password', await stranger.form('/web/account/password', password));
        note('signs out', await stranger.form('/web/logout'));
        note('signs in', await signIn(stranger, email, wanted.password));
        expect(await uidOf(stranger)).toBe(id);
        note('is wrong', await signIn(app.visitor(), email, 'wrong password'));
        note('signs up again', await app.visitor().form('/web/signup', wanted));
        return { id, seen };
      };
      const known = await tour('KNOWN@example.com');
      const fresh = await tour('fresh@example.com');
      expect(known.seen).toEqual(fresh.seen);
      await app.runJobs();
      const sent = (await mails(app)).map(({ name, email }) => `${name} to ${email}`);
      expect(sent.filter((one) => one.includes('known@')).every((one) => one.startsWith('web.known_account'))).toBe(
        true,
      );
      expect(sent.filter((one) => one.startsWith('web.verify_email to fresh@')).length).toBeGreaterThan(0);

      // The owner's account is unchanged, and their password and email still work.
      expect((await userOf(app, 'known@example.com'))?.id).toBe(owner);
      expect((await mails(app)).every(({ html }) => !html.includes(`/web/verify_email/${known.id}.`))).toBe(true);
      const mine = app.visitor();
      await app.visitor().form('/web/reset_password', { login: 'known@example.com' });
      await app.runJobs();
      const reset = linkIn((await mails(app)).at(-1)?.html ?? '', '/web/reset_password/');
      expect((await mine.form(reset, { password: 'mine alone now', confirm: 'mine alone now' })).status).toBe(303);
      expect(await uidOf(mine)).toBe(owner);
      // No kind of link confirms the address for anyone else, regardless of how it was created.
      for (const purpose of ['verify', 'reset', 'invite'] as const) {
        const token = await app.read((ctx) => tokenFor(ctx, purpose, known.id));
        const path = purpose === 'verify' ? 'verify_email' : 'reset_password';
        expect((await app.visitor().get(`/web/${path}/${token}`)).status).toBe(404);
      }
      await expect(app.write((ctx) => ctx.model(WebUser).verifyEmail([known.id]))).rejects.toThrow();
    },
  );

  it('of two who sign up with one address belongs to whoever confirms it first, and the other one changes it', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const [eve, ada] = [app.visitor(), app.visitor()];
    await Promise.all([
      eve.form('/web/signup', { ...registration, password: 'eve was here too', confirm: 'eve was here too' }),
      ada.form('/web/signup', registration),
    ]);
    const [eveId, adaId] = [Number(await uidOf(eve)), Number(await uidOf(ada))];
    expect(eveId === adaId || eveId === 0 || adaId === 0).toBe(false);
    await app.runJobs();
    const links = (await mails(app)).map(({ html }) => linkIn(html, '/web/verify_email/'));
    expect(links).toHaveLength(2);
    const linkOf = (id: number) => links.find((link) => link.includes(`/${id}.`)) ?? '';
    expect((await app.form(linkOf(adaId))).text).toContain('Thank you');
    expect((await app.form(linkOf(eveId))).status).toBe(404);
    expect((await eve.get('/web/account')).text).toContain('isn’t confirmed yet');
    expect((await userOf(app, 'ada@example.com'))?.id).toBe(adaId);

    await eve.form('/web/account/email', { email: 'eve@example.com', current_password: 'eve was here too' });
    const change = linkIn(
      (await mails(app)).find(({ email }) => email === 'eve@example.com')?.html ?? '',
      '/web/verify_email/',
    );
    expect((await app.form(change)).text).toContain('eve@example.com is confirmed');
    expect((await userOf(app, 'eve@example.com'))?.id).toBe(eveId);
    // Changing to an address that is already in use doesn't work either.
    const max = app.visitor();
    await max.form('/web/signup', { ...registration, email: 'max@example.com' });
    await max.form('/web/account/email', { email: 'ada@example.com', current_password: PASSWORD });
    expect((await mails(app)).filter(({ email }) => email === 'ada@example.com').at(-1)?.name).toBe(
      'web.known_account',
    );
  });

  once('keeps its login when whoever manages users has given one', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await app.form('/web/signup', registration);
    const id = Number(await uidOf(app));
    const login = await app.read(async (ctx) => (await ctx.model(User).get(id, { select: { login: true } })).login);
    expect(login).toMatch(/^ada@example\.com\/unconfirmed-[0-9a-f]{12}$/);
    await app.write((ctx) => ctx.model(User).write(id, { login: 'ada' }));
    await app.write((ctx) => ctx.model(User).verifyEmail([id]));
    expect((await userOf(app, 'ada'))?.id).toBe(id);
  });

  once.each([
    [{ name: ' ' }, 'Fill in this field.'],
    [{ email: 'ada@@example' }, 'Enter a valid email address.'],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'Enter a valid email address.'],
    [{ password: 'short', confirm: 'short' }, 'Use 8 to 256 characters for the password.'],
    [{ confirm: 'another password' }, 'The passwords don’t match.'],
    [{ password: 'Password1', confirm: 'Password1' }, 'too common'],
    [{ password: 'ADA@example.com', confirm: 'ADA@example.com' }, 'without your login'],
    [{ name: 'Ada Lovelace', password: 'adalovelace', confirm: 'adalovelace' }, 'without your login'],
    [{ password: 'pergola8', confirm: 'pergola8' }, 'the name of the site or company'],
    [{ password: 'My C0mpany!', confirm: 'My C0mpany!' }, 'the name of the site or company'],
    [{ password: 'aaaaaaaaaaaa', confirm: 'aaaaaaaaaaaa' }, 'repeated or consecutive characters'],
  ])('says beside the field what does not fit: %j', async (wrong, text) => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { status, text: page } = await app.form('/web/signup', { ...registration, ...wrong });
    expect(status).toBe(422);
    expect(page).toContain(text);
    expect(page).toContain('is-invalid');
    expect(page).not.toContain(PASSWORD);
  });

  once('takes no rights from the form', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await app.form('/web/signup', {
      ...registration,
      group_ids: '3',
      active: 'true',
      email_verified: 'true',
      login: 'root',
    });
    const user = await app.read(async (ctx) => {
      const found = await ctx.model(User).byWantedLogin('ada@example.com');
      return ctx.model(User).get(found?.id ?? 0, { select: { group_ids: { code: true }, email_verified: true } });
    });
    expect(user.group_ids.map(({ code }) => code)).toEqual(['base.group_portal']);
    expect(user.email_verified).toBe(false);
    expect(await userOf(app, 'root')).toBeNull();
  });

  once('is not there where accounts are by invitation', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await app.write((ctx) => ctx.settings.set(signupSetting, 'invitation'));
    expect((await app.get('/web/signup')).status).toBe(404);
    expect((await app.form('/web/signup', registration)).status).toBe(404);
    expect((await app.get('/web/login')).text).not.toContain('/web/signup');
    expect(await app.read((ctx) => ctx.model(User).byWantedLogin('ada@example.com'))).toBeNull();
  });

  once('stops after so many from one address', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const statuses = new Set<number>();
    for (let number = 0; number < 22; number++) {
      statuses.add((await app.form('/web/signup', { ...registration, confirm: '' })).status);
    }
    expect([...statuses]).toEqual([422, 429]);
  });
});

someDatabase('A forgotten password', (database) => {
  it('is replaced by a link that works once, signs in here and out everywhere else', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'ada', { lang: 'fr_FR', verified: false });
    const elsewhere = app.visitor();
    await signIn(elsewhere, 'ada');
    expect(await app.form('/web/reset_password', { login: ' ADA ' })).toMatchObject({
      status: 303,
      location: '/web/reset_password?sent=1',
    });
    await app.runJobs();
    const [mail] = await mails(app);
    expect(mail).toMatchObject({ name: 'web.reset_password', email: 'ada@example.com' });
    const link = linkIn(mail?.html ?? '', '/web/reset_password/');
    const page = await app.get(link);
    expect(page.text).toContain('For the account ada.');
    expect(page.headers.get('cache-control')).toContain('no-');

    const wrong = await app.form(link, { password: 'a new password', confirm: 'another' });
    expect(wrong.text).toContain('The passwords don’t match.');
    const right = { password: 'a new password', confirm: 'a new password' };
    const done = await app.form(link, right);
    expect(done).toMatchObject({ status: 303, location: '/web/account?done=password' });
    expect((await app.get(done.location ?? '')).text).toContain('Votre mot de passe a été modifié.');
    expect(await uidOf(app)).toBe(id);
    expect(await uidOf(elsewhere)).toBeNull();
    expect((await signIn(app.visitor(), 'ada', PASSWORD)).status).toBe(422);
    expect((await signIn(app.visitor(), 'ada', 'a new password')).status).toBe(303);
    // A used link explains itself on the page that offers a new one.
    for (const used of [await app.visitor().get(link), await app.visitor().form(link, right)]) {
      expect([used.status, used.text]).toEqual([404, expect.stringContaining('action="/web/reset_password"')]);
      expect(used.text).toContain('This link has expired or was already used.');
    }
  });

  it('gets the same answer for logins nobody has, and no mail', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada');
    const [known, unknown] = [app.visitor(), app.visitor()];
    const answers = [
      await known.form('/web/reset_password', { login: 'ada' }),
      await unknown.form('/web/reset_password', { login: 'nobody' }),
    ];
    expect(answers.map(({ status, location, text }) => [status, location, text])).toEqual([
      [303, '/web/reset_password?sent=1', ''],
      [303, '/web/reset_password?sent=1', ''],
    ]);
    await app.runJobs();
    expect((await mails(app)).map(({ email }) => email)).toEqual(['ada@example.com']);
  });

  it('is also found by a confirmed address that only one account has', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada');
    await makeUser(app, 'bob', { verified: false });
    for (const login of ['ADA@example.com', 'bob@example.com', '%@example.com']) {
      await app.form('/web/reset_password', { login });
    }
    await app.runJobs();
    expect((await mails(app)).map(({ email }) => email)).toEqual(['ada@example.com']);
  });

  it('has a link that ends after an hour, with a change of address, and when anything in it is altered', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'ada');
    const token = await app.read((ctx) => tokenFor(ctx, 'reset', id));
    const status = async (given: string) => (await app.visitor().get(`/web/reset_password/${given}`)).status;
    expect(await status(token)).toBe(200);
    const verify = await app.read((ctx) => tokenFor(ctx, 'verify', id));
    expect(await status(verify)).toBe(404);
    const altered = [...Array(token.length).keys()]
      .filter((at) => at % 7 === 0)
      .map((at) => {
        const letter = token[at] === 'a' ? 'b' : 'a';
        return token.slice(0, at) + letter + token.slice(at + 1);
      });
    for (const one of [
      ...altered,
      `${token}a`,
      '',
      '1.reset.99999999999.',
      `${id}.reset.9999999999.${'a'.repeat(43)}`,
    ]) {
      expect(await status(encodeURIComponent(one) || 'x')).toBe(404);
    }
    const late = await app.read((ctx) => {
      const before = new Date(ctx.now().getTime() - 3_601_000);
      return tokenFor(ctx, 'reset', id, before);
    });
    expect(await status(late)).toBe(404);
    await app.write(async (ctx) => {
      const { partner_id } = await ctx.model(User).get(id, { select: { partner_id: true } });
      await ctx.model(Partner).write(partner_id, { email: 'other@example.com' });
    });
    expect(await status(token)).toBe(404);
  });

  it('sends at most five links an hour to one account, and says so to nobody', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada');
    const statuses: number[] = [];
    for (let number = 0; number < 7; number++) {
      statuses.push((await app.form('/web/reset_password', { login: number % 2 ? 'ada' : 'nobody' })).status);
      await app.runJobs();
    }
    expect(statuses).toEqual([303, 303, 303, 303, 303, 303, 303]);
    expect((await mails(app)).length).toBeLessThanOrEqual(5);
  });
});

someDatabase('An invitation', (database) => {
  it('is sent by whoever manages users, and lets its receiver choose a password', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'ada', { password: null, verified: false });
    await makeUser(app, 'employee', { groups: ['base.group_user'] });
    const call = { model: 'res.users', method: 'action_reset_password', args: [[id]], kwargs: {} };
    const employee = await app.as('employee');
    await expect(employee.rpc('/web/dataset/call_kw', call)).rejects.toMatchObject({ code: 200 });
    // Users with fewer rights than the recipient can't either.
    await makeUser(app, 'clerk', { groups: ['base.group_erp_manager'] });
    const root = await makeUser(app, 'root', { groups: ['base.group_system'] });
    const clerk = await app.as('clerk');
    await expect(clerk.rpc('/web/dataset/call_kw', { ...call, args: [[id, root]] })).rejects.toThrow('Settings');
    expect(await mails(app)).toEqual([]);
    const admin = await app.as('admin');
    expect(await admin.rpc('/web/dataset/call_kw', call)).toBe(true);
    const [mail] = await mails(app);
    expect(mail?.name).toBe('web.invitation');
    const link = linkIn(mail?.html ?? '', '/web/reset_password/');
    await app.form(link, { password: PASSWORD, confirm: PASSWORD });
    expect(await uidOf(app)).toBe(id);
    expect((await app.get('/web/account')).text).toContain('Your email address is confirmed.');
    // A colleague of whom only the address is known: their contact is created, and the link works.
    const call_kw = (method: string, args: unknown[]) =>
      admin.rpc('/web/dataset/call_kw', { model: 'res.users', method, args, kwargs: {} });
    const lea = Number(await call_kw('create', [{ login: 'lea@example.org' }]));
    expect(await call_kw('read', [[lea], ['name', 'email']])).toMatchObject([
      { name: 'lea@example.org', email: 'lea@example.org' },
    ]);
    await call_kw('action_reset_password', [[lea]]);
    expect((await mails(app)).at(-1)?.email).toBe('lea@example.org');
    const nobody = Number(await call_kw('create', [{ login: 'nobody', name: 'No Body' }]));
    await expect(call_kw('action_reset_password', [[nobody]])).rejects.toThrow(/without an email address.*nobody/);
  });
});

eachDatabase('The account page', (database, once) => {
  const profile = { name: 'Ada Lovelace', lang: 'fr_FR', tz: 'Europe/Paris' };

  once('changes name, language and zone of oneself and of nobody else', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada');
    const other = await makeUser(app, 'bob');
    const ada = await app.as('ada');
    const answer = await ada.form('/web/account', {
      ...profile,
      id: other,
      partner_id: 1,
      login: 'root',
      group_ids: '1',
    });
    expect(answer).toMatchObject({ status: 303, location: '/web/account?done=saved' });
    const page = await ada.get('/web/account');
    expect(page.text).toContain('<html lang="fr-FR"');
    expect(page.text).toContain('value="Ada Lovelace"');
    expect(page.text).toMatch(/<option value="Europe\/Paris" selected/);
    const bob = await app.read((ctx) =>
      ctx.model(User).get(other, { select: { name: true, login: true, lang: true } }),
    );
    expect(bob).toMatchObject({ name: 'Name of bob', login: 'bob', lang: null });
    expect((await userOf(app, 'ada'))?.id).toBeDefined();
  });

  once.each([
    [{ name: '' }, 'name'],
    [{ tz: 'Mars/Olympus' }, 'tz'],
  ])('says beside the field what does not fit: %j', async (wrong, field) => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada');
    const ada = await app.as('ada');
    const { status, text } = await ada.form('/web/account', { ...profile, ...wrong });
    expect(status).toBe(422);
    expect(text).toMatch(new RegExp(`is-invalid" id="${field}"`));
  });

  once('keeps a picture encoded anew, refuses what is none, and takes it away again', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada');
    const ada = await app.as('ada');
    const { default: sharp } = await import('sharp');
    const png = await sharp({ create: { width: 1400, height: 700, channels: 3, background: '#1f6b4a' } })
      .png()
      .toBuffer();
    const fields = { ...profile, lang: '' };
    const script = new Blob(['<svg onload="alert(1)"/>'], { type: 'image/png' });
    const refused = await ada.form('/web/account', { ...fields, picture: script });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Only image files can be uploaded');
    expect((await ada.form('/web/account', { ...fields, picture: new Blob([new Uint8Array(png)]) })).status).toBe(303);
    const { text } = await ada.get('/web/account');
    const src = /<img src="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const picture = await ada.get(src);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(picture.headers.get('cache-control')).toBe('private, max-age=31536000');
    const photo = new Blob([new Uint8Array(png), new Uint8Array(6 * 1024 * 1024)]);
    expect((await ada.form('/web/account', { ...fields, picture: photo })).status).toBe(303);
    await ada.form('/web/account', { ...fields, remove_picture: 'true' });
    expect((await ada.get('/web/account')).text).not.toContain('<img src');
  });

  once('changes the password only for who knows the old one, and ends the other sessions', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'ada');
    const [here, there] = [app.visitor(), app.visitor()];
    await signIn(here, 'ada');
    await signIn(there, 'ada');
    const before = here.cookie('session_id');
    const change = (old: string, password: string, confirm = password) =>
      here.form('/web/account/password', { old_password: old, password, confirm });
    expect((await change('wrong', 'a new password')).text).toContain('Your current password is incorrect.');
    expect((await change(PASSWORD, 'short')).text).toContain('Use 8 to 256 characters for the password.');
    expect((await change(PASSWORD, 'a new password', 'other')).text).toContain('The passwords don’t match.');
    expect(await change(PASSWORD, 'a new password')).toMatchObject({
      status: 303,
      location: '/web/account?done=password',
    });
    expect(await uidOf(here)).toBe(id);
    expect(here.cookie('session_id')).not.toBe(before);
    expect(await uidOf(there)).toBeNull();
    expect((await mails(app)).map(({ name }) => name)).toEqual(['web.password_changed']);
  });

  it('lists where one is signed in, ends one of them, or all others, and never those of somebody else', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada');
    await makeUser(app, 'bob');
    const [here, one, two, bob] = [app.visitor(), app.visitor(), app.visitor(), app.visitor()];
    for (const client of [here, one, two]) await signIn(client, 'ada');
    await signIn(bob, 'bob');
    const numbers = async (client: typeof here) =>
      [...(await client.get('/web/account')).text.matchAll(/name="number" value="(\d+)"/g)].map(([, number]) =>
        Number(number),
      );
    expect(await numbers(here)).toHaveLength(3);
    const [bobs = 0] = await numbers(bob);
    await here.form('/web/account/sessions', { number: bobs });
    expect(await uidOf(bob)).not.toBeNull();
    const ones = (await numbers(one))[0] ?? 0;
    expect(ones).toBeGreaterThan(0);
    await here.form('/web/account/sessions');
    expect([await uidOf(one), await uidOf(two)]).toEqual([null, null]);
    expect(await numbers(here)).toHaveLength(1);
    await signIn(one, 'ada');
    const [current, other] = await numbers(one);
    const theirs = (await numbers(here)).find((number) => number !== current && number !== other);
    expect(theirs).toBeUndefined();
    const last = await here.form('/web/account/sessions', { number: (await numbers(here)).at(-1) ?? 0 });
    expect(last.status).toBe(303);
    expect([await uidOf(here), await uidOf(one)].filter((uid) => uid === null)).toHaveLength(1);
    const many = await Promise.all(Array.from({ length: 22 }, () => app.as('ada')));
    expect(await numbers(many[0] ?? here)).toHaveLength(20);
    expect((await many[0]?.get('/web/account'))?.text).toMatch(/And [34] more devices, active earlier\./);
  });
});
