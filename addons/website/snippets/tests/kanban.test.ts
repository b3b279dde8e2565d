import { request } from 'node:http';
import { Country } from '@pergola/base';
import type { Ctx } from 'pergola';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { Website } from '../../models/website.ts';
import { kanban } from '../kanban/kanban.ts';
import { makePage } from './kit.ts';

/** Description of a column in the page. */
interface Column {
  readonly fields: Record<string, string>;
  readonly html: string;
}

const names = ['domain', 'model', 'template', 'step', 'orderby', 'signature', 'page', 'page-count', 'scope'] as const;

function columnsOf(html: string): Column[] {
  return html
    .split('<section class="kanban-column')
    .slice(1)
    .map((part) => ({
      html: part.split('</section>')[0] ?? '',
      fields: Object.fromEntries(names.map((name) => [name, attribute(part, `data-${name}`)])),
    }));
}

function attribute(html: string, name: string): string {
  const value = new RegExp(`${name}="([^"]*)"`).exec(html)?.[1] ?? '';
  return value.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&#x3D;', '=').replaceAll('&amp;', '&');
}

const cards = (html: string): string[] =>
  Array.from(html.matchAll(/kanban-card-title"><span[^>]*>([^<]*)<|kanban-card-title">([^<]*)</g), ([, a, b]) =>
    (a ?? b ?? '').trim(),
  );

someDatabase('A kanban', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database });
    await makePage(
      app,
      '/board',
      '<div data-block="website.country_board" data-options=\'{"currencies":["EUR","XOF"]}\'></div>',
    );
  });
  afterAll(() => app?.close());

  const post = (fields: Readonly<Record<string, string>>) => app.form('/website/kanban', fields);
  const first = async (address = '/board'): Promise<Column> => {
    const [column] = columnsOf((await app.get(address)).text);
    if (!column) throw new Error('There is no column.');
    return column;
  };

  it('has a column for every value, with ten cards by name and a pager', async () => {
    const { text } = await app.get('/board');
    const columns = columnsOf(text);
    expect(columns).toHaveLength(2);
    const [euro, franc] = columns;
    expect(cards(euro?.html ?? '')).toHaveLength(10);
    expect(cards(euro?.html ?? '').slice(1, 3)).toEqual(['Andorra', 'Austria']);
    expect(euro?.fields).toMatchObject({
      model: 'res.country',
      step: '10',
      orderby: 'name',
      page: '1',
      'page-count': '4',
      scope: '5',
    });
    // The West African franc has eight countries, so there is no pager.
    expect(franc?.html).not.toContain('pagination');
  });

  it('answers the cards of a page, and only those, as HTML', async () => {
    const { fields } = await first();
    const answer = await post({ ...fields, page: '2' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.text).not.toContain('<html');
    expect(cards(answer.text)).toHaveLength(10);
    expect(cards(answer.text)).not.toContain('Austria');
    expect(cards((await post({ ...fields, page: '4' })).text)).toHaveLength(5);
  });

  it('answers nothing behind the last page', async () => {
    const { fields } = await first();
    expect(await post({ ...fields, page: '5' })).toMatchObject({ status: 200, text: '' });
  });

  it.each([
    ['domain', '[]'],
    ['domain', '[["id",">",0]]'],
    ['model', 'res.users'],
    ['template', 'website.follow'],
    ['step', '100000'],
    ['orderby', 'id desc'],
    ['signature', 'x'],
    ['signature', ''],
  ])('refuses another %s: %s', async (name, value) => {
    const { fields } = await first();
    const answer = await post({ ...fields, page: '1', [name]: value });
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('kanban-card');
  });

  it('refuses a description that lacks a part', async () => {
    const { fields } = await first();
    const { signature: _, ...unsigned } = fields;
    expect((await post({ ...unsigned, page: '1' })).status).toBe(403);
    expect((await post({ page: '1' })).status).toBe(403);
  });

  it('refuses what was signed for another website', async () => {
    await app.write(async (ctx: Ctx) => {
      const [site] = await ctx.model(Website).find([], { select: { default_lang_id: true, language_ids: true } });
      await ctx.model(Website).create({
        name: 'Another',
        domain: 'another.localhost',
        default_lang_id: site?.default_lang_id ?? null,
        language_ids: site?.language_ids ?? [],
      });
    });
    const { port } = new URL(app.url);
    const ownColumn = await first();
    const otherColumn = columnsOf((await ask(app, `another.localhost:${port}`, '/board')).text)[0];
    const send = async (column: Column | undefined, host: string): Promise<number> => {
      const body = new URLSearchParams({ ...column?.fields, page: '1' });
      return (await ask(app, `${host}:${port}`, '/website/kanban', body)).status;
    };
    expect(otherColumn?.fields.domain).toBe(ownColumn.fields.domain);
    expect(await send(ownColumn, 'localhost')).toBe(200);
    expect(await send(ownColumn, 'another.localhost')).toBe(403);
    expect(await send(otherColumn, 'another.localhost')).toBe(200);
    expect(await send(otherColumn, 'localhost')).toBe(403);
  });

  it('turns its pages without scripts, each column by itself', async () => {
    const { fields } = await first();
    const { text } = await app.get('/board');
    const link = /href="([^"]*\?kanban=\d+-2)"/.exec(text)?.[1] ?? '';
    const second = columnsOf((await app.get(link)).text)[0];
    expect(second?.fields.page).toBe('2');
    expect(cards(second?.html ?? '')).toEqual(cards((await post({ ...fields, page: '2' })).text));
    expect(second?.html).toMatch(/page-item active"><a[^>]*>2</);
  });

  it('speaks the language of its page', async () => {
    const { text } = await app.visitor().get('/fr/board');
    expect(text).toContain('aria-label="Page suivante"');
    expect(text).toMatch(/href="\/fr\/board\?kanban=\d+-2"/);
  });

  it('clamps a page in the address to those there are', async () => {
    const { text } = await app.get('/board');
    const column = /\?kanban=(\d+)-2"/.exec(text)?.[1];
    expect((await first(`/board?kanban=${column}-99`)).fields.page).toBe('4');
    expect((await first(`/board?kanban=${column}-0`)).fields.page).toBe('1');
    expect((await first('/board?kanban=nonsense,-1-2,3-')).fields.page).toBe('1');
  });

  it('shows records without a column last', async () => {
    const where = { path: '/board', url: '/board' };
    const options = { model: Country, column: 'currency_id', template: 'website.country_card', step: 1 } as const;
    const { columns } = await app.read((ctx) => kanban(ctx, where, options));
    expect(columns.at(-1)).toMatchObject({ id: 0, name: 'None' });
    expect(columns.slice(0, -1).every(({ id }) => id > 0)).toBe(true);
    const columnNames = columns.map(({ name }) => name).slice(0, -1);
    expect(columnNames).toEqual([...columnNames].sort());
  });

  it('is shown with declared cards only', async () => {
    const options = { model: Country, column: 'currency_id', template: 'website.follow' } as const;
    await expect(app.read((ctx) => kanban(ctx, { path: '/', url: '/' }, options))).rejects.toThrow(
      /is no card of res.country/,
    );
  });

  it('is made anew when a record changes', async () => {
    const initialHtml = (await first()).html;
    const rename = (name: string) =>
      app.write(async (ctx: Ctx) => {
        const austria = await ctx.ref('base.at');
        await ctx.model(Country).write(austria, { name: { en_US: name } });
      });
    await rename('Aaustria');
    expect(initialHtml).not.toContain('Aaustria');
    expect(cards((await first()).html)).toContain('Aaustria');
    await rename('Austria');
  });
});

/** Plain HTTP request, since `fetch` sets the Host header itself. */
function ask(
  app: TestApp,
  host: string,
  path: string,
  body?: URLSearchParams,
): Promise<{ status: number; text: string }> {
  const headers = { Host: host, ...(body ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}) };
  return new Promise((resolve, reject) => {
    const address = `http://127.0.0.1:${new URL(app.url).port}${path}`;
    const sent = request(address, { method: body ? 'POST' : 'GET', headers }, async (answer) => {
      const text = Buffer.concat(await Array.fromAsync(answer)).toString();
      resolve({ status: answer.statusCode ?? 0, text });
    });
    sent.on('error', reject);
    sent.end(body?.toString());
  });
}
