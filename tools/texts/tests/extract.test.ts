import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseCatalog, readCatalog, readPot, writePot } from '@pergola/texts';
import { collectMessages, extract } from '../extract.ts';
import { importPo, missing } from '../import-po.ts';
import { scanCode } from '../scan-code.ts';

const files: Readonly<Record<string, string>> = {
  'addon.ts':
    "export default defineAddon({ name: 'forum', title: 'Forum', summary: `Questions and answers`, version: '1.0' });",
  'models/post.ts': `
    const states = { active: 'Active', close: 'Closed' } as const;
    export class Post extends model('forum.post', {
      name: f.char({ required: true, label: 'Title', help: 'What it is about' }),
      parent_id: f.many2one('forum.post'),
      vote_count: f.integer(),
      state: f.selection(states),
      kind: f.selection(['plain_text', 'link']),
    }) {
      vote(ctx) {
        if (own) throw new NotAllowed('You cannot vote on your own post', { title: 'Not this one', fields: { vote: 'Yours' } });
        const text = t(ctx, 'You have {n} ' + 'karma', { n });
        return open ? t(this.ctx, late ? 'Too late' : 'In time') : plural('{n} vote', '{n} votes', n) + t(text);
      }
    }`,
  'islands/vote-buttons.tsx':
    "export default function VoteButtons() { return <button title={t('Vote up')}>x</button>; }",
  'templates/forum.index.hbs':
    '<h1>Forum of {{name}}</h1>\n<p title="A tip">{{plural n "{n} answer" "{n} answers"}}</p>',
  'templates/web.layout.patch.hbs': '{{#at "nav" "inside"}}\n<a href="/forum">Forum</a>\n{{/at}}',
  'tests/post.test.ts': "t('Never shown')",
  'data/forum.ts': "data(Forum, { help: { label: 'Data' } })",
};

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'forum-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const input = () => ({ addon: 'forum', addonDir: folder });

test('a text stands after the context, and is found where it is only marked', async () => {
  const code =
    "const label = 'Shown'; t(ctx.as({ lang }), label); t(reader, 'News', { ctx }); plural(this.ctx, '{n} day', '{n} days', 2); mark('Later');";
  expect((await scanCode(code, 'routes.ts')).map(({ id }) => id).sort()).toEqual(['Later', 'News', 'Shown', '{n} day']);
});

test('a view’s title names a field and is no text; what stands on its buttons is one', async () => {
  const code =
    "view.form(Tag, { title: 'name', buttons: [{ method: 'close', label: 'Close' }] }); dialog({ title: 'Tags' });";
  expect((await scanCode(code, 'views.ts')).map(({ id }) => id)).toEqual(['Close', 'Tags']);
});

test('messages of schemas are texts, the values of others are not', async () => {
  const code =
    "z.object({ email: z.email('No e-mail address.'), name: z.string().min(1, 'Say who.'), kind: z.literal('Plain') });";
  expect((await scanCode(code, 'routes.ts')).map(({ id }) => id)).toEqual(['No e-mail address.', 'Say who.']);
});

test('Messages of schemas are found however they are given', async () => {
  const code = `z.object({
    day: z.iso.date('Choose a day.'),
    count: z.coerce.number('Enter a number.').positive('Above 0.').max(9, { error: 'At most 9.' }),
    code: z.string({ error: 'Enter a code.' }).startsWith('A-', { message: 'Codes begin with A-.' }),
    kind: z.literal('plain').default('plain'),
    sort: z.enum(['name', 'date']).catch('name'),
    bike: z.enum(bikes, 'Choose a bike.'),
    terms: z.literal('on', 'Accept the terms.'),
    days: z.array(z.iso.date(), 'Choose days.'),
    file: z.instanceof(File, 'Choose a file.'),
    either: z.discriminatedUnion('type', [z.object({ type: z.literal('a') })]),
  });`;
  expect((await scanCode(code, 'routes.ts')).map(({ id }) => id)).toEqual([
    'Choose a day.',
    'At most 9.',
    'Above 0.',
    'Enter a number.',
    'Codes begin with A-.',
    'Enter a code.',
    'Choose a bike.',
    'Accept the terms.',
    'Choose days.',
    'Choose a file.',
  ]);
});

test('texts of the backend’s screens are marked as such, and as no others', async () => {
  await mkdir(path.join(folder, 'backend/list'), { recursive: true });
  await writeFile(path.join(folder, 'backend/list/bar.tsx'), "export const bar = () => t('Choose all');");
  const backendTexts = (await collectMessages(input())).filter(({ backend }) => backend);
  expect(backendTexts).toMatchObject([{ id: 'Choose all', browser: false }]);
  expect(writePot('forum', backendTexts)).toContain('#. backend');
});

test('texts are found in code, models, islands, templates and changes to templates, and nowhere else', async () => {
  const messages = await collectMessages(input());
  expect(messages.map(({ id }) => id)).toEqual([
    'Forum',
    'Questions and answers',
    'Vote up',
    'Active',
    'Closed',
    'Title',
    'What it is about',
    'Parent',
    'Vote count',
    'State',
    'Kind',
    'Plain text',
    'Link',
    'You cannot vote on your own post',
    'Yours',
    'Not this one',
    'You have {n} karma',
    'Too late',
    'In time',
    '{n} vote',
    'Forum of {name}',
    'A tip',
    '{n} answer',
  ]);
  expect(messages.find(({ id }) => id === 'Forum')?.files).toEqual(['addon.ts', 'templates/web.layout.patch.hbs']);
  expect(messages.find(({ id }) => id === '{n} vote')?.plural).toBe('{n} votes');
  expect(messages.find(({ id }) => id === 'Forum of {name}')?.notes).toEqual(['{name} = {{name}}']);
  expect(messages.filter(({ browser }) => browser).map(({ id }) => id)).toEqual(['Vote up']);
});

test('code is read as the compiler reads it: comments and strings that look like calls are none', async () => {
  const texts = await scanCode(
    "// t('no')\nconst s = \"t('no')\";\n/* é */ t('yes');\nfoo.at('no'); t(x); t(`a ` + b);",
    'x.ts',
  );
  expect(texts).toEqual([{ id: 'yes', line: 3 }]);
});

test('an option of a block says its title, its hint and the choice of none', async () => {
  const source = `z.number().default(0).meta({ title: 'Kind', help: 'One of them.', records: 'a.kind', none: 'All kinds' }); ({ none: 'off' });`;
  const texts = (await scanCode(source, 'block.ts')).map(({ id }) => id);
  expect(texts.sort()).toEqual(['All kinds', 'Kind', 'One of them.']);
});

test('a tour says its name, and what its steps say', async () => {
  const source = `export const ask = tour({ id: 'forum.ask', name: 'Ask something', path: '/forum', steps: [
    { element: 'a', title: 'Open it', content: 'It is there.' }, { title: 'Write', action: 'type', text: 'sample' }] });`;
  const texts = (await scanCode(source, 'tours.ts')).map(({ id }) => id);
  expect(texts.sort()).toEqual(['Ask something', 'It is there.', 'Open it', 'Write']);
});

test('what is extracted is read back the same', async () => {
  const { count } = await extract(input());
  const messages = await collectMessages(input());
  // Files record positions without line numbers, which would change with every edit.
  expect(await readPot(folder, 'forum')).toEqual(messages.map(({ line: _, ...message }) => message));
  expect(count).toBe(messages.length);
  const originalPot = await readFile(path.join(folder, 'i18n/forum.pot'), 'utf8');
  await extract(input());
  expect(await readFile(path.join(folder, 'i18n/forum.pot'), 'utf8')).toBe(originalPot);
});

describe('translations that come in', () => {
  const incoming = [
    'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n',
    'msgid "Forum of {name}"\nmsgstr "Forum de {name}"\n',
    'msgid "A tip"\nmsgstr "Une {astuce}"\n',
    'msgid "{n} answer"\nmsgid_plural "{n} answers"\nmsgstr[0] "{n} réponse"\nmsgstr[1] "{n} réponses"\n',
    'msgid "Gone"\nmsgstr "Parti"\n',
  ].join('\n');

  test('are kept where they fit, and reported where they do not', async () => {
    await extract(input());
    const result = await importPo({ ...input(), lang: 'fr', source: incoming });
    expect(result).toMatchObject({ file: 'i18n/fr.po', translated: 2, unknown: ['Gone'] });
    expect(result.problems).toEqual([
      expect.objectContaining({ line: 7, message: expect.stringContaining('{astuce}') }),
    ]);
    const { catalogs, problems } = await readCatalog(folder, 'forum');
    expect(problems).toEqual([]);
    expect(catalogs[0]?.entries.get('{n} answer')?.texts).toEqual(['{n} réponse', '{n} réponses']);
    expect(catalogs[0]?.entries.has('Gone')).toBe(false);
  });

  test('survive a second round, and the mark of texts for the browser is kept', async () => {
    await extract(input());
    await importPo({ ...input(), lang: 'fr', source: incoming.replace('Gone', 'Vote up') });
    await importPo({ ...input(), lang: 'fr' });
    const source = await readFile(path.join(folder, 'i18n/fr.po'), 'utf8');
    const { catalog } = parseCatalog({ addon: 'forum', lang: 'fr', file: 'i18n/fr.po', source });
    expect(catalog?.entries.get('Vote up')).toMatchObject({ texts: ['Parti'], browser: true });
    expect(catalog?.entries.get('Forum of {name}')?.texts).toEqual(['Forum de {name}']);
  });

  test('leave the rest missing', async () => {
    await extract(input());
    await importPo({ ...input(), lang: 'fr', source: incoming });
    const [coverage] = await missing('fr_FR', [{ name: 'forum', folder }]);
    expect(coverage).toMatchObject({ addon: 'forum', total: 23 });
    expect(coverage?.missing).toHaveLength(21);
    expect(coverage?.missing).not.toContain('Forum of {name}');
    expect((await missing('de_DE', [{ name: 'forum', folder }]))[0]?.missing).toHaveLength(23);
  });
});
