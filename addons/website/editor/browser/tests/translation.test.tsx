import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { OpenTranslation } from '../calls.ts';
import { EditSession } from '../session.ts';
import { EditorApp } from '../ui/editor-app.tsx';
import { fillGaps, type MadeCall, serve } from './kit.ts';

beforeAll(fillGaps);
afterEach(cleanup);

const languages = [
  { code: 'en_US', name: 'English', href: '/about' },
  { code: 'fr_FR', name: 'Français', href: '/fr/about' },
];
const snippet = { id: 'x.offer', label: 'Offer', tab: 'structure', thumbnail: '', block: null, options: [] };
const term = (source: string, translation: OpenTranslation['terms'][number]['term'] = null) =>
  ({ kind: 'text', name: '', source, term: translation, optional: false }) as const;
const translation: OpenTranslation = {
  source: 'en_US',
  html:
    '<section class="s_a"><h2><span data-ed-term="0">Bonjour</span></h2><p><span data-ed-term="1">We are here.</span></p></section>' +
    '<section class="s_b"><p><span data-ed-term="2">Appelez-nous.</span></p><img data-ed-words="3" src="/a.png" alt="A house"></section><div data-block="website.saved" data-options=\'{"block":7}\'></div><div data-block="website.form" data-options=\'{"form":3}\'></div>',
  terms: [
    term('Hello', 'Bonjour'),
    term('We are here.'),
    term('Call us now.', ['Appelez-nous.', 'Call us.']),
    { ...term('A house'), kind: 'attribute', name: 'alt' },
  ],
  parts: [
    { block: 'website.saved', model: 'website.saved_block', id: 7, all: 0, missing: 0, outdated: 0 },
    { block: 'website.form', model: 'website.form', id: 3, all: 3, missing: 1, outdated: 1 },
  ],
};
const ofForm = (
  question: number | null,
  name: string,
  source: string,
  translation: string | [string, string] | null = null,
) => ({
  question,
  name,
  from: 'en_US',
  source,
  term: translation,
  optional: false,
});

const ofPage = (field: string, source: string, translation: string | [string, string] | null = null) => ({
  field,
  from: 'en_US',
  source,
  term: translation,
  optional: false,
});
const ofTitle = { block: 'website.seo', model: 'website.page', id: 4 } as const;

async function open(
  answer: (params: Record<string, unknown>) => unknown = () => ({ saved: true, elements: [] }),
  openedTranslation = translation,
  { innerWidth = 1280, begin }: { innerWidth?: number; begin?: string } = {},
) {
  document.body.innerHTML =
    '<div data-oe-model="website.page" data-oe-id="4" data-oe-field="content"><p>As shown</p></div>';
  const fieldInfo = { label: 'Content', required: false, translated: true, size: null, choices: null, profile: 'page' };
  const element = {
    model: 'website.page',
    id: 4,
    field: 'content',
    type: 'html',
    value: [],
    revision: 'r',
    ...fieldInfo,
  };
  const requests: MadeCall[] = serve({
    '/website/editor/open': ({ elements }) => ({
      elements: (elements as { field: string }[]).map(({ field }) =>
        field === 'content'
          ? { ...element, translation: openedTranslation }
          : {
              ...element,
              field,
              type: 'char',
              value: 'x',
              revision: `of ${field}`,
              label: field,
              size: 70,
              translation: null,
            },
      ),
    }),
    '/website/editor/page-texts': () => ({
      texts: [
        ofPage('name', 'About us'),
        ofPage('website_meta_description', 'Who we are now', ['Qui nous sommes', 'Who we are']),
      ],
    }),
    '/website/editor/form-texts': () => ({
      id: 3,
      name: 'Ask us',
      texts: [
        ofForm(1, 'name', 'Your name', 'Votre nom'),
        ofForm(2, 'name', 'Your dog', ['Votre chat', 'Your cat']),
        ofForm(null, 'thanks', 'See you soon.'),
      ],
    }),
    '/web/dataset/call_kw/website.form/write': () => true,
    '/website/editor/block': () => ({ html: '' }),
    '/website/editor/drawer': () => ({ snippets: [snippet], blocks: [], options: [], pages: [] }),
    '/website/editor/save': answer,
    '/web/dataset/call_kw/website.form/fields_get': () => ({ thanks: { string: 'Thank-you message' } }),
    '/web/dataset/call_kw/website.form.field/fields_get': () => ({ name: { string: 'Question' } }),
  });
  const session = await EditSession.open('fr_FR', document, { onPictures: () => {} }, languages);
  const [field] = session.translations;
  if (!field) throw new Error('Nothing is translated.');
  Object.assign(window, { innerWidth });
  render(<EditorApp session={session} pasted={{ take: () => {} }} begin={begin} onDone={() => {}} />);
  return { session, field, requests, user: userEvent.setup() };
}
const edits = (requests: readonly MadeCall[]) =>
  requests.findLast(({ path }) => path.endsWith('/save'))?.params.elements as { value: unknown }[] | undefined;

describe('a page that is translated', () => {
  it('lists its texts by the blocks that an editor knows, not by their columns', async () => {
    const html =
      '<section data-name="x.offer"><div class="row"><div><p><span data-ed-term="0">A</span></p></div></div></section>';
    await open(undefined, { ...translation, html, terms: [term('Hello')], parts: [] });
    expect(await screen.findByRole('heading', { name: 'Offer 1 to do', level: 3 })).toBeDefined();
    cleanup();
    const terms = [term('Hello <b>you</b>', 'Bonjour'), ...translation.terms.slice(1)];
    await open(undefined, { ...translation, terms, parts: [] });
    expect(await screen.findByText('Hello you')).toBeDefined();
    const labels = [...document.querySelectorAll('.ed-blocks small, .ed-terms small, button > span > small')];
    expect(labels.map(({ textContent }) => textContent?.trim())).toEqual(['Alternative text:']);
  });

  it('has texts that can be changed, and nothing else', async () => {
    const { session, field } = await open();
    expect(session.richFields).toEqual([]);
    expect(field.terms.map(({ state }) => state)).toEqual(['done', 'missing', 'outdated', 'missing']);
    expect(screen.getByText('2 of 7 translated')).toBeDefined();
    expect(document.querySelectorAll('[data-ed-handle]')).toHaveLength(0);
    expect(screen.queryByRole('button', { name: 'Blocks' })).toBeNull();
    const shared = screen.getByRole('link', { name: 'Translate shared block' });
    expect(shared.getAttribute('href')).toMatch(/\/website\/saved-block\/7\?enable_editor=1$/);
    expect(screen.getByRole('link', { name: 'Edit them in English' }).getAttribute('href')).toBe(
      '/about?enable_editor=1',
    );
    session.end();
    expect(field.root.outerHTML).not.toContain('contenteditable');
  });

  it('has forms that are translated in their own window, each text beside its source', async () => {
    let parts = translation.parts;
    const { requests, user } = await open(undefined, {
      ...translation,
      terms: [term('Hello', 'Bonjour')],
      get parts() {
        return parts;
      },
    });
    await screen.findByText('2 of 4 translated');
    expect(screen.getByText('2 to do')).toBeDefined();
    // Only texts of the form are missing.
    await user.click(screen.getByRole('button', { name: 'Next untranslated' }));
    expect(document.activeElement?.textContent).toBe('Translate form');
    await user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Translate “Ask us”' }));
    const questions = dialog.getAllByRole('textbox', { name: 'Question', description: /English/ });
    expect(questions.map((input) => (input as HTMLInputElement).value)).toEqual(['Votre nom', 'Votre chat']);
    expect(dialog.getByText('Your cat')).toBeDefined();
    expect(dialog.queryByRole('button', { name: /Add a question|Move up/ })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Translation is up to date' }));
    const thanks = dialog.getByRole('textbox', { name: 'Thank-you message', description: /See you soon/ });
    expect((thanks as HTMLTextAreaElement).value).toBe('');
    await user.type(thanks, 'À bientôt.');
    parts = [{ block: 'website.form', model: 'website.form', id: 3, all: 3, missing: 0, outdated: 0 }];
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('4 of 4 translated')).toBeDefined();
    expect(requests.find(({ path }) => path.endsWith('/write'))?.params).toMatchObject({
      args: [[3], { thanks: 'À bientôt.', field_ids: [[1, 2, { name: 'Votre chat' }]] }],
      kwargs: { context: { lang: 'fr_FR' } },
    });
  });

  it('has its title and what search engines are told in a window, with what lacks a translation', async () => {
    let parts: OpenTranslation['parts'] = [{ ...ofTitle, all: 2, missing: 1, outdated: 1 }];
    const { requests, user } = await open(
      undefined,
      {
        ...translation,
        terms: [term('Hello', 'Bonjour')],
        get parts() {
          return parts;
        },
      },
      { innerWidth: 360, begin: 'website.page:4' },
    );
    const dialog = within(await screen.findByRole('dialog', { name: 'Title and SEO' }));
    const name = await dialog.findByRole('textbox', { name: 'name', description: /English.*About us/ });
    expect(document.activeElement).toBe(name);
    await user.type(name, 'À propos');
    expect(dialog.getByText('Who we are')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Translation is up to date' }));
    parts = [{ ...ofTitle, all: 2, missing: 0, outdated: 0 }];
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('3 of 3 translated')).toBeDefined();
    expect(edits(requests)).toEqual([
      { model: 'website.page', id: 4, field: 'name', revision: 'of name', value: 'À propos' },
      {
        model: 'website.page',
        id: 4,
        field: 'website_meta_description',
        revision: 'of website_meta_description',
        value: 'Qui nous sommes',
      },
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('whose heading is translated has the same words for its title already', async () => {
    const html = '<h1><span data-ed-term="0">About us</span></h1>';
    const parts = [{ ...ofTitle, all: 2, missing: 1, outdated: 1 }];
    const { field, requests, user } = await open(undefined, { ...translation, html, terms: [term('About us')], parts });
    field.translate(0, 'À propos <b>de nous</b>');
    await user.click(await screen.findByRole('button', { name: 'Translate title and SEO' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Title and SEO' }));
    const name = await dialog.findByRole('textbox', { name: 'name' });
    expect(name).toHaveProperty('value', 'À propos de nous');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(edits(requests)).toEqual([
      { model: 'website.page', id: 4, field: 'name', revision: 'of name', value: 'À propos de nous' },
    ]);
  });

  it('begins where the check of the page leads to', async () => {
    const { session } = await open(undefined, translation, { begin: 'next' });
    expect(session.view.term?.at).toBe(1);
    cleanup();
    await open(undefined, translation, { innerWidth: 360, begin: 'website.saved_block:7' });
    expect(document.activeElement?.textContent).toBe('Translate shared block');
    cleanup();
    await open(undefined, translation, { innerWidth: 360, begin: '1' });
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('has texts that are names, which stay as they are, settled at once and taken back at once', async () => {
    const { session, field, user } = await open(undefined, {
      ...translation,
      html: ['Marie du Pré', 'Opening hours', 'SC Freiburg']
        .map((text, index) => `<p><span data-ed-term="${index}">${text}</span></p>`)
        .join(''),
      terms: [term('Marie du Pré'), term('Opening hours'), term('SC Freiburg')],
      parts: [],
    });
    await user.click(screen.getByRole('button', { name: 'Choose texts to keep as is' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Which texts don’t need translating?' }));
    const selectedText = () =>
      dialog
        .getAllByRole<HTMLInputElement>('checkbox')
        .flatMap(({ checked, labels }) => (checked ? [labels?.[0]?.textContent] : []));
    expect(selectedText()).toEqual(['Marie du Pré', 'SC Freiburg']);
    await user.click(dialog.getByRole('checkbox', { name: 'All' }));
    expect(selectedText()).toHaveLength(4);
    await user.click(dialog.getByRole('checkbox', { name: 'Opening hours' }));
    await user.click(dialog.getByRole('button', { name: 'Keep as is' }));
    expect(screen.getByText('2 of 3 translated')).toBeDefined();
    expect(screen.getByText('Kept as is: 2')).toBeDefined();
    expect(field.value()).toMatchObject([{ text: 'Marie du Pré' }, { text: 'SC Freiburg' }]);
    session.undo();
    expect(field.value()).toEqual([]);
  });

  it('takes up the words of a line that is pressed beside them', async () => {
    const { session, user } = await open();
    await user.pointer({ keys: '[MouseLeft]', target: document.querySelector('h2') as HTMLElement });
    expect(session.view.term?.at).toBe(0);
  });

  it('goes from one missing text to the next, with the source beside it', async () => {
    const { session, user } = await open();
    await user.click(screen.getByRole('button', { name: 'Next untranslated' }));
    expect(session.view.term?.at).toBe(1);
    const sourcePanel = screen.getByRole('region', { name: 'Selected text' });
    expect(sourcePanel.textContent).toContain('We are here.');
    await user.click(within(sourcePanel).getByRole('button', { name: 'Keep as is' }));
    expect(screen.getByText('3 of 7 translated')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Next untranslated' }));
    expect(sourcePanel.textContent).toContain('Call us.');
    await user.click(screen.getByRole('button', { name: 'Translation is up to date' }));
    await user.click(screen.getByRole('button', { name: 'Next untranslated' }));
    await user.type(screen.getByRole('textbox', { name: 'Alternative text' }), 'Une maison{Enter}');
    expect(screen.getByText('5 of 7 translated')).toBeDefined();
  });

  it('has texts that stay as they are with one press, and translations that are still right', async () => {
    const { session, requests, user } = await open();
    session.translations[0]?.activate(1);
    for (let times = 0; times < 2; times++) await user.keyboard('{Alt>}{Shift>}[KeyS]{/Shift}{/Alt}');
    expect(screen.getByText('3 of 7 translated')).toBeDefined();
    expect(document.activeElement?.textContent).toBe('We are here.');
    await user.keyboard('{Alt>}{Shift>}[KeyN][KeyS]{/Shift}{/Alt}{Control>}s{/Control}');
    expect(edits(requests)?.[0]?.value).toEqual([
      { at: 1, source: 'We are here.', before: null, text: 'We are here.' },
      { at: 2, source: 'Call us now.', before: ['Appelez-nous.', 'Call us.'], text: 'Appelez-nous.' },
    ]);
  });

  it('has words of pictures typed in the panel, which opens for them, and never in the text before', async () => {
    const { session, field, user } = await open(undefined, { ...translation, parts: [] }, { innerWidth: 360 });
    field.translate(1, 'Nous voici.');
    field.translate(2, 'Appelez-nous.');
    field.activate(0);
    await user.keyboard('{Alt>}{Shift>}n{/Shift}{/Alt}');
    expect(session.view.region).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Alternative text' }));
    await user.keyboard('Une maison{Enter}');
    expect(screen.getByText('4 of 4 translated')).toBeDefined();
    expect(field.terms[0]?.text).toBe('Bonjour');
    await user.keyboard('{Escape}');
    expect(document.activeElement?.className).toContain('ed-blocks');
  });

  it('saves the texts that were changed, each with what it translates', async () => {
    const { session, field, requests, user } = await open();
    field.activate(1);
    field.active?.editor.commands.setContent('Nous sommes <strong>là</strong>.');
    field.deactivate();
    expect(session.view.changed).toBe(1);
    field.translate(2, 'Appelez-nous.');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(edits(requests)?.[0]?.value).toEqual([
      { at: 1, source: 'We are here.', before: null, text: 'Nous sommes <strong>là</strong>.' },
      { at: 2, source: 'Call us now.', before: ['Appelez-nous.', 'Call us.'], text: 'Appelez-nous.' },
    ]);
  });

  it('takes a step back, and back again', async () => {
    const { session, field } = await open();
    field.translate(1, 'Nous voici.');
    expect(field.root.textContent).toContain('Nous voici.');
    session.undo();
    expect(field.root.textContent).toContain('We are here.');
    expect(session.view.changed).toBe(0);
    session.redo();
    expect(field.root.textContent).toContain('Nous voici.');
  });

  it('asks only about the text that somebody else translated meanwhile', async () => {
    let isFirst = true;
    const { field, requests, user } = await open((params) => {
      const [change] = params.elements as { value: { at: number }[] }[];
      if (!isFirst) return { saved: true, elements: [] };
      isFirst = false;
      const conflict = {
        model: 'website.page',
        id: 4,
        field: 'content',
        label: 'Content',
        type: 'html',
        revision: 'x',
      };
      const edit = change?.value[0];
      return {
        saved: false,
        refused: [],
        conflicts: [{ ...conflict, mine: 'Nous voici.', theirs: 'Nous voilà.', by: 'Ada', at: null, term: edit }],
      };
    });
    field.translate(1, 'Nous voici.');
    field.translate(3, 'Une maison');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText('We are here.')).toBeDefined();
    await user.click(within(dialog).getByRole('radio', { name: /Ada/ }));
    await user.click(within(dialog).getByRole('button', { name: 'Save with these choices' }));
    expect(edits(requests)?.[0]?.value).toMatchObject([
      { at: 1, before: 'Nous voilà.', text: 'Nous voilà.' },
      { at: 3, text: 'Une maison' },
    ]);
  });
});
