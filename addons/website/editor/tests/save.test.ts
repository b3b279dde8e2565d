import { User } from '@pergola/base';
import { CallError, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { WebsiteRevision } from '../models/revision.ts';
import type { OpenElement } from '../open.ts';
import type { SaveResult } from '../save.ts';
import { uncheckedSelect } from '../values.ts';
import { Piece } from './fixtures/fx_pieces/addon.ts';
import { roots } from './fixtures/roots.ts';

type Caller = Pick<TestApp, 'rpc'>;
const model = 'fx_pieces.piece';

eachDatabase('saving what editors changed', (database, once) => {
  let app: TestApp;
  let editor: Caller;
  let id: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_pieces'], roots, database, demo: true });
    editor = await app.as('editor');
  });
  afterAll(() => app?.close());
  beforeEach(async () => {
    id = await app.write((ctx) =>
      ctx
        .model(Piece)
        .create({ name: { en_US: 'Tree', fr_FR: 'Arbre' }, story: '<p>Once</p>', note: 'a\nb', count: 3 }),
    );
  });

  const open = async (fields: readonly string[], { lang = 'en_US', by: client = editor, of: recordId = id } = {}) => {
    const elements = fields.map((field) => ({ model, id: recordId, field }));
    return (await client.rpc<{ elements: OpenElement[] }>('/website/editor/open', { lang, elements })).elements;
  };
  const save = (changes: readonly object[], { lang = 'en_US', by: client = editor } = {}) =>
    client.rpc<SaveResult>('/website/editor/save', { lang, elements: changes });
  /** Changes to the current fields with these values. */
  const change = async (values: Readonly<Record<string, unknown>>, options: { lang?: string; of?: number } = {}) =>
    (await open(Object.keys(values), options)).map(({ model, id: record, field, revision }) => ({
      model: model,
      id: record,
      field,
      revision,
      value: values[field],
    }));
  const now = (fields: readonly string[], lang = 'en_US') =>
    app.read(async (ctx) => {
      const select = uncheckedSelect(Object.fromEntries(fields.map((field) => [field, true])));
      const [row] = await ctx.as({ lang }).modelNamed(model).read([id], { select });
      return Object.fromEntries(fields.map((field) => [field, (row as Record<string, unknown> | undefined)?.[field]]));
    });
  /** Edits of a translator for the story's only text. */
  const inFrench = (text: string, before: string | null = null) => [{ at: 0, source: 'Once', before, text }];
  const refusal = async (call: Promise<unknown>): Promise<CallError> => {
    const caught: unknown = await call.then(
      () => new Error('It was answered.'),
      (error: unknown) => error,
    );
    if (caught instanceof CallError) return caught;
    throw caught;
  };

  once('opens each piece with its value, what it is and the name of its value', async () => {
    const [name, story, count] = await open(['name', 'story', 'count']);
    expect(name).toMatchObject({
      type: 'char',
      value: 'Tree',
      label: 'Name',
      required: true,
      translated: true,
      size: 40,
    });
    expect(story).toMatchObject({ type: 'html', value: '<p>Once</p>', profile: 'page' });
    expect(count).toMatchObject({ type: 'integer', value: 3, translated: false, profile: null });
    expect(name?.revision).toMatch(/^[0-9a-f]{20}$/);
  });

  once('is undone at once by the key that the editor sent along, unless it changed since', async () => {
    const saved = async (value: string, changeKey: string) =>
      editor.rpc('/website/editor/save', { lang: 'en_US', elements: await change({ story: value }), changeKey });
    await saved('<p>Twice</p>', 'first');
    expect(await editor.rpc('/web/backend/undo', { changeKey: 'first' })).toMatchObject({ refused: [] });
    expect(await now(['story'])).toEqual({ story: '<p>Once</p>' });
    await saved('<p>Twice</p>', 'second');
    await saved('<p>Thrice</p>', 'third');
    expect(await editor.rpc('/web/backend/undo', { changeKey: 'second' })).toMatchObject({
      refused: [expect.stringContaining('Tree')],
    });
    expect(await now(['story'])).toEqual({ story: '<p>Thrice</p>' });
  });

  describe('of markup in another language', () => {
    const french = { lang: 'fr_FR' };
    const translate = (edits: readonly object[]) =>
      change({ story: edits }, french).then((changes) => save(changes, french));

    once('opens its texts, and what they translate', async () => {
      await app.write((ctx) => ctx.model(Piece).write(id, { story: '<h2>Once</h2><p>Upon a <b>time</b></p>' }));
      const [story] = await open(['story'], french);
      expect(story).toMatchObject({ value: [], translation: { source: 'en_US' } });
      expect(story?.translation?.html).toBe(
        '<h2><span data-ed-term="0">Once</span></h2><p><span data-ed-term="1">Upon a <b>time</b></span></p>',
      );
      expect(story?.translation?.terms).toMatchObject([
        { source: 'Once', term: null },
        { source: 'Upon a <b>time</b>', term: null },
      ]);
      expect((await open(['name', 'story'])).map(({ translation }) => translation)).toEqual([null, null]);
    });

    once('keeps only texts, whatever is sent', async () => {
      const edit = { at: 0, source: 'Once', before: null };
      expect(
        await translate([
          { ...edit, text: 'Il était <i onclick="x()" data-oe-model="res.users" data-ed-term="1">une fois</i>' },
        ]),
      ).toMatchObject({ saved: true });
      expect(await now(['story'], 'fr_FR')).toEqual({ story: '<p>Il était <i>une fois</i></p>' });
      expect(await translate([{ ...edit, before: 'Il était <i>une fois</i>', text: 'A</p><p>B' }])).toMatchObject({
        saved: false,
        refused: [{ field: 'story' }],
      });
      const page = await change({ story: '<p>Un</p><p>Deux</p>' }, french);
      expect((await refusal(save(page, french))).message).toContain('only translate texts');
      expect(await now(['story'])).toEqual({ story: '<p>Once</p>' });
    });

    once(
      'meets only who translated the same text; a source that changed makes the translation one of a former text',
      async () => {
        await app.write((ctx) => ctx.model(Piece).write(id, { story: '<p>Once</p><p>Twice</p>' }));
        const [ownChange] = await change(
          { story: [{ at: 0, source: 'Once', before: null, text: 'Une fois' }] },
          french,
        );
        await translate([{ at: 1, source: 'Twice', before: null, text: 'Deux fois' }]);
        expect(await save([ownChange ?? {}], french)).toMatchObject({ saved: true });
        expect(
          await save([{ ...ownChange, value: [{ at: 0, source: 'Once', before: null, text: 'Un jour' }] }], french),
        ).toMatchObject({
          saved: false,
          conflicts: [{ mine: 'Un jour', theirs: 'Une fois', term: { at: 0 } }],
        });
        await save(await change({ story: '<p>Twice</p><p>Once more</p><hr>' }));
        expect(await now(['story'], 'fr_FR')).toEqual({ story: '<p>Deux fois</p><p>Une fois</p><hr />' });
        const [story] = await open(['story'], french);
        expect(story?.translation?.terms.map(({ term }) => term)).toEqual(['Deux fois', ['Une fois', 'Once']]);
      },
    );

    it('goes back to an earlier version like any other text', async () => {
      await translate([{ at: 0, source: 'Once', before: null, text: 'Une fois' }]);
      await translate([{ at: 0, source: 'Once', before: 'Une fois', text: 'Un jour' }]);
      const { revisions } = await editor.rpc<{ revisions: { id: number }[] }>('/website/editor/history', { model, id });
      await editor.rpc('/website/editor/restore', { revision: revisions[0]?.id });
      expect(await now(['story'], 'fr_FR')).toEqual({ story: '<p>Une fois</p>' });
      expect(await now(['story'])).toEqual({ story: '<p>Once</p>' });
    });
  });

  once(
    'leaves out what may not be edited: computed, readonly, secret, of other groups, unknown, and records of others',
    async () => {
      const locked = await app.write((ctx) => ctx.model(Piece).create({ name: 'Locked', locked: true }));
      expect(await open(['code', 'key', 'inside', 'display_name', 'nothing', 'create_uid'])).toEqual([]);
      expect(await open(['name'], { of: locked })).toEqual([]);
      expect(await open(['name'], { of: 999_999 })).toEqual([]);
      const missingPiece = { model: 'no.such_model', id: 1, field: 'name' };
      expect(await editor.rpc('/website/editor/open', { lang: 'en_US', elements: [missingPiece] })).toEqual({
        elements: [],
      });
    },
  );

  it('saves all changes in one call, and names the new values', async () => {
    const result = await save(await change({ name: 'Oak', story: '<p>Twice</p>', note: 'c\nd' }));
    expect(result).toMatchObject({ saved: true });
    expect(await now(['name', 'story', 'note'])).toEqual({ name: 'Oak', story: '<p>Twice</p>', note: 'c\nd' });
    if (!result.saved) throw new Error('not saved');
    const reopened = await open(['name', 'story', 'note']);
    expect(result.elements.map(({ revision }) => revision)).toEqual(reopened.map(({ revision }) => revision));
  });

  once('keeps what holds words together', async () => {
    await save(await change({ name: 'Chêne\u00a0!', note: 'Où\u00a0?\n«\u202fIci\u202f»' }));
    expect(await now(['name', 'note'])).toEqual({ name: 'Chêne\u00a0!', note: 'Où\u00a0?\n«\u202fIci\u202f»' });
  });

  it('writes every type of field', async () => {
    const euro = await app.read((ctx) => ctx.ref('base.EUR').catch(() => ctx.ref('base.eur')));
    await app.write((ctx) => ctx.model(Piece).write(id, { currency_id: euro }));
    const values = {
      count: '12',
      weight: 1.5,
      price: '19,90',
      total: '1 234,50',
      open: true,
      day: '2026-11-21',
      moment: '2026-11-21T10:30:00.000Z',
      state: 'old',
      comment: '<p>Hi <b>there</b></p>',
    };
    expect(await save(await change(values))).toMatchObject({ saved: true });
    expect(await now(Object.keys(values))).toEqual({
      ...values,
      count: 12,
      price: '19.9',
      total: 123_450,
      moment: new Date('2026-11-21T10:30:00.000Z'),
    });
    const [total] = await open(['total']);
    expect(total?.value).toBe('1234.50');
  });

  it('writes nothing at all when one of the changes does not fit, and says which', async () => {
    const otherId = await app.write((ctx) => ctx.model(Piece).create({ name: 'Bush' }));
    const changes = [
      ...(await change({ name: 'Fine', count: 1000 })),
      ...(await change({ name: 'forbidden' }, { of: otherId })),
    ];
    const result = await save(changes);
    if (result.saved) throw new Error('saved');
    expect(result.conflicts).toEqual([]);
    expect(result.refused).toEqual([
      { model, id, field: 'count', message: 'Enter 99 or less.' },
      { model, id: otherId, field: 'name', message: 'This word is not for here.' },
    ]);
    expect(await now(['name', 'count'])).toEqual({ name: 'Tree', count: 3 });
    expect(await app.read((ctx) => ctx.model(WebsiteRevision).count([['res_id', '=', id]]))).toBe(0);
  });

  once('refuses what is no number or moment beside its piece', async () => {
    const result = await save(await change({ weight: 'heavy', moment: 'soon' }));
    expect(result).toMatchObject({ saved: false, refused: [{ field: 'weight' }, { field: 'moment' }] });
  });

  it('meets a newer value: nothing is written, and both versions come back with who and when', async () => {
    const ownChanges = await change({ name: 'Mine', note: 'mine too' });
    expect(await save(await change({ name: 'Theirs' }), { by: await app.as('admin') })).toMatchObject({ saved: true });
    const result = await save(ownChanges);
    if (result.saved) throw new Error('saved');
    expect(result.refused).toEqual([]);
    const [conflict] = result.conflicts;
    expect(result.conflicts).toHaveLength(1);
    expect(conflict).toMatchObject({ model, id, field: 'name', label: 'Name', mine: 'Mine', theirs: 'Theirs' });
    expect(conflict?.by).toBe(await nameOf('admin'));
    expect(Date.now() - new Date(conflict?.at ?? 0).getTime()).toBeLessThan(60_000);
    expect(await now(['name', 'note'])).toEqual({ name: 'Theirs', note: 'a\nb' });
    // With the newer revision, the user's version deliberately overwrites it.
    const knowing = ownChanges.map((change) =>
      change.field === 'name' ? { ...change, revision: conflict?.revision } : change,
    );
    expect(await save(knowing)).toMatchObject({ saved: true });
    expect(await now(['name', 'note'])).toEqual({ name: 'Mine', note: 'mine too' });
  });

  it('lets one of two who save at the same moment win', async () => {
    const [first, second] = [await change({ name: 'First' }), await change({ name: 'Second' })];
    const results = await Promise.all([save(first), save(second)]);
    expect(results.map(({ saved }) => saved).sort()).toEqual([false, true]);
    const winner = results[0]?.saved ? 'First' : 'Second';
    expect(await now(['name'])).toEqual({ name: winner });
  });

  it('keeps each language by itself', async () => {
    expect(
      await save(await change({ name: 'Chêne', story: inFrench('Une fois') }, { lang: 'fr_FR' }), { lang: 'fr_FR' }),
    ).toMatchObject({ saved: true });
    expect(await now(['name', 'story'], 'fr_FR')).toEqual({ name: 'Chêne', story: '<p>Une fois</p>' });
    expect(await now(['name', 'story'])).toEqual({ name: 'Tree', story: '<p>Once</p>' });
    expect(await refusal(save(await change({ name: 'x' }), { lang: 'xx_XX' }))).toMatchObject({ code: 200 });
  });

  once('writes only what was sent', async () => {
    const before = await now(['note', 'count', 'story']);
    await save(await change({ name: 'Alone' }));
    expect(await now(['note', 'count', 'story'])).toEqual(before);
  });

  once('refuses changes sent twice, or to what the caller may not change', async () => {
    const [nameChange] = await change({ name: 'Once' });
    const result = await save([
      nameChange as object,
      nameChange as object,
      { ...nameChange, field: 'code' },
      { ...nameChange, id: 999_999 },
    ]);
    if (result.saved) throw new Error('saved');
    expect(result.refused.map(({ field }) => field)).toEqual(['name', 'code', 'name']);
    expect(await now(['name'])).toEqual({ name: 'Tree' });
  });

  once.each([
    ['visitors', null, 100],
    ['customers, though they may write the record', 'portal', 404],
  ])('is not there for %s', async (_who, login, code) => {
    const client = login === null ? app.visitor() : await app.as(login);
    const [element] = await change({ name: 'Taken' });
    expect((await refusal(save([element as object], { by: client }))).code).toBe(code);
    expect((await refusal(open(['name'], { by: client }))).code).toBe(code);
    expect(await now(['name'])).toEqual({ name: 'Tree' });
  });

  once('keeps what blocks show out of the text, and marks of the editor too', async () => {
    const story =
      '<p>Before</p><div data-block="fx_pieces.hello" data-options="{&quot;who&quot;:&quot;me&quot;}"><div><p class="hello">Hello me</p></div></div>' +
      '<p contenteditable="true" data-ed-region="" data-oe-model="res.users" data-oe-id="1" data-oe-field="name">After</p>';
    await save(await change({ story }));
    expect((await now(['story'])).story).toBe(
      '<p>Before</p><div data-block="fx_pieces.hello" data-options="{&quot;who&quot;:&quot;me&quot;}"></div><p>After</p>',
    );
    expect((await app.get(`/fx_pieces/tree-${id}`)).text).toContain('<p class="hello">Hello me</p>');
  });

  describe('versions', () => {
    it('tell who changed what from what to what, the newest first', async () => {
      await save(await change({ name: 'Oak' }));
      await save(await change({ name: 'Elm', note: 'z' }));
      const { revisions } = await editor.rpc<{ revisions: object[] }>('/website/editor/history', { model, id });
      const authorName = await nameOf('editor');
      expect(revisions).toMatchObject([
        { field: 'note', label: 'Note', lang: null, before: 'a\nb', after: 'z', by: authorName },
        { field: 'name', label: 'Name', lang: 'en_US', before: 'Oak', after: 'Elm', by: authorName },
        { field: 'name', before: 'Tree', after: 'Oak', by: authorName },
      ]);
      const ofNote = await editor.rpc<{ revisions: object[] }>('/website/editor/history', { model, id, field: 'note' });
      expect(ofNote.revisions).toHaveLength(1);
    });

    once('are gone back to, in their own language, and that is a version too', async () => {
      await save(await change({ story: inFrench('Deux') }, { lang: 'fr_FR' }), { lang: 'fr_FR' });
      await save(await change({ story: inFrench('Trois', 'Deux') }, { lang: 'fr_FR' }), { lang: 'fr_FR' });
      const { revisions } = await editor.rpc<{ revisions: { id: number }[] }>('/website/editor/history', { model, id });
      await editor.rpc('/website/editor/restore', { revision: revisions[0]?.id, side: 'before' });
      expect(await now(['story'], 'fr_FR')).toEqual({ story: '<p>Deux</p>' });
      expect(await now(['story'])).toEqual({ story: '<p>Once</p>' });
      const after = await editor.rpc<{ revisions: object[] }>('/website/editor/history', { model, id });
      expect(after.revisions[0]).toMatchObject({ before: '<p>Trois</p>', after: '<p>Deux</p>' });
    });

    it('are hidden with the records they belong to, and go with them', async () => {
      await save(await change({ name: 'Oak' }));
      const { revisions } = await editor.rpc<{ revisions: { id: number }[] }>('/website/editor/history', { model, id });
      await app.write((ctx) => ctx.model(Piece).write(id, { locked: true }));
      expect(await editor.rpc('/website/editor/history', { model, id })).toEqual({ revisions: [] });
      expect((await refusal(editor.rpc('/website/editor/restore', { revision: revisions[0]?.id }))).code).toBe(404);
      await app.write((ctx) => ctx.model(Piece).unlink(id));
      expect(
        await app.read((ctx) =>
          ctx.model(WebsiteRevision).count([
            ['res_model', '=', model],
            ['res_id', '=', id],
          ]),
        ),
      ).toBe(0);
    });

    it('are kept up to a number', async () => {
      const { revisionsKept } = await import('../revisions.ts');
      await app.write((ctx) => ctx.settings.set(revisionsKept, 3));
      for (const count of [1, 2, 3, 4, 5]) await save(await change({ count }));
      const { revisions } = await editor.rpc<{ revisions: object[] }>('/website/editor/history', { model, id });
      expect(revisions).toMatchObject([{ after: 5 }, { after: 4 }, { after: 3 }]);
      await app.write((ctx) => ctx.settings.set(revisionsKept, 100));
    });
  });

  const nameOf = (login: string) =>
    app.read(async (ctx) => (await ctx.model(User).first([['login', '=', login]], { select: { name: true } }))?.name);
});
