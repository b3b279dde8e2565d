import { jest } from '@jest/globals';
import { Attachment, Partner, Passwords, User } from '@pergola/base';
import { models } from 'pergola/orm';
import { CallError, createTestApp, eachDatabase, someDatabase } from 'pergola/testing';
import { makeUser, PASSWORD, uidOf } from './kit.ts';

const call = (model: string, method: string, args: unknown[] = [], kwargs: object = {}) => ({
  model,
  method,
  args,
  kwargs,
});

eachDatabase('Calls of models', (database, once) => {
  it('find and sort the records of every model by name', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const admin = await app.as('admin');
    const named = await app.read(async (ctx) =>
      [...ctx.get(models).models.values()].flatMap(({ name, nameField }) =>
        nameField?.stored ? [{ name, nameField }] : [],
      ),
    );
    expect(named.length).toBeGreaterThan(10);
    const faults: string[] = [];
    for (const { name, nameField } of named) {
      const order = nameField.name;
      for (const request of [call(name, 'name_search', [], { name: 'e' }), call(name, 'search', [[]], { order })]) {
        const error: unknown = await admin.rpc('/web/dataset/call_kw', request).catch((refusal: unknown) => refusal);
        // Only unexpected errors have a reference.
        if (error instanceof CallError && error.data.reference) faults.push(`${name} ${request.method}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('answer as Odoo does: search_read, read, create, write, unlink, fields_get, name_search, default_get, read_group', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const admin = await app.as('admin');
    const kw = (...given: Parameters<typeof call>) => admin.rpc('/web/dataset/call_kw', call(...given));
    const id = await kw('res.partner', 'create', [{ name: 'Ada', email: 'ada@example.com' }]);
    expect(id).toEqual(expect.any(Number));
    expect(
      await kw('res.partner', 'search_read', [[['name', '=', 'Ada']], ['name', 'country_id', 'email', 'phone']]),
    ).toEqual([{ id, name: 'Ada', country_id: false, email: 'ada@example.com', phone: false }]);
    expect(await kw('res.partner', 'read', [[id], ['display_name', 'name']])).toEqual([
      { id, display_name: 'Ada', name: 'Ada' },
    ]);
    expect(await kw('res.partner', 'write', [[id], { city: 'London' }])).toBe(true);
    expect(await kw('res.partner', 'read', [[id], ['city']])).toEqual([{ id, city: 'London' }]);
    expect(await kw('res.partner', 'search_count', [[['city', '=', 'London']]])).toBe(1);
    expect(await kw('res.partner', 'name_search', [], { name: 'ada' })).toEqual([[id, 'Ada']]);
    expect(await kw('res.partner', 'default_get', [['type']])).toEqual({ type: 'contact' });
    expect(await kw('res.partner', 'fields_get', [['name']])).toMatchObject({ name: { type: 'char', required: true } });
    expect(await kw('res.partner', 'read_group', [[['id', '=', id]], ['city'], ['city']])).toMatchObject([
      { city: 'London' },
    ]);
    expect(await kw('res.partner', 'unlink', [[id]])).toBe(true);
    expect(await kw('res.partner', 'search', [[['id', '=', id]]])).toEqual([]);
  });

  once('take the context beside the arguments or among them, and whatever stands behind call_kw/', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const admin = await app.as('admin');
    const read = (params: object) => admin.rpc('/web/dataset/call_kw/res.country/search_read', params);
    const ask = call('res.country', 'search_read', [[['code', '=', 'DE']], ['name']]);
    expect(await read(ask)).toMatchObject([{ name: 'Germany' }]);
    expect(await read({ ...ask, context: { lang: 'fr_FR' } })).toMatchObject([{ name: 'Allemagne' }]);
    expect(await read({ ...ask, kwargs: { context: { lang: 'fr_FR', su: true, uid: 1 } } })).toMatchObject([
      { name: 'Allemagne' },
    ]);
  });

  once('take pictures of up to 12 MB, and no more', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const admin = await app.as('admin');
    const { default: sharp } = await import('sharp');
    const png = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#1f6b4a' } })
      .png()
      .toBuffer();
    const values = { name: 'Ada', image: png.toString('base64') };
    const id = await admin.rpc<number>('/web/dataset/call_kw', call('res.partner', 'create', [values]));
    const file = await app.read(async (ctx) => (await ctx.model(Partner).get(id, { select: { image: true } })).image);
    expect(file).toMatchObject({ mimetype: 'image/png', width: 800, height: 400 });
    const noise = { name: 'x'.repeat(2 * 1024 * 1024) };
    await expect(admin.rpc('/web/dataset/call_kw', call('res.partner', 'create', [noise]))).rejects.toMatchObject({
      code: 200,
    });
    const body = JSON.stringify({ params: call('res.partner', 'create', [{ name: 'x'.repeat(13 * 1024 * 1024) }]) });
    const { status } = await admin.post('/web/dataset/call_kw', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(status).toBe(413);
  });

  once.each([
    ['/web/dataset/call_kw', call('res.partner', 'search', [[]])],
    ['/web/dataset/call_kw/x/y', call('res.partner', 'search', [[]])],
    ['/web/dataset/call', call('res.partner', 'search', [[]])],
    ['/web/dataset/search_read', { model: 'res.partner' }],
    ['/web/dataset/call_button', call('res.partner', 'read', [[1]])],
    ['/web/dataset/resequence', { model: 'res.lang', ids: [1] }],
    ['/web/session/check', {}],
    ['/web/session/modules', {}],
    ['/web/session/change_password', { fields: [] }],
    ['/web/session/destroy', {}],
  ])('need somebody signed in: %s', async (path, params) => {
    await using app = await createTestApp({ addons: ['web'], database });
    await expect(app.rpc(path, params)).rejects.toMatchObject({
      code: 100,
      title: 'Odoo Session Expired',
    });
  });

  once('are refused in one language, the one of the call', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada', { groups: ['base.group_user'], lang: 'fr_FR' });
    const ada = await app.as('ada');
    const ask = (args: readonly unknown[], lang?: string, method = 'search', model = 'res.users') =>
      ada.rpc('/web/dataset/call_kw', {
        model,
        method,
        args,
        kwargs: lang ? { context: { lang } } : {},
      });
    const [nowhere, wrong] = [[[['nowhere', '=', 1]]], [['x']]];
    await expect(ask(nowhere)).rejects.toThrow(/Condition incorrecte.*n’a pas de champ/);
    await expect(ask(nowhere, 'en_US')).rejects.toThrow(/Invalid condition.*has no field/);
    const gone = [[99_999], ['name']];
    await expect(ada.rpc('/web/dataset/call_kw', { model: 1, method: 'search' })).rejects.toThrow(
      /model: Saisissez du texte/,
    );
    await expect(ask(gone, undefined, 'read', 'res.country')).rejects.toThrow(/«.Pays.»/);
    await expect(ask(gone, 'en_US', 'read', 'res.country')).rejects.toThrow('“Country” 99999 doesn’t exist');
    await expect(ask(wrong, undefined, 'read')).rejects.toThrow(/Arguments non valides.*(nombre|valeur)/i);
    await expect(ask(wrong, 'en_US', 'read')).rejects.toThrow(/Invalid arguments.*(number|value)/);
  });

  it('page through search_read with the whole length', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const admin = await app.as('admin');
    const ask = (params: object) =>
      admin.rpc<{ length: number; records: { code: string }[] }>('/web/dataset/search_read', {
        model: 'res.country',
        fields: ['code'],
        sort: 'code desc',
        domain: [['code', '>=', 'Y']],
        ...params,
      });
    const all = await ask({});
    expect(all.records.map(({ code }) => code)).toEqual(['ZW', 'ZM', 'ZA', 'YT', 'YE']);
    expect(all.length).toBe(5);
    expect(await ask({ offset: 1, limit: 2 })).toMatchObject({ length: 5, records: [{ code: 'ZM' }, { code: 'ZA' }] });
    expect(await ask({ offset: 4, limit: 2 })).toMatchObject({ length: 5, records: [{ code: 'YE' }] });
  });

  once('call without names, press buttons and put records in order', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const admin = await app.as('admin');
    const lang =
      (await admin.rpc<number[]>('/web/dataset/call', { model: 'res.lang', method: 'search', args: [[]] })) ?? [];
    expect(lang).toHaveLength(2);
    const reversed = lang.toReversed();
    expect(await admin.rpc('/web/dataset/resequence', { model: 'res.lang', ids: reversed, offset: 5 })).toBe(true);
    expect(await admin.rpc('/web/dataset/call', { model: 'res.lang', method: 'search', args: [[]] })).toEqual(reversed);
    expect(await admin.rpc('/web/dataset/resequence', { model: 'res.company', ids: [1] })).toBe(false);
    const button = { model: 'res.users', method: 'action_reset_password', args: [[1], { lang: 'fr_FR' }] };
    expect(await admin.rpc('/web/dataset/call_button', button)).toBe(false);
  });

  it('write in a transaction only what writes, and nothing of a call that fails', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const admin = await app.as('admin');
    const create = call('res.partner', 'create', [[{ name: 'One' }, { name: 'Two', email: 'no address' }]]);
    await expect(admin.rpc('/web/dataset/call_kw', create)).rejects.toMatchObject({
      code: 200,
      data: { arguments: ['Check your input', 'Enter a valid email address.'], debug: '' },
    });
    expect(await app.read((ctx) => ctx.model(Partner).count([['name', '=', 'One']]))).toBe(0);
  });
});

eachDatabase('What calls may not do', (database, once) => {
  const refused: [string, unknown[], object?][] = [
    ['_write', [[1], { name: 'x' }]],
    ['sudo', [[1]]],
    ['beforeWrite', [[1], {}]],
    ['setPasswordHash', [[1], 'x']],
    ['byLogin', ['admin']],
    ['verifyEmail', [[1]]],
    ['constructor', []],
    ['__proto__', []],
    ['toString', []],
    ['hasOwnProperty', ['x']],
    ['ctx', []],
  ];

  once('is call what nobody declared', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const admin = await app.as('admin');
    for (const [method, args, kwargs] of refused) {
      const answer = admin.rpc('/web/dataset/call_kw', call('res.users', method, args, kwargs));
      await expect(answer).rejects.toMatchObject({ code: 404 });
    }
    for (const model of ['res.nothing', '__proto__', 'constructor', 'core_session', '']) {
      await expect(admin.rpc('/web/dataset/call_kw', call(model, 'search', [[]]))).rejects.toThrow();
    }
  });

  it('is read, filter, sort or group by password hashes and their like', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const admin = await app.as('admin');
    const users = (method: string, args: unknown[], kwargs: object = {}) =>
      admin.rpc('/web/dataset/call_kw', call('res.users', method, args, kwargs));
    for (const field of ['password_hash', 'credential_version', 'demo_password']) {
      await expect(users('read', [[1], [field]])).rejects.toThrow();
      await expect(users('search', [[[field, '!=', false]]])).rejects.toThrow();
      await expect(users('search', [[]], { order: field })).rejects.toThrow();
      await expect(users('search_read', [[[`partner_id.user_ids.${field}`, 'like', 'a']]])).rejects.toThrow();
      await expect(users('read_group', [[], [field], [field]])).rejects.toThrow();
      await expect(users('write', [[1], { [field]: 'x' }])).rejects.toThrow();
    }
    expect(JSON.stringify(await users('search_read', [[]]))).not.toMatch(/argon2|credential/);
    expect(JSON.stringify(await users('fields_get', []))).not.toMatch(/password_hash|credential/);
  });

  once('is act for another user: as a customer there are only one’s own records', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const own = await makeUser(app, 'customer');
    const customer = await app.as('customer');
    const kw = (...given: Parameters<typeof call>) => customer.rpc('/web/dataset/call_kw', call(...given));
    const context = { uid: 1, su: true, active_test: false };
    expect(await kw('res.users', 'search', [[]], { context })).toEqual([own]);
    const admin = await app.read(async (ctx) => (await ctx.model(User).byLogin('admin'))?.id ?? 0);
    await expect(kw('res.users', 'read', [[admin], ['login']], { context })).rejects.toMatchObject({ code: 404 });
    await expect(kw('res.users', 'write', [[own], { group_ids: [[6, 0, [1, 2, 3]]] }])).rejects.toMatchObject({
      code: 200,
    });
    await expect(kw('res.groups', 'search', [[]])).rejects.toMatchObject({ code: 404 });
    await expect(kw('ir.sequence', 'search', [[]])).rejects.toMatchObject({ code: 404 });
    const id = await app.write((ctx) =>
      ctx.model(Attachment).create({ name: 'x', res_model: 'res.partner', res_id: 1 }),
    );
    expect(await kw('ir.attachment', 'search', [[['id', '=', id]]])).toEqual([]);
    await expect(kw('ir.attachment', 'unlink', [[id]])).rejects.toThrow();
    const { group_ids } = await app.read((ctx) => ctx.model(User).get(own, { select: { group_ids: true } }));
    expect(group_ids).toHaveLength(1);
  });
});

someDatabase('Sessions of programs', (database) => {
  it('begin with authenticate, tell who is signed in, and end with destroy', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await makeUser(app, 'ada', { groups: ['base.group_user'], lang: 'fr_FR' });
    const ada = app.visitor();
    expect(await ada.rpc('/web/session/get_session_info')).toEqual({
      session_id: '',
      uid: null,
      user_context: {},
      db: 'pergola',
      username: null,
      company_id: null,
    });
    const params = { db: 'any', login: 'ada', password: PASSWORD };
    expect(await ada.rpc('/web/session/authenticate', { ...params, password: 'wrong' })).toMatchObject({ uid: false });
    expect(ada.cookie('session_id')).toBeUndefined();
    const info = {
      session_id: '',
      uid: id,
      user_context: { lang: 'fr_FR', tz: false, uid: id },
      db: 'pergola',
      username: 'ada',
      company_id: false,
    };
    expect(await ada.rpc('/web/session/authenticate', params)).toEqual(info);
    expect(await ada.rpc('/web/session/get_session_info')).toEqual(info);
    expect(await ada.rpc('/web/session/check')).toBeNull();
    expect(await ada.rpc('/web/session/get_lang_list')).toEqual([
      ['en_US', 'English'],
      ['fr_FR', 'Français'],
    ]);
    expect(await ada.rpc('/web/session/modules')).toEqual(['base', 'web']);
    expect(await ada.rpc('/web/session/destroy')).toBeNull();
    expect(await uidOf(ada)).toBeNull();
  });

  it('set the session cookie first, as old clients expect it', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada');
    const body = JSON.stringify({ params: { db: 'x', login: 'ada', password: PASSWORD } });
    const answer = await app.post('/web/session/authenticate', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^session_id=[\w-]{43};.*HttpOnly.*SameSite=Lax/);
  });

  it('change passwords as Odoo’s dialog does', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'ada');
    const ada = await app.as('ada');
    const change = (old_pwd: string, new_password: string, confirm_pwd: string) =>
      ada.rpc('/web/session/change_password', {
        fields: Object.entries({ old_pwd, new_password, confirm_pwd }).map(([name, value]) => ({ name, value })),
      });
    const title = 'Change my password';
    expect(await change('', 'a new password', 'a new password')).toEqual({
      error: 'Fill in all three fields.',
      title,
    });
    expect(await change(PASSWORD, 'a new password', 'other')).toEqual({ error: 'The passwords don’t match.', title });
    expect(await change('wrong', 'a new password', 'a new password')).toEqual({
      error: 'Your current password is incorrect.',
      title,
    });
    expect(await change(PASSWORD, 'a new password', 'a new password')).toEqual({ new_password: true });
    expect(await uidOf(ada)).not.toBeNull();
    expect(await app.rpc('/web/session/authenticate', { login: 'ada', password: 'a new password' })).toMatchObject({
      username: 'ada',
    });
  });

  it('say which version’s shapes they speak', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    expect(await app.rpc('/web/webclient/version_info')).toEqual({
      server_version: '8.0',
      server_version_info: [8, 0, 0, 'final', 0],
      server_serie: '8.0',
      protocol_version: 1,
    });
  });
});

someDatabase('/jsonrpc', (database) => {
  it('signs in, reads and writes with the password in every call', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const service = (name: string, method: string, ...args: unknown[]) =>
      app.rpc('/jsonrpc', { service: name, method, args });
    expect(await service('common', 'version')).toMatchObject({ server_version: '8.0' });
    const uid = await service('common', 'authenticate', 'db', 'admin', 'a first password', {});
    expect(uid).toEqual(expect.any(Number));
    expect(await service('common', 'login', 'db', 'admin', 'a first password')).toBe(uid);
    expect(await service('common', 'login', 'db', 'admin', 'wrong')).toBe(false);
    expect(await service('common', 'login', 'db', 'nobody', 'wrong')).toBe(false);
    const as = ['db', uid, 'a first password'] as const;
    const id = await service('object', 'execute', ...as, 'res.partner', 'create', { name: 'Ada' });
    expect(await service('object', 'execute_kw', ...as, 'res.partner', 'read', [[id]], { fields: ['name'] })).toEqual([
      { id, name: 'Ada' },
    ]);
    expect(await service('object', 'execute', ...as, 'res.partner', 'read', [id], ['name'], { lang: 'fr_FR' })).toEqual(
      [{ id, name: 'Ada' }],
    );
    expect(app.cookie('session_id')).toBeUndefined();
  });

  it('refuses a wrong password, another user’s number, and what is no service', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const own = await makeUser(app, 'customer');
    const service = (name: string, method: string, ...args: unknown[]) =>
      app.rpc('/jsonrpc', { service: name, method, args });
    const denied: Partial<CallError> = {
      code: 200,
      data: expect.objectContaining({ exception_type: 'access_denied' }),
    };
    await expect(service('object', 'execute', 'db', own, 'wrong', 'res.partner', 'search', [])).rejects.toMatchObject(
      denied,
    );
    await expect(service('object', 'execute', 'db', 1, PASSWORD, 'res.partner', 'search', [])).rejects.toMatchObject(
      denied,
    );
    await expect(
      service('object', 'execute', 'db', 999_999, PASSWORD, 'res.partner', 'search', []),
    ).rejects.toMatchObject(denied);
    for (const [name, method] of [
      ['db', 'drop'],
      ['common', 'shutdown'],
      ['object', 'exec_workflow'],
      ['constructor', 'x'],
    ]) {
      await expect(service(name ?? '', method ?? '')).rejects.toMatchObject({ code: 404 });
    }
    await expect(service('object', 'execute', 'db', own)).rejects.toMatchObject({ code: 404 });
    expect(await service('object', 'execute', 'db', own, PASSWORD, 'res.users', 'search', [])).toEqual([own]);
  });

  it('needs no hashing for five minutes after a password was right, until the user changes', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const own = await makeUser(app, 'customer');
    const search = (password = PASSWORD) =>
      app.rpc('/jsonrpc', {
        service: 'object',
        method: 'execute',
        args: ['db', own, password, 'res.users', 'search', []],
      });
    await search();
    const hashing = jest.spyOn(Passwords.prototype, 'verify');
    for (let number = 0; number < 12; number++) await search();
    expect(hashing).not.toHaveBeenCalled();
    hashing.mockRestore();
    await app.write((ctx) => ctx.model(User).setPasswordHash([own], 'nothing'));
    await expect(search()).rejects.toMatchObject({ code: 200 });
    await app.write((ctx) => ctx.model(User).write(own, { active: false }));
    await expect(search()).rejects.toMatchObject({ code: 200 });
  });

  it('limits wrong passwords, and never locks out who has the right one', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const own = await makeUser(app, 'customer');
    const search = (password: string) =>
      app.rpc('/jsonrpc', {
        service: 'object',
        method: 'execute',
        args: ['db', own, password, 'res.users', 'search', []],
      });
    await search(PASSWORD);
    let refusals = 0;
    for (let number = 0; number < 12; number++) {
      const failed = await search(`wrong ${number}`).catch((error: CallError) => error);
      if ((failed as CallError).data.code === 'core.too_many_calls') refusals++;
    }
    expect(refusals).toBeGreaterThan(0);
    expect(await search(PASSWORD)).toEqual([own]);
  });
});
