import { f } from '../../orm/fields.ts';
import { addon, build, renderContext, renderSource, row } from './support.ts';

const fields = {
  name: f.char(),
  note: f.text(),
  body: f.html(),
  reply: f.html({ sanitize: 'comment' }),
  count: f.integer(),
  weight: f.float(),
  rate: f.decimal({ places: 6 }),
  total: f.money(),
  fee: f.money({ currency: 'fee_currency_id' }),
  done: f.boolean(),
  day: f.date(),
  at: f.datetime(),
  state: f.selection({ draft: 'Draft', done: 'Done' }),
  data: f.json(),
  file: f.binary(),
  image: f.image(),
  partner_id: f.many2one('res.partner'),
  tag_ids: f.many2many('t.tag', { empty: 'none' }),
  score: f.integer({ compute: 'computeScore' }),
};
const file = { hash: 'abc', mimetype: 'image/png', size: 1, width: 800, height: 400, name: 'a&b.pdf' };
const show = (values: object, source: string, changes = {}, meta = {}): string =>
  renderSource(source, { row: row(values, fields, meta) }, changes).replace(/[\u00a0\u202f]/g, ' ');

describe('a field is printed by its type', () => {
  test.each<[string, object, string, string]>([
    ['char', { name: 'a <b>' }, '{{field row "name"}}', 'a &lt;b&gt;'],
    ['an empty char', { name: null }, '{{field row "name"}}', ''],
    ['text with its lines', { note: 'a\nb <i>' }, '{{field row "note"}}', 'a<br>b &lt;i&gt;'],
    [
      'html, sanitised',
      { body: '<p class="x" onclick="y">a</p>' },
      '{{field row "body"}}',
      '<div><p class="x">a</p></div>',
    ],
    [
      'html with the field’s own profile',
      { reply: '<p class="x">a</p>' },
      '{{field row "reply"}}',
      '<div><p>a</p></div>',
    ],
    [
      'html after the style sheets that it needs, which are no part of it',
      { body: '<p class="s_box">x</p>' },
      '{{field row "body"}}',
      '<link rel="stylesheet" href="/s.css"><div><p class="s_box">x</p></div>',
    ],
    [
      'html with its blocks filled',
      { body: '<div data-block="a.b"></div>' },
      '{{field row "body"}}',
      '<div><div data-block="a.b">filled</div></div>',
    ],
    ['integer', { count: 1234 }, '{{field row "count"}}', '1,234'],
    ['float', { weight: 1.23456 }, '{{field row "weight" digits=2}}', '1.23'],
    ['decimal', { rate: '12345678901234567.000001' }, '{{field row "rate"}}', '12,345,678,901,234,567.000001'],
    ['money with its currency', { total: 1000, currency_id: 1 }, '{{field row "total"}}', '10.00 €'],
    ['money with a currency record', { fee: 5, fee_currency_id: { id: 1 } }, '{{field row "fee"}}', '0.05 €'],
    ['boolean', { done: true }, '{{field row "done"}}', 'Yes'],
    [
      'date',
      { day: '2026-11-21' },
      '{{field row "day" format="short"}}',
      '<time datetime="2026-11-21">11/21/2026</time>',
    ],
    [
      'datetime',
      { at: new Date('2026-11-21T11:00:00Z') },
      '{{field row "at" format="time"}}',
      '<time datetime="2026-11-21T11:00:00.000Z">12:00 PM</time>',
    ],
    ['selection', { state: 'draft' }, '{{field row "state"}}', 't.thing.state: draft'],
    ['binary', { file }, '{{field row "file"}}', 'a&amp;b.pdf'],
    [
      'image',
      { image: file, name: '"x"' },
      '{{field row "image"}}',
      '<img src="/web/image/t.thing/3/image" alt="&quot;x&quot;" width="800" height="400" loading="lazy">',
    ],
    [
      'image in a box',
      { image: file },
      '{{field row "image" width=200 alt="A" class="c" loading="eager"}}',
      '<img class="c" src="/web/image/t.thing/3/image?w=200&amp;h" alt="A" width="200" height="100" loading="eager" fetchpriority="high">',
    ],
    ['no image', { image: null }, '{{field row "image"}}', ''],
    ['many2one', { partner_id: { id: 1, display_name: 'A & B' } }, '{{field row "partner_id"}}', 'A &amp; B'],
    ['an empty many2one', { partner_id: null }, '{{field row "partner_id"}}', ''],
    [
      'many2many',
      {
        tag_ids: [
          { id: 1, name: 'x' },
          { id: 2, name: 'y' },
        ],
      },
      '{{field row "tag_ids"}}',
      'x, y',
    ],
    ['what every record has', { display_name: 'D', id: 3 }, '{{field row "display_name"}} {{field row "id"}}', 'D 3'],
  ])('%s', (_, values, source, html) => {
    expect(show(values, source)).toBe(html);
  });

  test('in the reader’s language and zone', () => {
    const french = {
      lang: 'fr_FR',
      choice: (_model: string, _field: string, value: string) => (value === 'draft' ? 'Brouillon' : value),
    };
    const { templates } = build([addon('t', { 't.page': '{{field row "state"}} {{field row "weight"}}' })], {
      languages: ['fr_FR'],
    });
    expect(
      templates.render('t.page', { row: row({ state: 'draft', weight: 1.5 }, fields) }, renderContext(french)),
    ).toBe('Brouillon 1,5');
  });
});

describe('the element around a field', () => {
  test('is there when it is asked for', () => {
    expect(show({ name: 'x' }, '{{field row "name" tag="h1" class="a&quot;b"}}')).toBe(
      '<h1 class="a&amp;quot;b">x</h1>',
    );
    expect(show({ name: 'x' }, '{{field row "name" class="c" itemprop="name"}}')).toBe(
      '<span class="c" itemprop="name">x</span>',
    );
    expect(show({ day: '2026-11-21' }, '{{field row "day" tag="p"}}')).toBe(
      '<p><time datetime="2026-11-21">Nov 21, 2026</time></p>',
    );
    expect(() => show({ name: 'x' }, '{{field row "name" tag="a b"}}')).toThrow('tag="a b" is no element');
  });

  const marks = (field: string, type: string): string =>
    ` data-oe-model="t.thing" data-oe-id="3" data-oe-field="${field}" data-oe-type="${type}"`;
  const writable = { mayWrite: true };

  test('carries the editor’s marks for who may write, while the page is edited', () => {
    const editor = { editor: true };
    expect(show({ name: 'x' }, '{{field row "name"}}', editor, writable)).toBe(
      `<span${marks('name', 'char')}>x</span>`,
    );
    expect(show({ body: '<p>x</p>' }, '{{field row "body" class="c"}}', editor, writable)).toBe(
      `<div class="c"${marks('body', 'html')}><p>x</p></div>`,
    );
    expect(show({ day: '2026-11-21' }, '{{field row "day"}}', editor, writable)).toBe(
      `<time${marks('day', 'date')} datetime="2026-11-21">Nov 21, 2026</time>`,
    );
    expect(show({ image: null }, '{{field row "image"}}', editor, writable)).toBe(
      `<span${marks('image', 'image')}></span>`,
    );
  });

  test('carries them where the request says that this field may be edited', () => {
    const editable = {
      editable: (model: string, id: number, field: string) => `${model} ${id} ${field}` === 't.thing 3 name',
    };
    expect(show({ name: 'x' }, '{{field row "name"}}', editable, writable)).toContain('data-oe-model');
    expect(show({ count: 1 }, '{{field row "count"}}', editable, writable)).toBe('1');
  });

  test('never carries them without the right to write, nor for what is worked out', () => {
    const always = { editor: true, editable: () => true };
    expect(show({ name: 'x' }, '{{field row "name"}}', always)).toBe('x');
    expect(show({ score: 1 }, '{{field row "score"}}', always, writable)).toBe('1');
    expect(show({ id: 3 }, '{{field row "id"}}', always, writable)).toBe('3');
    expect(show({ tag_ids: [] }, '{{field row "tag_ids"}}', always, writable)).toBe('');
  });
});

describe('a field that cannot be printed names template, line, helper and what to do', () => {
  test.each<[object, string]>([
    [{ row: { name: 'x' } }, 't.page:2 {{field}}: its row does not come from find (it has no META).'],
    [{ row: null }, 't.page:2 {{field}}: its row is empty; put {{#if}} around it'],
    [{ row: row({}, fields) }, 't.page:2 {{field}}: "name" of t.thing was not read; add it to the select'],
    [{ row: row({ name: 'x' }, {}) }, 't.page:2 {{field}}: t.thing has no field "name"'],
    [
      { row: row({ nam: 'x' }, { nam: f.char() }) },
      't.page:2 {{field}}: t.thing has no field "name"; did you mean “nam”',
    ],
  ])('%j: %s', (values, message) => {
    expect(() => renderSource('\n{{field row "name"}}', values)).toThrow(message);
  });

  test.each<[string, object, string]>([
    ['total', { total: 1 }, 'the currency of "total" is not known; read "currency_id" with it'],
    ['data', { data: {} }, '"data" is data, which has no one way to be shown'],
    ['partner_id', { partner_id: 7 }, 'read it deeper: partner_id: { display_name: true }'],
  ])('%s', (name, values, message) => {
    expect(() => show(values, `{{field row "${name}"}}`)).toThrow(message);
  });

  test('a row keeps what it is when it is spread', () => {
    const spread = { ...row({ name: 'x' }, fields), more: 1 };
    expect(renderSource('{{field row "name"}}', { row: spread })).toBe('x');
  });

  test('and the error names the template the helper stands in, not the page', () => {
    const { templates } = build([
      addon('t', {
        't.page': '{{#> t.layout}}{{> t.card row=row}}{{/t.layout}}',
        't.layout': '<b>{{> @partial-block}}</b>',
        't.card': '\n\n{{field row "name"}}',
      }),
    ]);
    expect(() => templates.render('t.page', { row: {} }, renderContext())).toThrow(
      'The template "t.page" failed: t.card:3 {{field}}: its row',
    );
  });
});
