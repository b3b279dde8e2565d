import { createCatalogs } from '../catalog.ts';
import { type Catalog, parseCatalog, shareMarks } from '../po.ts';

function po(addon: string, lang: string, body: string, plural = 'nplurals=2; plural=(n > 1);'): Catalog {
  const source = `msgid ""\nmsgstr ""\n"Plural-Forms: ${plural}\\n"\n\n${body}`;
  const { catalog, problems } = parseCatalog({ addon, lang, file: `i18n/${lang}.po`, source });
  expect(problems).toEqual([]);
  if (!catalog) throw new Error('no catalogue');
  return catalog;
}

const french = createCatalogs([
  po('base', 'fr', 'msgid "Save"\nmsgstr "Enregistrer"\n\nmsgid "Name"\nmsgstr "Nom"\n'),
  po(
    'forum',
    'fr',
    'msgid "Save"\nmsgstr "Publier"\n\n#. browser\nmsgid "Vote"\nmsgstr "Voter"\n\nmsgid "{n} answer"\nmsgid_plural "{n} answers"\nmsgstr[0] "{n} réponse"\nmsgstr[1] "{n} réponses"\n',
  ),
  po('forum', 'fr_CA', 'msgid "Save"\nmsgstr "Sauvegarder"\n'),
]);

test('an addon speaks by its own catalogue', () => {
  expect(french.lookup('fr_FR', 'forum', 'Save')).toBe('Publier');
  expect(french.lookup('fr_FR', 'base', 'Save')).toBe('Enregistrer');
  expect(french.lookup('fr_FR', 'forum', 'Name')).toBeUndefined();
});

test('one text with two meanings has a translation for each', () => {
  const post = createCatalogs([
    po('club', 'fr', 'msgid "Post"\nmsgstr "Message"\n\nmsgctxt "button"\nmsgid "Post"\nmsgstr "Publier"\n'),
  ]);
  expect(post.translate('fr_FR', 'club', 'Post')).toBe('Message');
  expect(post.translate('fr_FR', 'club', 'button\u0004Post')).toBe('Publier');
  expect(post.translate('en_US', 'club', 'button\u0004Post')).toBe('Post');
});

test('a variety of a language falls back to the language', () => {
  expect(french.lookup('fr_CA', 'forum', 'Save')).toBe('Sauvegarder');
  expect(french.lookup('fr_CA', 'forum', 'Vote')).toBe('Voter');
});

test('a text without an addon is taken from the first that knows it', () => {
  expect(french.translate('fr_FR', null, 'Save')).toBe('Enregistrer');
  expect(french.translate('fr_FR', 'forum', 'Save')).toBe('Publier');
  expect(french.translate('fr_FR', 'forum', 'Name')).toBe('Nom');
});

test('what nobody translates stays in the source language, filled', () => {
  expect(french.translate('fr_FR', null, 'Hello {name}', { name: 'Zoé' })).toBe('Hello Zoé');
  expect(french.translate('de_DE', null, 'Save')).toBe('Save');
});

test('plural forms follow the language, and the source where nothing is translated', () => {
  const answers = (n: number, lang: string) => french.plural(lang, 'forum', '{n} answer', '{n} answers', n);
  expect([answers(0, 'fr_FR'), answers(1, 'fr_FR'), answers(2, 'fr_FR')]).toEqual([
    '0 réponse',
    '1 réponse',
    '2 réponses',
  ]);
  expect([answers(0, 'en_US'), answers(1, 'en_US')]).toEqual(['0 answers', '1 answer']);
});

test('the bundle holds texts of the browser only, by addon, in the shape Odoo gives', () => {
  expect(french.bundle('fr_FR', ['base', 'forum'])).toEqual({
    modules: { base: { messages: [] }, forum: { messages: [{ id: 'Vote', string: 'Voter' }] } },
    lang_parameters: expect.objectContaining({
      id: 'fr_FR',
      direction: 'ltr',
      date_format: '%d/%m/%Y',
      decimal_point: ',',
    }),
  });
});

test('pages for visitors do without the texts of the backend’s screens', () => {
  const web = createCatalogs([
    po('web', 'fr', '#. browser\nmsgid "Close"\nmsgstr "Fermer"\n\n#. backend\nmsgid "Filters"\nmsgstr "Filtres"\n'),
  ]);
  const ids = (area?: 'public' | 'web') => web.bundle('fr_FR', ['web'], area).modules.web?.messages.map(({ id }) => id);
  expect(ids()).toEqual(['Close']);
  expect(ids('web')).toEqual(['Close', 'Filters']);
});

test('a text that browsers need in one language they get in every language', () => {
  const wall = [
    po('club', 'en', 'msgid "Titre"\nmsgstr "Title"\n\nmsgid "Mur"\nmsgstr "Wall"\n'),
    po('club', 'fr', '#. browser\nmsgid "Titre"\nmsgstr "Titre"\n'),
    po('forum', 'en', 'msgid "Titre"\nmsgstr "Heading"\n'),
  ];
  const english = createCatalogs(shareMarks(wall)).bundle('en_US', ['club', 'forum']).modules;
  expect(english).toEqual({ club: { messages: [{ id: 'Titre', string: 'Title' }] }, forum: { messages: [] } });
});

test('the place of a translation is known', () => {
  expect(french.place('fr_FR', 'forum', 'Vote')).toEqual({ file: 'i18n/fr.po', line: 9 });
});

describe('a faulty catalogue', () => {
  const faults = (body: string, lang = 'fr') =>
    parseCatalog({
      addon: 'forum',
      lang,
      file: `i18n/${lang}.po`,
      source: `msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n${body}`,
    });

  test('names file and line of each translation that does not fit, and leaves it out', () => {
    const { catalog, problems } = faults(
      'msgid "Hi {name}"\nmsgstr "Salut"\n\nmsgid "Fine"\nmsgstr "Bien"\n\nmsgid "{n} a"\nmsgid_plural "{n} b"\nmsgstr[0] "x"\n',
    );
    expect([...(catalog?.entries.keys() ?? [])]).toEqual(['Fine']);
    expect(problems).toEqual([
      expect.objectContaining({
        addon: 'forum',
        file: 'i18n/fr.po',
        line: 4,
        message: expect.stringContaining('{name} is missing'),
      }),
      expect.objectContaining({ line: 10, message: expect.stringContaining('it has 1 forms, and the language has 2') }),
    ]);
  });

  test('reports a text that is there twice', () => {
    const { problems } = faults('msgid "A"\nmsgstr "B"\n\nmsgid "A"\nmsgstr "C"\n');
    expect(problems).toEqual([expect.objectContaining({ line: 7, message: '"A" is there twice.' })]);
  });

  test('leaves out fuzzy and empty translations without a word', () => {
    const { catalog, problems } = faults('#, fuzzy\nmsgid "A"\nmsgstr "B"\n\nmsgid "C"\nmsgstr ""\n');
    expect(catalog?.entries.size).toBe(0);
    expect(problems).toEqual([]);
  });

  test('that cannot be read is one problem with its line', () => {
    const { catalog, problems } = faults('msgid "A"\nmsgfoo "B"\n');
    expect(catalog).toBeUndefined();
    expect(problems).toEqual([expect.objectContaining({ file: 'i18n/fr.po', line: 5 })]);
  });

  test('reads texts over several lines with their escapes', () => {
    const { catalog } = faults('msgid ""\n"Say \\"hi\\"\\n"\n"twice"\nmsgstr "Dis"\n');
    expect(catalog?.entries.get('Say "hi"\ntwice')).toMatchObject({ line: 4, texts: ['Dis'] });
  });

  test('with a name that is no language is refused', () => {
    expect(faults('', 'french').problems).toHaveLength(1);
  });
});
