import jsonClient from '@fernandoslim/odoo-jsonrpc';
import XmlClient from 'odoo-await';
import { createTestApp, type TestApp } from 'pergola/testing';
import { makeUser, PASSWORD } from './kit.ts';

/** Both libraries as published, unmodified. */
describe('Programs written for Odoo', () => {
  let app: TestApp;
  const login = 'program@example.com';
  beforeAll(async () => {
    app = await createTestApp({ addons: ['web', 'mail'] });
    await makeUser(app, login, { groups: ['base.group_user', 'base.group_partner_manager'] });
  });
  afterAll(() => app.close());

  const domain = (name: string) => [['name', 'like', name]];

  it('work over JSON-RPC with a session, and with a key that comes with every call', async () => {
    const { port } = app.config;
    const connection = { baseUrl: 'http://localhost', port, db: 'pergola', username: login };
    for (const secret of [{ password: PASSWORD }, { apiKey: PASSWORD }]) {
      const client = new jsonClient.default({ ...connection, ...secret });
      expect(await client.connect()).toMatchObject({ uid: expect.any(Number) });
      const id = await client.create('res.partner', {
        name: 'Json Ltd',
        is_company: true,
        comment: '<p>5 < 6 & é</p>',
      });
      expect(await client.searchRead('res.partner', domain('Json'), ['name', 'is_company', 'country_id'])).toEqual([
        { id, name: 'Json Ltd', is_company: true, country_id: false },
      ]);
      expect(await client.update('res.partner', id, { city: 'Gent' })).toBe(true);
      expect(await client.read('res.partner', id, ['city'])).toBeTruthy();
      expect(await client.search('res.partner', domain('Json'))).toEqual([id]);
      expect(await client.getFields('res.partner')).toMatchObject({ name: { type: 'char', required: true } });
      expect(await client.call_kw('res.partner', 'read_group', [domain('Json'), ['city'], ['city']])).toMatchObject([
        { city: 'Gent', city_count: 1 },
      ]);
      expect(await client.delete('res.partner', id)).toBe(true);
      expect(await client.search('res.partner', domain('Json'))).toEqual([]);
    }
  });

  it('work over XML-RPC', async () => {
    const client = new XmlClient({ baseUrl: app.url, db: 'pergola', username: login, password: PASSWORD });
    expect(await client.connect()).toEqual(expect.any(Number));
    const id = await client.create('res.partner', { name: 'Xml <& Söhne>', is_company: true });
    expect(await client.searchRead('res.partner', domain('Xml'), ['name', 'is_company', 'country_id'])).toEqual([
      { id, name: 'Xml <& Söhne>', is_company: true, country_id: false },
    ]);
    expect(await client.update('res.partner', id, { city: 'Gent' })).toBe(true);
    expect(await client.read('res.partner', [id], ['city'])).toEqual([{ id, city: 'Gent' }]);
    expect(await client.search('res.partner', { name: 'Xml <& Söhne>' })).toEqual([id]);
    expect(await client.getFields('res.partner')).toMatchObject({ name: { type: 'char', required: true } });
    expect(await client.execute_kw('res.partner', 'read_group', [[domain('Xml'), ['city'], ['city']]])).toMatchObject([
      { city: 'Gent', city_count: 1 },
    ]);
    expect(await client.delete('res.partner', id)).toBe(true);
    expect(await client.search('res.partner', domain('Xml'))).toEqual([]);
  });

  it('are told what is refused, and nothing of it stays', async () => {
    const client = new XmlClient({ baseUrl: app.url, db: 'pergola', username: login, password: PASSWORD });
    await client.connect();
    await expect(client.create('res.partner', { name: '' })).rejects.toThrow(/name/i);
    await expect(client.create('ir.sequence', { name: 'No' })).rejects.toThrow(/ir\.sequence/);
    await expect(client.update('res.users', [1], { password: 'a new password' })).rejects.toThrow(
      /action_reset_password.*pergola user password.*change_password/,
    );
    await expect(client.execute_kw('res.partner', 'sudo', [[]])).rejects.toThrow(/sudo/);
    const stranger = new XmlClient({ baseUrl: app.url, db: 'pergola', username: login, password: 'wrong' });
    await expect(stranger.connect()).rejects.toMatch(/credentials/);
    const post = (body: string) => app.post('/xmlrpc/2/object', { body, headers: { 'Content-Type': 'text/xml' } });
    expect(
      (await post('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><methodCall>&b;</methodCall>')).text,
    ).toContain('faultCode');
    expect((await post('<methodCall><methodName>execute_kw</methodName></methodCall>')).text).toContain('faultCode');
    expect((await app.post('/xmlrpc/2/report', { body: '<a/>' })).status).toBe(404);
    const named = async (name: string): Promise<string> => {
      const body = `<methodCall><methodName>${name}</methodName></methodCall>`;
      return (await app.post('/xmlrpc/2/common', { body, headers: { 'Content-Type': 'text/xml' } })).text;
    };
    expect(await named('<![CDATA[version]]>')).toContain('server_version');
    expect(await named('ver<b>sion</b>')).toContain('faultCode');
  });

  /** Requests that OdooRPC and n8n's Odoo node send to `/jsonrpc`. */
  async function execute(...args: unknown[]): Promise<unknown> {
    const uid = await app.rpc('/jsonrpc', { service: 'common', method: 'login', args: ['pergola', login, PASSWORD] });
    return app.rpc('/jsonrpc', { service: 'object', method: 'execute', args: ['pergola', uid, PASSWORD, ...args] });
  }
  async function executeKw(model: string, method: string, args: unknown[], kwargs: object): Promise<unknown> {
    const uid = await app.rpc('/jsonrpc', { service: 'common', method: 'login', args: ['pergola', login, PASSWORD] });
    return app.rpc('/jsonrpc', {
      service: 'object',
      method: 'execute_kw',
      args: ['pergola', uid, PASSWORD, model, method, args, kwargs],
    });
  }
  const service = (name: string, method: string, ...args: unknown[]) =>
    app.rpc('/jsonrpc', { service: name, method, args });

  it('find the database, the models, and the records of addons', async () => {
    expect(await service('db', 'list')).toEqual(['pergola']);
    expect(await service('db', 'db_exist', 'other')).toBe(false);
    expect(await service('common', 'about', true)).toEqual([expect.stringContaining('Pergola'), '8.0']);
    expect(await execute('ir.model', 'search', [['model', '=', 'res.partner']])).toEqual([expect.any(Number)]);
    expect(await execute('ir.model', 'search', [['model', '=', 'no.such']])).toEqual([]);
    const listed = await execute(
      'ir.model',
      'search_read',
      [
        ['model', 'like', 'res.c%y'],
        ['model', 'not like', 'state'],
      ],
      ['name', 'model'],
      0,
      0,
    );
    expect(listed).toMatchObject([
      { name: 'Company', model: 'res.company' },
      { name: 'Country', model: 'res.country' },
      { name: 'Currency', model: 'res.currency' },
    ]);
    const french = { domain: [['model', '=', 'res.country']], context: { lang: 'fr_FR' } };
    expect(await executeKw('ir.model', 'search_read', [], french)).toMatchObject([{ name: 'Pays' }]);
    const names = (await execute('ir.model', 'search_read', [], ['model'])) as { model: string }[];
    expect(names.map(({ model }) => model)).not.toContain('ir.sequence');
    await expect(execute('ir.model', 'search_read', [['nothing', '=', 1]])).rejects.toThrow(/nothing/);
    await expect(execute('ir.model', 'create', { model: 'x.y' })).rejects.toThrow(/ir\.model/);

    const ofPartners = ['model', '=', 'res.partner'];
    const [partners] = (await execute('ir.model', 'search', [ofPartners])) as number[];
    expect(
      await execute('ir.model.fields', 'search_read', [ofPartners, ['ttype', '=', 'many2one']], ['name', 'relation']),
    ).toContainEqual({ id: expect.any(Number), name: 'country_id', relation: 'res.country' });
    for (const condition of [ofPartners, ['model_id', '=', partners], ['model_id.model', '=', 'res.partner']]) {
      const required = ['required', '=', true];
      const rows = await execute('ir.model.fields', 'search_read', [condition, required], ['name', 'model_id']);
      expect(rows).toContainEqual({ id: expect.any(Number), name: 'name', model_id: [partners, 'Contact'] });
    }
    expect(await execute('ir.model.fields', 'search_count', [['name', '=', 'password']])).toBe(0);
    await expect(execute('ir.model.fields', 'create', { name: 'x_a' })).rejects.toThrow(/ir\.model\.fields/);

    const company = ['res.company', 1];
    expect(await execute('ir.model.data', 'xmlid_to_res_model_res_id', 'base.main_company', true)).toEqual(company);
    expect(await execute('ir.model.data', 'check_object_reference', 'base', 'main_company', true)).toEqual(company);
    expect(await execute('ir.model.data', 'xmlid_to_res_model_res_id', 'base.nothing')).toEqual([false, false]);
    await expect(execute('ir.model.data', 'check_object_reference', 'base', 'nothing')).rejects.toThrow(
      /base\.nothing/,
    );
    const conditions = [
      ['module', '=', 'base'],
      ['name', '=', 'main_company'],
    ];
    expect(await execute('ir.model.data', 'search_read', conditions, ['res_id', 'complete_name'])).toMatchObject([
      { res_id: 1, complete_name: 'base.main_company' },
    ]);
    await expect(execute('ir.model.data', 'write', [1], { name: 'x' })).rejects.toThrow();
  });

  it('get many2one fields as they ask for them', async () => {
    const [, belgium] = (await execute('ir.model.data', 'check_object_reference', 'base', 'be')) as [string, number];
    const id = (await execute('res.partner', 'create', { name: 'Load', country_id: String(belgium) })) as number;
    const kwargs = (load?: unknown) => ({ fields: ['country_id'], ...(load === undefined ? {} : { load }) });
    for (const [load, expected] of [
      [undefined, [belgium, 'Belgium']],
      ['_classic_read', [belgium, 'Belgium']],
      ['_classic_write', belgium],
      [null, belgium],
      [false, belgium],
    ]) {
      expect(await executeKw('res.partner', 'read', [[id]], kwargs(load))).toEqual([{ id, country_id: expected }]);
      const found = await executeKw('res.partner', 'search_read', [[['id', '=', id]]], kwargs(load));
      expect(found).toEqual([{ id, country_id: expected }]);
    }
    expect(await execute('res.partner', 'read', [id], ['country_id'], '_classic_write')).toEqual([
      { id, country_id: belgium },
    ]);
  });

  it('may write arguments by place as any version of Odoo takes them', async () => {
    const fields = await execute('res.partner', 'fields_get', [], ['string', 'type']);
    expect(fields).toMatchObject({ name: { string: 'Name', type: 'char' } });
    expect(Object.keys((fields as { name: object }).name)).toEqual(['type', 'string']);
    expect(await execute('res.country', 'name_search', 'belg', [], 'ilike', 1)).toEqual([
      [expect.any(Number), 'Belgium'],
    ]);
    expect(await execute('res.country', 'search', [['code', '=', 'BE']], 0, 10, 'id', true)).toBe(1);
    const french = { lang: 'fr_FR' };
    expect(await execute('res.country', 'name_search', 'belg', [], 'ilike', french, 1)).toEqual([
      [expect.any(Number), 'Belgique'],
    ]);
  });

  it('may send ids, numbers and booleans as text', async () => {
    const values = { name: 'Text', is_company: 'true' };
    const id = (await execute('res.partner', 'create', values)) as number;
    const search = (...domain: unknown[]) => execute('res.partner', 'search', domain);
    const named = ['name', '=', 'Text'];
    expect(await search(['id', '=', String(id)])).toEqual([id]);
    expect(await search(['id', 'in', `${id}, 999999`])).toEqual([id]);
    expect(await search(['id', 'child_of', String(id)])).toEqual([id]);
    expect(await search(named, ['is_company', '=', 'true'])).toEqual([id]);
    expect(await search(named, ['is_company', '=', 'false'])).toEqual([]);
    expect(await search(named, ['name', 'in', 'Text'])).toEqual([id]);
    expect(await execute('res.partner', 'read', [String(id)], ['name'])).toEqual([{ id, name: 'Text' }]);
    await expect(search(['id', '=', 'four'])).rejects.toThrow(/id/);
    await expect(execute('res.partner', 'write', [id], { is_company: 'perhaps' })).rejects.toThrow();
  });

  it('learn who created records, their external ids, and archive them', async () => {
    const id = (await execute('res.partner', 'create', { name: 'Metadata' })) as number;
    const [, belgium] = (await execute('ir.model.data', 'check_object_reference', 'base', 'be')) as [string, number];
    expect(await execute('res.partner', 'get_metadata', [id])).toEqual([
      {
        id,
        create_uid: [expect.any(Number), expect.any(String)],
        create_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        write_uid: [expect.any(Number), expect.any(String)],
        write_date: expect.any(String),
        xmlid: false,
        xmlids: [],
        noupdate: false,
      },
    ]);
    expect(await execute('res.country', 'get_metadata', [belgium])).toMatchObject([{ xmlid: 'base.be' }]);
    expect(await execute('res.partner', 'perm_read', [id], false)).toMatchObject([
      { id, create_uid: expect.any(Number) },
    ]);
    expect(await execute('res.country', 'get_external_id', [belgium])).toEqual({ [belgium]: 'base.be' });
    expect(await execute('res.partner', 'check_access_rule', [id], 'write')).toBe(true);
    await expect(execute('res.partner', 'get_metadata', [999_999])).rejects.toThrow();
    await expect(execute('ir.sequence', 'get_metadata', [1])).rejects.toThrow(/ir\.sequence/);
    expect(await execute('res.partner', 'action_archive', [id])).toBe(true);
    expect(await execute('res.partner', 'search', [['id', '=', id]])).toEqual([]);
    expect(await execute('res.partner', 'toggle_active', [id])).toBe(true);
    expect(await execute('res.partner', 'action_unarchive', [id])).toBe(true);
    expect(await execute('res.partner', 'search', [['id', '=', id]])).toEqual([id]);
  });

  it('load tables, all lines or none, and export them', async () => {
    interface Loaded {
      readonly ids: number[] | false;
      readonly messages: readonly object[];
    }
    const load = (fields: string[], data: unknown[][]) =>
      execute('res.partner', 'load', fields, data) as Promise<Loaded>;
    const fields = ['id', 'name', 'country_id', 'is_company'];
    const { ids, messages } = await load(fields, [
      ['loaded_one', 'Loaded one', 'Belgium', true],
      ['loaded_two', 'Loaded two', false, ''],
    ]);
    expect([ids, messages]).toEqual([[expect.any(Number), expect.any(Number)], []]);
    const [one = 0, two = 0] = ids || [];
    // The same external id updates the record.
    expect((await load(['id', 'name'], [['loaded_two', 'Renamed']])).ids).toEqual([two]);
    expect((await load(['.id', 'country_id/id'], [[String(two), 'base.be']])).ids).toEqual([two]);
    const wrong = await load(
      ['name', 'country_id'],
      [
        ['Right', 'Belgium'],
        ['Wrong', 'Nowhere'],
      ],
    );
    expect(wrong).toMatchObject({
      ids: false,
      messages: [{ type: 'error', record: 1, rows: { from: 1, to: 1 }, field: 'country_id' }],
    });
    expect(await execute('res.partner', 'search_count', [['name', '=', 'Right']])).toBe(0);
    expect(await load(['nothing'], [['x']])).toMatchObject({ ids: false, messages: [{ type: 'error' }] });
    const paths = ['.id', 'id', 'name', 'country_id', 'country_id/code', 'country_id/id', 'is_company', 'phone'];
    expect(await execute('res.partner', 'export_data', [two, one], paths)).toEqual({
      datas: [
        [two, 'imported.loaded_two', 'Renamed', 'Belgium', 'BE', 'base.be', false, ''],
        [one, 'imported.loaded_one', 'Loaded one', 'Belgium', 'BE', 'base.be', true, ''],
      ],
    });
    await expect(execute('res.partner', 'export_data', [one], ['name/code'])).rejects.toThrow(/name\/code/);
  });

  it('post messages on records: notes, unless they say that it is a comment', async () => {
    const id = (await execute('res.partner', 'create', { name: 'Discussed' })) as number;
    const note = await execute('res.partner', 'message_post', [id], 'Called: 5 < 6\nagain');
    const comment = await executeKw('res.partner', 'message_post', [id], {
      body: '<p>Shipped</p>',
      subject: 'News',
      message_type: 'comment',
      subtype_xmlid: 'mail.mt_comment',
    });
    expect(await execute('mail.message', 'read', [note, comment], ['body', 'internal', 'subject', 'res_id'])).toEqual([
      { id: note, body: 'Called: 5 &lt; 6<br />again', internal: true, subject: false, res_id: id },
      { id: comment, body: '<p>Shipped</p>', internal: false, subject: 'News', res_id: id },
    ]);
    const other = await execute('res.partner', 'create', { name: 'Reader', email: 'reader@example.com' });
    const told = { body: 'For you', subtype_xmlid: 'mail.mt_comment', partner_ids: [other] };
    await expect(executeKw('res.partner', 'message_post', [id], told)).rejects.toThrow(/message_subscribe/);
    expect(await execute('res.partner', 'message_subscribe', [id], [other])).toBe(true);
    expect(await executeKw('res.partner', 'message_post', [id], told)).toEqual(expect.any(Number));
    expect(await execute('res.partner', 'message_unsubscribe', [id], [other])).toBe(true);
    await expect(executeKw('res.partner', 'message_post', [id], told)).rejects.toThrow(/message_subscribe/);
    await expect(execute('res.partner', 'message_post', [999_999], 'Lost')).rejects.toThrow(
      /Record not found|doesn’t exist/,
    );
  });

  it('tell faults of calls apart by the codes of Odoo', async () => {
    const code = async (method: string, args: unknown[], model = 'res.partner', secret = PASSWORD) => {
      const uid = await app.rpc('/jsonrpc', { service: 'common', method: 'login', args: ['pergola', login, PASSWORD] });
      const value = (given: unknown): string =>
        Array.isArray(given)
          ? `<value><array><data>${given.map(value).join('')}</data></array></value>`
          : typeof given === 'number'
            ? `<value><int>${given}</int></value>`
            : `<value><string>${given}</string></value>`;
      const params = ['pergola', uid, secret, model, method, args].map((each) => `<param>${value(each)}</param>`);
      const body = `<methodCall><methodName>execute_kw</methodName><params>${params.join('')}</params></methodCall>`;
      const { text } = await app.post('/xmlrpc/2/object', { body, headers: { 'Content-Type': 'text/xml' } });
      return Number(/faultCode[\s\S]*?<int>(\d+)/.exec(text)?.[1]);
    };
    expect(await code('no_such_method', [])).toBe(1);
    expect(await code('search', [[]], 'no.such.model')).toBe(1);
    expect(await code('read', [[999_999]])).toBe(2);
    expect(await code('search', [[]], 'res.partner', 'wrong')).toBe(3);
    expect(await code('unlink', [[1]], 'res.company')).toBe(4);
  });

  it('may name the records of a method as text', async () => {
    const admin = await app.as('admin');
    const french = await app.read((ctx) => ctx.ref('base.lang_fr'));
    const run = (ids: unknown) =>
      admin.rpc('/web/dataset/call_kw', { model: 'res.lang', method: 'switch_on', args: [ids], kwargs: {} });
    await run([String(french)]);
    await run(String(french));
    for (const ids of [['four'], '1.5', [' 1'], ['0']]) await expect(run(ids)).rejects.toThrow(/first argument/);
  });
});
