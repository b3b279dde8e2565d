import { readFileSync } from 'node:fs';
import { CallError, type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import type { ImportOutcome, ImportPreview, ModelInfo, Start } from '../backend/types.ts';
import { makeUser } from './kit.ts';
import { inline, sheetXml, spreadsheet, workbook } from './spreadsheet.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const kw = <T = unknown>(client: Client, model: string, method: string, args: unknown[] = [], kwargs: object = {}) =>
  client.rpc<T>('/web/dataset/call_kw', { model, method, args, kwargs });

async function refusalOf(call: Promise<unknown>): Promise<CallError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof CallError) return error;
    throw error;
  }
  throw new Error('The call was not refused.');
}

eachDatabase('The backend', (database, once) => {
  let app: TestApp;
  let admin: Client;
  let employee: Client;
  let other: Client;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'employee', { groups: ['base.group_user'] });
    await makeUser(app, 'other', { groups: ['base.group_user'] });
    await makeUser(app, 'customer', { groups: ['base.group_portal'] });
    [admin, employee, other] = await Promise.all([app.as('admin'), app.as('employee'), app.as('other')]);
  });
  afterAll(() => app.close());

  once('is for employees: customers get to their account, visitors to the sign-in', async () => {
    expect((await employee.get('/web')).status).toBe(200);
    expect((await employee.get('/web/m/res.partner/3')).text).toContain('data-backend');
    expect(await (await app.as('customer')).get('/web')).toMatchObject({ status: 302, location: '/web/account' });
    expect((await app.visitor().get('/web/m/res.partner')).location).toContain('/web/login');
  });

  once('shows menus by groups and rights, without branches that lead nowhere', async () => {
    const ids = async (client: Client) => (await client.rpc<Start>('/web/backend/start')).menus.map(({ id }) => id);
    expect(await ids(admin)).toEqual(
      expect.arrayContaining(['web.menu_contacts', 'web.menu_settings', 'web.menu_users']),
    );
    // Rarely used entries come last.
    const apps = (await admin.rpc<Start>('/web/backend/start')).menus.filter(({ parent }) => parent === null);
    expect(apps.slice(-2).map(({ id }) => id)).toEqual(['web.menu_settings', 'web.menu_apps']);
    const seen = await ids(employee);
    expect(seen).toContain('web.menu_contacts');
    expect(seen.filter((id) => /settings|users|groups|apps/.test(id))).toEqual([]);
  });

  once('describes a model: fields, rights and views as the user may know them', async () => {
    const ask = (client: Client, model: string) => client.rpc<ModelInfo>('/web/backend/model', { model });
    // Only user managers can send them a link.
    expect((await ask(admin, 'res.users')).form.buttons).toMatchObject([{ method: 'action_reset_password' }]);
    expect((await ask(employee, 'res.users')).form.buttons).toEqual([]);
    const partner = await ask(employee, 'res.partner');
    expect(partner.fields.state_id?.within).toEqual({ country_id: 'country_id' });
    expect(partner).toMatchObject({
      name: 'res.partner',
      archives: true,
      may: { read: true, write: false, create: false, unlink: false },
      list: { editable: false },
      kanban: { title: 'name', image: 'image' },
      calendar: null,
    });
    expect(partner.fields.country_id).toMatchObject({ kind: 'many2one', relation: 'res.country', store: true });
    expect(partner.fields.image).toMatchObject({ kind: 'image' });
    expect((await ask(admin, 'res.partner')).may).toEqual({ read: true, write: true, create: true, unlink: true });
    // Without its own view, a list shows the most informative fields.
    const state = await ask(admin, 'res.country.state');
    expect(state.list.columns[0]?.field).toBe('name');
    expect((await refusalOf(ask(employee, 'ir.sequence'))).data).toMatchObject({ code: 'core.no_model' });
    expect((await ask(admin, 'res.users')).fields).not.toHaveProperty('password_hash');
  });

  it('finds records by name over the models of the menus, as far as the user may read them', async () => {
    const models = async (client: Client) =>
      (await client.rpc<{ model: string }[]>('/web/backend/search', { text: 'e' })).map(({ model }) => model);
    expect(await models(admin)).toEqual(expect.arrayContaining(['res.partner', 'res.country']));
    const readable = (await employee.rpc<Start>('/web/backend/start')).menus.map(({ model }) => model);
    expect(await models(employee)).toContain('res.partner');
    expect(readable).toContain('res.partner');
  });

  once(
    'keeps saved views to their owner, unless they are for everybody; those are changed by their maker',
    async () => {
      const view = { model_id: 'res.partner', view: { filters: [], groupBy: ['country_id'] } };
      const me = (await employee.rpc<Start>('/web/backend/start')).user.id;
      const own = await kw<number>(employee, 'ir.filters', 'create', [{ ...view, name: 'Mine', user_id: me }]);
      const shared = await kw<number>(employee, 'ir.filters', 'create', [{ ...view, name: 'Ours', user_id: false }]);
      const names = (client: Client) =>
        kw<{ name: string }[]>(client, 'ir.filters', 'search_read', [[['model_id', '=', 'res.partner']], ['name']]);
      expect((await names(employee)).map(({ name }) => name)).toEqual(['Mine', 'Ours']);
      expect((await names(other)).map(({ name }) => name)).toEqual(['Ours']);
      await refusalOf(kw(other, 'ir.filters', 'write', [[shared], { name: 'Theirs' }]));
      await refusalOf(kw(other, 'ir.filters', 'unlink', [[own]]));
      await refusalOf(kw(other, 'ir.filters', 'create', [{ ...view, name: 'For somebody', user_id: me }]));
      expect(await kw(admin, 'ir.filters', 'write', [[shared], { name: 'All of ours' }])).toBe(true);
      await kw(employee, 'ir.filters', 'write', [[own], { is_default: true }]);
      const second = await kw<number>(employee, 'ir.filters', 'create', [
        { ...view, name: 'Second', user_id: me, is_default: true },
      ]);
      expect(
        await kw(employee, 'ir.filters', 'search', [
          [
            ['model_id', '=', 'res.partner'],
            ['is_default', '=', true],
            ['user_id', '=', me],
          ],
        ]),
      ).toEqual([second]);
    },
  );

  it.each(['own', 'shared'])('has one %s view that is shown at first when two are saved at once', async (whose) => {
    const me = (await employee.rpc<Start>('/web/backend/start')).user.id;
    const view = { model_id: 'res.country', view: {}, user_id: whose === 'own' && me, is_default: true };
    for (let round = 0; round < 20; round++) {
      const save = (name: string) => kw<number>(employee, 'ir.filters', 'create', [{ ...view, name }]);
      await Promise.all([save(`A${round}`), save(`B${round}`)]);
      const defaults: readonly unknown[] = [
        ['model_id', '=', 'res.country'],
        ['user_id', '=', view.user_id],
        ['is_default', '=', true],
      ];
      expect(await kw(employee, 'ir.filters', 'search_count', [defaults])).toBe(1);
    }
  });

  once('remembers what each user chose of a list, for that user', async () => {
    const value = [{ field: 'name', width: 300 }];
    await kw(employee, 'web.preference', 'remember', [{ key: 'list:res.partner', value }]);
    await kw(employee, 'web.preference', 'remember', [{ key: 'list:res.partner', value: [...value, ...value] }]);
    const of = async (client: Client) => (await client.rpc<Start>('/web/backend/start')).preferences;
    expect(await of(employee)).toEqual({ 'list:res.partner': [...value, ...value] });
    expect(await of(other)).toEqual({});
    await kw(employee, 'web.preference', 'remember', [{ key: 'list:res.partner', value: null }]);
    expect(await of(employee)).toEqual({});
    expect(
      (await refusalOf(kw(employee, 'web.preference', 'remember', [{ key: 'k', value: 'x'.repeat(20_000) }]))).data
        .code,
    ).toBe('web.preference_too_large');
  });

  describe('An import', () => {
    const run = (client: Client, text: string, about: object) =>
      client.rpc<ImportOutcome>('/web/backend/import/run', {
        model: 'res.partner',
        file: base64(text),
        dryRun: false,
        ...about,
      });
    const people =
      'Name;E-mail;Country\nÉlodie;elodie@imp.example;France\nFritz;fritz@imp.example;Germany\nNemo;nemo@imp.example;Atlantis\n';
    const count = (email: string) => kw<number>(admin, 'res.partner', 'search_count', [[['email', 'ilike', email]]]);

    once('understands a file: signs, alphabets, and what its columns mean', async () => {
      const read = (content: string) =>
        admin.rpc<ImportPreview>('/web/backend/import/read', { model: 'res.partner', file: content });
      const preview = await read(
        Buffer.from('Name;Email;country_id;Nonsense\nZoë;z@x.example;France;1\n', 'latin1').toString('base64'),
      );
      expect(preview.mapping).toEqual(['name', 'email', 'country_id', '']);
      expect(preview).toMatchObject({ count: 1, headers: ['Name', 'Email', 'country_id', 'Nonsense'] });
      expect(preview.sample[0]?.[0]).toBe('Zoë');
      expect(preview.targets.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['id', '.id', 'name', 'country_id', 'country_id/id']),
      );
      expect(preview.targets.map(({ id }) => id)).not.toContain('create_date');
      expect((await refusalOf(read(base64('Name\n')))).data.code).toBe('web.import_empty');
      expect((await refusalOf(read(base64('a\0b\nc')))).data.code).toBe('web.import_unreadable');
      expect((await refusalOf(read(Buffer.from('PK\x03\x04 no zip').toString('base64')))).data.code).toBe(
        'web.import_unreadable',
      );
    });

    once('takes nothing that is larger than it says, and others are answered meanwhile', async () => {
      const read = (content: Buffer) =>
        admin.rpc<ImportPreview>('/web/backend/import/read', {
          model: 'res.partner',
          file: content.toString('base64'),
        });
      const codeOf = async (content: Buffer) => (await refusalOf(read(content))).data.code;
      const sheet = (rows: string) => sheetXml({}).replace('<sheetData>', `<sheetData>${rows}`);
      const line = '<row><c t="inlineStr"><is><t>x</t></is></c></row>';
      const honest = line + line.replace('>x<', '>Ada<');
      const bombs: [Buffer, string][] = [
        [spreadsheet(sheet(' '.repeat(150_000_000))), 'web.import_too_large'],
        [spreadsheet(sheet(line.repeat(110_000))), 'web.import_too_many'],
        [Buffer.from(`Name;x\n${'Ada;1\n'.repeat(110_000)}`), 'web.import_too_many'],
      ];
      expect(await read(spreadsheet(sheet(honest)))).toMatchObject({ count: 1, headers: ['x'], sample: [['Ada']] });
      // Longest CPU time of this thread without yielding.
      let longest = 0;
      let spent = process.threadCpuUsage();
      const ticks = setInterval(() => {
        const { user, system } = process.threadCpuUsage(spent);
        longest = Math.max(longest, (user + system) / 1_000);
        spent = process.threadCpuUsage();
      }, 20);
      for (const [bomb, code] of bombs) expect(await codeOf(bomb)).toBe(code);
      clearInterval(ticks);
      expect(longest).toBeLessThan(1_500);
    });

    const file = (content: Buffer | string) => Buffer.from(content).toString('base64');
    const preview = (content: Buffer | string, about: object = {}) =>
      admin.rpc<ImportPreview>('/web/backend/import/read', { model: 'res.partner', file: file(content), ...about });

    it('shows the records that cells mean by their names', async () => {
      const about = { mapping: ['name', 'country_id'] };
      const lines = 'Name;Country\nA;BE\nB;Belgien\nC;france\nD;Atlantis\nE;\n';
      const byName = await preview(lines, about);
      expect(byName.sample.map(([, country]) => country)).toEqual(['Belgium', 'Belgium', 'France', 'Atlantis', '']);
      // The missing record may be created.
      expect(byName.problems.flat().every((problem) => problem === null)).toBe(true);
      const byId = await preview('Name;Country\nA;base.be\nB;base.atlantis\n', { mapping: ['name', 'country_id/id'] });
      expect(byId.sample.map(([, country]) => country)).toEqual(['Belgium', 'base.atlantis']);
      expect(byId.problems.map(([, problem]) => problem)).toEqual([null, 'Country: no record named “base.atlantis”.']);
    });

    once('shows how a file was read, and reads it otherwise if told', async () => {
      const list = `Membres 2026\n\nName;Email;City\nÉva Noël;e@imp.example;Besançon\n`;
      const read = await preview(Buffer.from(list, 'latin1'));
      expect(read).toMatchObject({
        headers: ['Name', 'Email', 'City'],
        sample: [['Éva Noël', 'e@imp.example', 'Besançon']],
        source: { encoding: 'windows-1252', delimiter: ';', sheets: [], headerRow: 3 },
      });
      expect(read.source.top.map(({ line }) => line)).toEqual([1, 3, 4]);
      const mac = await preview(Buffer.from(list, 'latin1'), { source: { encoding: 'macintosh' } });
      expect(mac.sample[0]?.[0]).toBe('…va NoÎl');
      const other = await preview(list, { source: { delimiter: ',', headerRow: 1 } });
      expect(other).toMatchObject({ headers: ['Membres 2026'], count: 2 });
      expect((await refusalOf(preview(list, { source: { headerRow: 4 } }))).data.code).toBe('web.import_empty');
      const marked = Buffer.from(`\ufeff${list}`, 'utf16le').swap16();
      expect(await preview(marked)).toMatchObject({
        source: { encoding: 'utf-16be' },
        sample: [['Éva Noël', {}, {}].map(() => expect.any(String))],
      });
      const stated = await preview('sep=,\nname,email\n"a;b",c\n');
      expect(stated).toMatchObject({ source: { delimiter: ',', headerRow: 2 }, sample: [['a;b', 'c']] });
    });

    once('shows cells without a heading, and takes yes and no in other languages', async () => {
      const read = await preview('Name;Company\nA;ja\nB;FALSCH;more\nC;tak\nD;perhaps\n', {
        mapping: ['name', 'is_company', ''],
      });
      expect(read.headers).toEqual(['Name', 'Company', '']);
      expect(read.sample.map(([, company]) => company)).toEqual(['Yes', 'No', 'Yes', 'perhaps']);
      expect(read.problems[3]?.[1]).toBe('“perhaps” is neither yes nor no. Use yes or no.');
      const phone = await preview('Name;Phone\nA;4,00638E+12\nB;1E-5\n', { mapping: ['name', 'phone'] });
      expect(phone.problems.map(([, problem]) => problem)).toEqual([expect.stringContaining('scientific'), null]);
    });

    once('knows headings in each language of the site', async () => {
      const french = await preview('Ville;Courriel;Pays\nLille;a@b.example;France\n');
      expect(french.mapping[0]).toBe('city');
    });

    once('reads the first sheet with records, or the one that is chosen', async () => {
      const title = sheetXml({ A1: inline('Only a title') });
      const people = (name: string) => sheetXml({ A2: inline('Name'), A4: inline(name) });
      const book = workbook([
        { name: 'Secret', xml: people('Hidden'), state: 'hidden' },
        { name: 'Cover', xml: title },
        { name: 'Members', xml: people('Ada') },
      ]);
      const read = await preview(book);
      expect(read.source).toMatchObject({
        sheet: 2,
        headerRow: 2,
        sheets: [{ name: 'Secret', hidden: true }, { name: 'Cover' }, { name: 'Members', hidden: false }],
      });
      expect((await preview(book, { source: { sheet: 0 } })).sample).toEqual([['Hidden']]);
      expect((await refusalOf(preview(book, { source: { sheet: 9 } }))).data.code).toBe('web.import_sheet');
      const only = workbook([
        { name: 'Secret', xml: people('Hidden'), state: 'veryHidden' },
        { name: 'Cover', xml: title },
      ]);
      expect((await preview(only)).sample).toEqual([['Hidden']]);
    });

    once.each(['xls', 'ods'])('reads a file that LibreOffice saved as .%s', async (type) => {
      const content = readFileSync(new URL(`./fixtures/spreadsheets/members.${type}`, import.meta.url));
      const mapping = ['name', 'comment', 'phone'];
      const read = await preview(content, { mapping });
      expect(read).toMatchObject({
        headers: ['Name', 'Notes', 'Phone'],
        sample: [
          ['Zoë Müller', '09:05', '01234'],
          ['東京 Ltd', '2026-11-21 13:45', '30:00'],
          ["O'Brien", '2026-01-02', '12.5%'],
          ['Łukasz', '#N/A', '#DIV/0!'],
          ['Noon', '12:00', '2020-07-04 10:00'],
        ],
        source: { sheet: 2, headerRow: 3, sheets: [{ name: 'Cover' }, { name: 'Old', hidden: true }, {}] },
      });
      expect(read.problems[3]).toEqual([null, expect.stringContaining('#N/A'), expect.stringContaining('#DIV/0!')]);
      const outcome = await admin.rpc<ImportOutcome>('/web/backend/import/run', {
        model: 'res.partner',
        file: file(content),
        mapping,
        dryRun: false,
        skipFaulty: true,
      });
      expect(outcome).toMatchObject({ created: 4, kept: true, faulty: 1 });
      expect(outcome.errors.map(({ line }) => line)).toEqual([7, 7]);
    });

    once('knows countries by their codes and names in other languages', async () => {
      const written = ['Deutschland', 'ÖSTERREICH', 'BE', 'Suiza', 'Etats-Unis', 'Atlantis', 'Mu'];
      const lines = ['Name;Land', ...written.map((country, index) => `Tourist ${index};${country}`)];
      const outcome = await admin.rpc<ImportOutcome>('/web/backend/import/run', {
        model: 'res.partner',
        file: file(Buffer.from(lines.join('\n'))),
        mapping: ['name', 'country_id'],
        dryRun: false,
        skipFaulty: true,
      });
      expect(outcome).toMatchObject({ created: 5, faulty: 2 });
      const rows = await kw<{ country_id: [number, string] }[]>(admin, 'res.partner', 'search_read', [
        [['name', 'like', 'Tourist ']],
        ['country_id'],
      ]);
      expect(rows.map(({ country_id }) => country_id[1])).toEqual([
        'Germany',
        'Austria',
        'Belgium',
        'Switzerland',
        'United States',
      ]);
    });

    once('refuses a spreadsheet that is damaged, and reads one with prefixed names', async () => {
      const cells = sheetXml({ A1: inline('Name'), A2: inline('Ada') });
      const prefixed = cells.replace(/<(\/?)(?!\?)/g, '<$1x:');
      expect((await preview(spreadsheet(prefixed))).sample).toEqual([['Ada']]);
      const damaged = spreadsheet(cells);
      const at = damaged.lastIndexOf('PK\x01\x02');
      damaged.writeUInt32LE(1, at + 16);
      expect((await refusalOf(preview(damaged))).data.code).toBe('web.import_unreadable');
    });

    once('keeps times in text columns, and previews what is stored', async () => {
      const cells = {
        A1: inline('Name'),
        B1: inline('Notes'),
        C1: inline('Phone'),
        A2: inline('Clock'),
        B2: ['s="1"', '<v>0.572916666666667</v>'],
        C2: ['s="2"', '<v>1.25</v>'],
        A3: inline('Moment'),
        B3: ['s="3"', '<v>46450.5729166667</v>'],
        C3: ['s="4"', '<v>0.2</v>'],
      } as const;
      const formats = ['hh:mm', '[h]:mm', 'dd/mm/yyyy hh:mm', '0%'];
      const book = workbook([{ name: 'One', xml: sheetXml(cells) }], { formats });
      const mapping = ['name', 'comment', 'phone'];
      const shown = [
        ['Clock', '13:45', '30:00'],
        ['Moment', '2027-03-04 13:45', '20%'],
      ];
      expect((await preview(book, { mapping })).sample).toEqual(shown);
      const outcome = await admin.rpc<ImportOutcome>('/web/backend/import/run', {
        model: 'res.partner',
        file: file(book),
        mapping,
        dryRun: false,
      });
      expect(outcome).toMatchObject({ created: 2, kept: true });
      const stored = await kw<Record<string, string>[]>(admin, 'res.partner', 'search_read', [
        [['name', 'in', ['Clock', 'Moment']]],
        mapping,
      ]);
      expect(stored.map((record) => mapping.map((name) => record[name])).sort()).toEqual(shown);
    });

    once('takes errors for faults of their line: no field is emptied by one', async () => {
      const [id = 0] = await kw<number[]>(admin, 'res.partner', 'create', [[{ name: 'Kept', phone: '123' }]]);
      const number = (value: unknown) => ['', `<v>${value}</v>`] as const;
      const cells = {
        A1: inline('.id'),
        B1: inline('Phone'),
        C1: inline('Country'),
        A2: number(id),
        B2: ['t="e"', '<v>#N/A</v>'],
        A3: number(id),
        B3: ['', '<f>A1+1</f>'],
        A4: number(id),
        C4: ['t="e"', '<f>1/0</f><v>#DIV/0!</v>'],
        A5: ['t="e"', '<v>#REF!</v>'],
        B5: inline('456'),
      } as const;
      const about = { model: 'res.partner', mapping: ['.id', 'phone', 'country_id'], dryRun: false, skipFaulty: true };
      const book = workbook([{ name: 'One', xml: sheetXml(cells) }]);
      const outcome = await admin.rpc<ImportOutcome>('/web/backend/import/run', { ...about, file: file(book) });
      expect(outcome.errors.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
      expect(outcome.errors[0]?.message).toContain('#N/A');
      const text = await run(admin, `.id;Phone;Country\n${id};#NV;\n`, about);
      expect(text).toMatchObject({ updated: 0, faulty: 1 });
      expect(await kw(admin, 'res.partner', 'read', [[id], ['phone']])).toEqual([{ id, phone: '123' }]);
    });

    it('keeps all lines or none, and says which do not fit; those can be left out', async () => {
      const mapping = ['name', 'email', 'country_id'];
      const tried = await run(admin, people, { mapping, dryRun: true });
      expect(tried).toMatchObject({ total: 3, created: 2, faulty: 1, kept: false });
      expect(tried.errors).toEqual([{ line: 4, column: 'Country', message: expect.stringContaining('Atlantis') }]);
      expect(await run(admin, people, { mapping })).toMatchObject({ kept: false, faulty: 1 });
      expect(await count('imp.example')).toBe(0);
      expect(await run(admin, people, { mapping, skipFaulty: true })).toMatchObject({ kept: true, created: 2 });
      expect(await count('imp.example')).toBe(2);
      expect(
        await kw(admin, 'res.partner', 'search_read', [[['email', '=', 'elodie@imp.example']], ['name', 'country_id']]),
      ).toMatchObject([{ name: 'Élodie', country_id: [expect.any(Number), 'France'] }]);
    });

    it('brings records up to date by the ids they had elsewhere, and finds relations by theirs', async () => {
      const mapping = ['id', 'name', 'country_id/id'];
      const first = 'id,Name,Country\ncrm.42,Grace,base.us\n';
      expect(await run(admin, first, { mapping })).toMatchObject({ created: 1, updated: 0, kept: true });
      const again = 'id,Name,Country\ncrm.42,Grace Hopper,base.fr\n';
      expect(await run(admin, again, { mapping })).toMatchObject({ created: 0, updated: 1, kept: true });
      expect(
        await kw(admin, 'res.partner', 'search_read', [[['name', 'like', 'Grace']], ['name', 'country_id']]),
      ).toMatchObject([{ name: 'Grace Hopper', country_id: [expect.any(Number), 'France'] }]);
      // External ids of addons that aren't installed are reserved: ids in a file are stored under a different name.
      await run(admin, 'id,Name\nforum.first,Squatter\n', { mapping: ['id', 'name'] });
      await expect(app.read((ctx) => ctx.ref('forum.first'))).rejects.toThrow();
      const foreign = await run(admin, 'id,Name\nbase.mine,Nobody\n', { mapping: ['id', 'name'] });
      expect(foreign.errors[0]?.message).toContain('base.mine');
      expect(foreign.kept).toBe(false);
    });

    once('reads numbers, days, choices and yes or no as people write them', async () => {
      const sheet = 'Name,Company,Type,Colour\nForms,oui,Billing address,"1"\nWrong,maybe,Castle,1.5\n';
      const outcome = await run(admin, sheet, { mapping: ['name', 'is_company', 'type', 'color'], skipFaulty: true });
      expect(outcome).toMatchObject({ created: 1, faulty: 1, kept: true });
      expect(outcome.errors.map(({ column }) => column).sort()).toEqual(['Colour', 'Company', 'Type']);
      expect(
        await kw(admin, 'res.partner', 'search_read', [[['name', '=', 'Forms']], ['is_company', 'type', 'color']]),
      ).toMatchObject([{ is_company: true, type: 'invoice', color: 1 }]);
    });

    once('finds countries by their codes', async () => {
      const outcome = await run(admin, 'Name,Country\nCoded,BE\n', { mapping: ['name', 'country_id'] });
      expect(outcome).toMatchObject({ created: 1, errors: [] });
      expect(await kw(admin, 'res.partner', 'search_read', [[['name', '=', 'Coded']], ['country_id']])).toMatchObject([
        { country_id: [expect.any(Number), 'Belgium'] },
      ]);
    });

    once('makes what relations name only when asked to, and nothing of a line that fails', async () => {
      const mapping = ['name', 'parent_id', 'country_id'];
      const sheet = 'Name,Parent,Country\nWorker,Brand New Ltd,France\nOther,Second Ltd,Atlantis\n';
      expect((await run(admin, sheet, { mapping })).faulty).toBe(2);
      const outcome = await run(admin, sheet, { mapping, makeMissing: true, skipFaulty: true });
      // Administrators may create countries, but a name alone isn't sufficient.
      expect(outcome).toMatchObject({ created: 1, faulty: 1, kept: true });
      expect(await kw(admin, 'res.partner', 'search_count', [[['name', '=', 'Brand New Ltd']]])).toBe(1);
      expect(await kw(admin, 'res.partner', 'search_count', [[['name', '=', 'Second Ltd']]])).toBe(0);
    });

    once('goes by the rights of whoever imports', async () => {
      expect((await refusalOf(run(employee, people, { mapping: ['name', 'email', ''] }))).data.code).toBe(
        'web.import_denied',
      );
      const wrong = await refusalOf(run(admin, people, { mapping: ['name', 'create_uid', ''] }));
      expect(wrong.data.code).toBe('web.import_mapping');
      expect((await refusalOf(run(admin, people, { mapping: ['name'] }))).data.code).toBe('web.import_mapping');
    });
  });

  describe('An export', () => {
    const ask = (client: Client, about: object) =>
      client.rpc<{ name: string; content: string }>('/web/backend/export', {
        model: 'res.partner',
        fields: ['name', 'country_id', 'is_company'],
        domain: [['name', '=like', 'Export%']],
        order: 'name',
        format: 'csv',
        ...about,
      });

    beforeAll(async () => {
      const [france] = await kw<number[]>(admin, 'res.country', 'search', [[['code', '=', 'FR']]]);
      await kw(admin, 'res.partner', 'create', [
        [{ name: 'Export, "A"', country_id: france, is_company: true }, { name: '=Export(1)' }, { name: 'Export B' }],
      ]);
    });

    once('writes what people read, and tells spreadsheets that text is text', async () => {
      const { name, content } = await ask(admin, { domain: [['name', 'like', 'Export']] });
      expect(name).toMatch(/^res\.partner \d{4}-\d\d-\d\d\.csv$/);
      const lines = Buffer.from(content, 'base64').toString('utf8').split('\r\n');
      expect(lines).toEqual([
        '\ufeffName,Country,Is a company',
        "'=Export(1),,No",
        'Export B,,No',
        '"Export, ""A""",France,Yes',
        '',
      ]);
    });

    once('comes back as it was: an export for importing changes nothing', async () => {
      const { content } = await ask(admin, { forImport: true, domain: [['name', 'like', 'Export']] });
      const text = Buffer.from(content, 'base64').toString('utf8');
      expect(text.split('\r\n')[0]).toBe('\ufeff.id,name,country_id/.id,is_company');
      const outcome = await admin.rpc<ImportOutcome>('/web/backend/import/run', {
        model: 'res.partner',
        file: content,
        mapping: ['.id', 'name', 'country_id/.id', 'is_company'],
        dryRun: false,
      });
      expect(outcome).toMatchObject({ updated: 3, created: 0, faulty: 0, kept: true });
      expect(await kw(admin, 'res.partner', 'search_count', [[['name', '=', '=Export(1)']]])).toBe(1);
    });

    once('names linked records by their ids for importing, and else by their names', async () => {
      const domain = [['login', '=', 'admin']];
      const text = async (forImport: boolean) => {
        const { content } = await ask(admin, {
          model: 'res.users',
          fields: ['group_ids'],
          order: 'id',
          domain,
          forImport,
        });
        return Buffer.from(content, 'base64').toString('utf8').split('\r\n')[1];
      };
      const [user] = await kw<{ id: number; group_ids: number[] }[]>(admin, 'res.users', 'search_read', [
        domain,
        ['group_ids'],
      ]);
      expect(await text(true)).toBe(`${user?.id},"${user?.group_ids.join(',')}"`);
      expect(await text(false)).toMatch(/^"[A-Z].*, [A-Z].*"$/);
    });

    once.each(['en_US', 'fr_FR'])('comes back as people read it, in %s, as CSV and as a spreadsheet', async (lang) => {
      const login = `round-${lang.slice(0, 2)}`;
      await makeUser(app, login, { groups: ['base.group_system'], lang });
      const client = await app.as(login);
      const values = {
        name: "'=1+1",
        comment: "  ''@x\n\n'quoted' #N/A",
        phone: '+32 475 12',
        website: '#N/A',
        is_company: true,
      };
      const [id = 0] = await kw<number[]>(client, 'res.partner', 'create', [[values]]);
      const fields = Object.keys(values);
      const before = await kw<unknown[]>(client, 'res.partner', 'read', [[id], fields]);
      for (const [format, forImport] of [
        ['csv', true],
        ['xlsx', true],
        ['csv', false],
        ['xlsx', false],
      ]) {
        const { content } = await ask(client, { fields, format, forImport, domain: [['id', '=', id]] });
        const about = { model: 'res.partner', file: content };
        const { mapping } = await client.rpc<ImportPreview>('/web/backend/import/read', about);
        expect(mapping.filter((field) => field === '')).toEqual([]);
        const outcome = await client.rpc<ImportOutcome>('/web/backend/import/run', {
          ...about,
          mapping,
          dryRun: false,
        });
        expect(outcome).toMatchObject(forImport ? { updated: 1, kept: true } : { created: 1, kept: true });
        const [last = 0] = await kw<number[]>(client, 'res.partner', 'search', [[], 0, 1, 'id desc']);
        const copy = forImport ? id : last;
        expect(await kw(client, 'res.partner', 'read', [[copy], fields])).toEqual([
          { ...(before[0] as object), id: copy },
        ]);
      }
    });

    once('writes spreadsheets that can be read in again', async () => {
      const { content } = await ask(admin, { format: 'xlsx' });
      const preview = await admin.rpc<ImportPreview>('/web/backend/import/read', {
        model: 'res.partner',
        file: content,
      });
      expect(preview).toMatchObject({
        headers: ['Name', 'Country', 'Is a company'],
        mapping: ['name', 'country_id', 'is_company'],
      });
      expect(preview.sample.map(([name]) => name)).toEqual(['Export B', 'Export, "A"']);
    });

    once('gives nobody what they may not read', async () => {
      expect((await refusalOf(ask(employee, { model: 'ir.sequence', fields: ['code'], domain: [] }))).data.code).toBe(
        'core.no_model',
      );
      expect(
        (await refusalOf(ask(admin, { model: 'res.users', fields: ['password_hash'], domain: [] }))).data.code,
      ).toBe('web.export_field');
      expect((await refusalOf((await app.as('customer')).rpc('/web/backend/export', {}))).data.code).not.toBe('');
    });
  });
});
