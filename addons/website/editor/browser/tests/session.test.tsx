import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ownOptions } from '../../../snippets/options.ts';
import { BlockActions } from '../block-actions.ts';
import { topBlocks } from '../dom/blocks.ts';
import { RichField } from '../fields/rich-field.ts';
import { ValueField } from '../fields/value-field.ts';
import { chosenPicture } from '../pictures.ts';
import { EditSession } from '../session.ts';
import { DataBlockOptions } from '../ui/data-block-options.tsx';
import { EditorApp } from '../ui/editor-app.tsx';
import { SpaceHandle } from '../ui/space-handle.tsx';
import { inputMoment, momentOfInput, momentText, siteZone } from '../zone.ts';
import { fillGaps, serve } from './kit.ts';

beforeAll(fillGaps);

const block = (kind: string, text: string) => `<section class="s_${kind} py-5"><p>${text}</p></section>`;
const element = (value: string | null) => ({
  model: 'website.page',
  id: 4,
  field: 'content',
  type: 'html',
  value,
  translation: null,
  revision: 'r1',
  label: 'Content',
  required: false,
  translated: true,
  size: null,
  choices: null,
  profile: 'page',
});

let pasteFiles: (files: readonly File[]) => void = () => {};

async function openSession(value: string | null) {
  document.body.innerHTML = `<div data-oe-model="website.page" data-oe-id="4" data-oe-field="content">${value ?? ''}</div>`;
  serve({
    '/website/editor/open': () => ({ elements: [element(value)] }),
    '/website/editor/drawer': () => ({ snippets: [], blocks: [], options: [] }),
  });
  const session = await EditSession.open('fr_FR', document, { onPictures: (files) => pasteFiles(files) });
  const [field] = session.richFields;
  if (!(field instanceof RichField)) throw new Error('There is no rich text.');
  return { session, field };
}

describe('texts beside structure', () => {
  const press = (target: Element | null | undefined, detail = 1) =>
    target?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true, button: 0, detail }));

  it('are taken up while another text is', async () => {
    const { session, field } = await openSession(
      '<section><p>One</p></section><section><div class="col"><div class="s_icon"></div><h3>Two</h3><p>Three</p></div></section>',
    );
    press(field.root.querySelector('p'));
    press(field.root.querySelector('h3'));
    const { region } = session.view;
    expect(region?.region.element.isConnected).toBe(true);
    expect(region?.region.element.textContent).toBe('TwoThree');
    if (region) region.editor.view.posAtCoords = () => ({ pos: 2, inside: 0 });
    press(field.root.querySelector('h3'), 3);
    const { from = 0, to = 0 } = region?.editor.state.selection ?? {};
    expect(region?.editor.state.doc.textBetween(from, to, '|')).toBe('Two');
    session.end();
  });
});

it('a title of one line keeps what holds its words together', async () => {
  document.body.innerHTML = '<h1 data-oe-model="blog" data-oe-id="4" data-oe-field="name">Old</h1>';
  const piece = { ...element('Old'), model: 'blog', field: 'name', type: 'char' };
  serve({ '/website/editor/open': () => ({ elements: [piece] }), '/website/editor/drawer': () => ({}) });
  const session = await EditSession.open('fr_FR', document, { onPictures: () => {} });
  const title = document.querySelector('h1') as HTMLElement;
  title.textContent = '  Portes\n  ouvertes\u00a0! ';
  fireEvent.input(title);
  expect(session.changes().map(({ value }) => value)).toEqual(['Portes ouvertes\u00a0!']);
  session.end();
});

describe('a text', () => {
  const card = (text: string): string =>
    `<div class="col"><div class="card"><img src="/a.png" alt="A"><div class="card-body"><h3>${text}</h3><p>More</p></div></div></div>`;
  const page = `<section data-name="website.cards"><h2>Ours</h2><div class="row">${card('One')}${card('Two')}</div></section><section><p>Last</p></section>`;
  const snippets = [
    { id: 'website.cards', label: 'Cards', tab: 'structure', thumbnail: '/a.svg', block: null, options: [] },
    { id: 'website.faq', label: 'FAQ', tab: 'feature', thumbnail: '/a.svg', block: null, options: [] },
  ];
  const begin = async (html = page) => {
    document.body.innerHTML = `<div data-oe-model="website.page" data-oe-id="4" data-oe-field="content">${html}</div>`;
    serve({
      '/website/editor/open': () => ({ elements: [element(html)] }),
      '/website/editor/drawer': () => ({ snippets, blocks: [], options: [], pages: [] }),
      '/website/editor/snippet': () => ({
        html: '<section data-name="website.faq"><div class="container"><h2>Ask</h2><p>Answer</p></div></section>',
      }),
    });
    const session = await EditSession.open('fr_FR', document, { onPictures: () => {} });
    const [field] = session.richFields as [RichField];
    render(<EditorApp session={session} pasted={{ take: () => {} }} onDone={() => {}} />);
    await screen.findByRole('button', { name: 'FAQ' });
    return { session, field };
  };
  const names = ({ root }: RichField) =>
    [...root.querySelectorAll('[data-ed-region]')].map((region) => region.getAttribute('aria-label'));

  beforeEach(() => Object.assign(window, { innerWidth: 1280 }));
  afterEach(cleanup);

  it('is called by what it is of which block', async () => {
    const { session, field } = await begin();
    expect(names(field)).toEqual(['Cards: Heading', 'Cards, Column 1: Text', 'Cards, Column 2: Text', 'Section: Text']);
    session.end();
  });

  it('is called by the class or the first heading of a block that says nothing else', async () => {
    const { session, field } = await begin(
      '<section class="py-5 s_cards"><p>A</p></section><section class="s_faq_section"><p>B</p></section><section><h2>Our garden</h2><p>C</p></section>',
    );
    expect(names(field)).toEqual(['Cards: Text', 'FAQ: Text', 'Our garden: Text']);
    session.end();
  });

  it('of the search is left where a block is taken up, so that nothing brings it back into sight meanwhile', async () => {
    const { session } = await begin();
    const search = screen.getByRole('searchbox');
    search.focus();
    fireEvent.pointerDown(screen.getByRole('button', { name: 'FAQ' }));
    expect(document.activeElement).not.toBe(search);
    session.end();
  });

  it('has a block below it in its column, where that is asked for', async () => {
    const { session, field } = await begin();
    expect(screen.queryByLabelText('Where')).toBeNull();
    fireEvent.mouseDown(field.root.querySelectorAll('h3')[1] as HTMLElement);
    const where = await screen.findByLabelText('Where');
    await userEvent.selectOptions(where, 'In the selected column');
    // Sections can't be nested.
    expect(screen.queryByRole('button', { name: 'Cards' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'FAQ' }));
    await waitFor(() => expect(field.value()).toContain('website.faq'));
    expect(field.value()).toMatch(
      /<h3>Two<\/h3><p>More<\/p><section data-name="website.faq" class="o-inside"><div class="container"><h2>Ask<\/h2>.*<\/section><\/div><\/div><\/div><\/div><\/section><section><p>Last/,
    );
    expect(names(field).slice(2)).toEqual(['Cards, Column 2: Text', 'Cards, FAQ: Text', 'Section: Text']);
    // The cursor is at the start of the inserted block.
    expect(session.view.region?.editor.state.selection.$head.parent.textContent).toBe('Ask');
    session.undo();
    expect(field.value()).toBe(page);
    session.end();
  });
});

describe('a block in a column', () => {
  const inside = '<section data-name="website.faq" class="o-inside"><div class="container"><p>It</p></div></section>';
  const page = (...columns: string[]): string =>
    `<section><div class="row">${columns.map((column) => `<div class="col-md-6">${column}</div>`).join('')}</div></section>`;
  const initialHtml = page(`<p>One</p>${inside}`, '<p>Two</p>');

  it('has a handle of its own, and goes on into the next column; undone, it is chosen where it was', async () => {
    const { session, field } = await openSession(initialHtml);
    const block = () => field.root.querySelector('[data-name]') as HTMLElement;
    expect(
      [...field.root.querySelectorAll('[data-ed-handle]')].map((handle) => handle.parentElement?.dataset.name),
    ).toEqual(['website.faq', undefined]);
    session.selectBlock(field, block());
    new BlockActions(session).move('down');
    expect(field.value()).toBe(page('<p>One</p>', `${inside}<p>Two</p>`));
    session.undo();
    expect(field.value()).toBe(initialHtml);
    expect(session.view.block?.element).toBe(block());
    session.redo();
    expect(session.view.block?.element).toBe(block());
    expect(block().closest('.col-md-6')?.textContent).toContain('Two');
    session.end();
  });

  it('is chosen once a step of it is taken back, and what took its place once it is gone', async () => {
    const { session, field } = await openSession(initialHtml + block('text', 'Below'));
    const selectedText = () => session.view.block?.element.textContent;
    const faq = field.root.querySelector('[data-name]') as HTMLElement;
    field.restructure(() => faq.classList.add('text-center'));
    session.selectBlock(field, topBlocks(field.root)[1] ?? null);
    session.undo();
    expect(selectedText()).toBe('It');
    field.restructure(() => field.root.querySelector('[data-name]')?.remove());
    session.selectBlock(field, null);
    session.undo();
    expect(selectedText()).toBe('It');
    session.redo();
    expect(selectedText()).toBe('One');
    session.end();
  });
});

it('who was signed out meanwhile is led to sign in and back, with what they typed', async () => {
  localStorage.clear();
  const { session, field } = await openSession('<p>One</p>');
  globalThis.fetch = async () =>
    ({
      ok: true,
      status: 200,
      json: async () => ({ error: { code: 100, message: 'Sign in first.', data: {} } }),
    }) as Response;
  render(<EditorApp session={session} pasted={{ take: () => {} }} onDone={() => {}} />);
  act(() => field.restructure(() => field.root.append('Two')));
  fireEvent.keyDown(document, { key: 's', ctrlKey: true });
  const link = await screen.findByRole('link', { name: 'Sign in' });
  expect(link.getAttribute('href')).toBe('/web/login?redirect=%2F%3Fenable_editor%3D1');
  expect(JSON.stringify(session.drafts.read())).toContain('Two');
  session.end();
  cleanup();
});

it('“select all” takes the paragraph, and pressed again the whole text', async () => {
  const { session, field } = await openSession('<section><h2>One</h2><p>Two</p></section>');
  field.activateIn(field.root.querySelector('section') as HTMLElement);
  const editor = session.view.region?.editor;
  const activeText = (): string | undefined => {
    fireEvent.keyDown(editor?.view.dom as HTMLElement, { key: 'a', ctrlKey: true });
    const { from = 0, to = 0 } = editor?.state.selection ?? {};
    return editor?.state.doc.textBetween(from, to, '|');
  };
  expect([activeText(), activeText()]).toEqual(['Two', 'One|Two']);
  session.end();
});

it('a block is saved whole, whichever of its columns is chosen', async () => {
  const column = (text: string): string => `<div class="col-6"><p>${text}</p></div>`;
  const { session, field } = await openSession(
    `<section><div class="container"><div class="row">${column('One')}${column('Two')}</div></div></section>`,
  );
  const requests = serve({
    '/website/editor/drawer': () => ({ snippets: [], blocks: [], options: [], pages: [] }),
    '/website/editor/snippet/save': () => 5,
  });
  render(<EditorApp session={session} pasted={{ take: () => {} }} onDone={() => {}} />);
  fireEvent.mouseDown(field.root.querySelector('p') as HTMLElement);
  await userEvent.click(await screen.findByRole('button', { name: 'Save this block' }));
  const dialog = within(screen.getByRole('dialog'));
  dialog.getByLabelText('Name').focus();
  await userEvent.keyboard('Both');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(requests.find(({ path }) => path.endsWith('/save'))).toBeDefined());
  const { name, content } = requests.find(({ path }) => path.endsWith('/save'))?.params ?? {};
  expect(content).toMatch(/^<section.*One.*Two.*<\/section>$/);
  expect(name).toBe('Both');
  session.end();
  cleanup();
});

it('a picture that is pressed has its options beside it, where the panel is open', async () => {
  Object.assign(window, { innerWidth: 1280 });
  const { session, field } = await openSession('<section><img src="/a.png" alt="A"><div><p>One</p></div></section>');
  render(<EditorApp session={session} pasted={{ take: () => {} }} onDone={() => {}} />);
  const isShown = (name: string) => screen.getByRole('tab', { name }).getAttribute('aria-selected');
  fireEvent.mouseDown(field.root.querySelector('p') as HTMLElement);
  expect(isShown('Blocks')).toBe('true');
  fireEvent.mouseDown(field.root.querySelector('img') as HTMLElement);
  await waitFor(() => expect(isShown('Options')).toBe('true'));
  // Escape closes the dialog above the panel, not the panel.
  await userEvent.click(await screen.findByRole('button', { name: 'Crop' }));
  screen.getByRole('dialog', { name: 'Crop image' }).querySelector('select')?.focus();
  await userEvent.keyboard('{Escape}');
  expect(isShown('Options')).toBe('true');
  session.end();
  cleanup();
  Object.assign(window, { innerWidth: 1024 });
});

it('a film is exchanged among the options of its block, whatever of it is typed in', async () => {
  Object.assign(window, { innerWidth: 1280 });
  const { session, field } = await openSession(
    '<section data-name="website.video"><div class="container"><div><a class="s_media" href="https://youtu.be/aqz-KE-bpKQ"><img src="/a.png" alt="" role="presentation"> A film</a><p>Words</p></div></div></section><div data-block="website.map" data-options="{}"><a class="s_media" href="https://osm.example/">Map</a></div>',
  );
  render(<EditorApp session={session} pasted={{ take: () => {} }} onDone={() => {}} />);
  fireEvent.mouseDown(field.root.querySelector('p') as HTMLElement);
  await userEvent.click(screen.getByRole('tab', { name: 'Options' }));
  const address = within(await screen.findByRole('group', { name: 'Video, map or music' })).getByLabelText('Address');
  await userEvent.clear(address);
  await userEvent.type(address, 'https://vimeo.com/76979871{Enter}');
  expect(field.root.querySelector('a.s_media')?.getAttribute('href')).toBe('https://vimeo.com/76979871');
  expect(session.view.canUndo).toBe(true);
  // The server generates a map's URL from its coordinates.
  fireEvent.mouseDown(field.root.querySelector('[data-block] a') as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Video, map or music' })).toBeNull());
  session.end();
  cleanup();
  Object.assign(window, { innerWidth: 1024 });
});

it('a handle that is pressed chooses its block', async () => {
  const { session, field } = await openSession(
    ['One', 'Two'].map((text) => `<section><div class="container"><p>${text}</p></div></section>`).join(''),
  );
  const [, second] = topBlocks(field.root);
  fireEvent.click(second?.querySelector('[data-ed-handle]') as HTMLElement);
  expect(session.view.block?.element).toBe(second);
  session.end();
});

it('blocks keep one handle each, however often their texts are taken up', async () => {
  const { session, field } = await openSession(
    '<section><div class="container"><p>One</p></div></section><section><div class="container"><p>Two</p></div></section>',
  );
  for (const section of topBlocks(field.root)) field.activateIn(section);
  session.endTyping();
  expect(field.root.querySelectorAll('[data-ed-handle]')).toHaveLength(2);
  session.end();
});

describe('steps', () => {
  const steps = async () => {
    const { session, field } = await openSession(block('text', 'One'));
    const type = (text: string): void => {
      const section = field.root.querySelector<HTMLElement>('section');
      if (section) field.activateIn(section);
      session.view.region?.editor.commands.insertContent(text);
    };
    field.restructure(() => field.root.append(document.createElement('hr')));
    const currentHtml = () => String(field.value()).replace(/<section[^>]*>/, '<section>');
    return { session, type, shown: currentHtml };
  };

  it('are made again in their order, typing among them', async () => {
    const { session, type, shown: currentHtml } = await steps();
    type(' two');
    for (let n = 0; n < 3; n++) session.undo();
    expect(currentHtml()).toBe('<section><p>One</p></section>');
    session.redo();
    expect(currentHtml()).toBe('<section><p>One</p></section><hr>');
    session.redo();
    expect(currentHtml()).toBe('<section><p>One two</p></section><hr>');
    session.end();
  });

  it('that were taken back are not made again over what was typed since', async () => {
    const { session, type, shown: currentHtml } = await steps();
    session.undo();
    type(' two');
    session.redo();
    expect(currentHtml()).toBe('<section><p>One two</p></section>');
    session.end();
  });
});

describe('a page begun empty', () => {
  it('gives a picture of its first block to be chosen', async () => {
    const { session, field } = await openSession(null);
    expect(field.root.hasAttribute('data-ed-region')).toBe(true);
    field.restructure(() => {
      field.root.innerHTML =
        '<section class="s_banner"><div class="row"><div class="col"><h1>Hi</h1></div><div class="col"><img src="/a.png" alt=""></div></div></section>';
    });
    expect(field.root.hasAttribute('data-ed-region')).toBe(false);
    expect(field.root.dataset.editing).toBe('html');
    const picture = field.root.querySelector('img');
    picture?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true, button: 0 }));
    expect(session.view.picture?.element).toBe(picture);
    session.end();
    expect(field.root.outerHTML).not.toContain('data-ed-');
  });
});

it('a picture that was exchanged is shown as it is now, before the browser has fetched it', async () => {
  const { session, field } = await openSession(
    '<section class="s_banner"><div class="row"><div class="col"><img src="/a.png" alt=""></div></div></section>',
  );
  const picture = field.root.querySelector('img');
  Object.defineProperty(picture, 'currentSrc', { value: 'http://localhost/a.png' });
  picture?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true, button: 0 }));
  chosenPicture(session.view)?.replace({ id: 2, kind: 'picture', name: 'b', website_url: '/b.png' });
  expect(chosenPicture(session.view)?.element.src).toBe('http://localhost/b.png');
  session.end();
});

it('a picture file dropped on a picture takes its place, in another text it stands there, and elsewhere it opens nothing', async () => {
  document.body.innerHTML = '';
  const { session, field } = await openSession(
    '<section><div class="row"><div class="col"><p>One</p></div><div class="col"><img src="/a.png" alt=""></div></div></section>',
  );
  const draggedTexts: string[] = [];
  const drop = (target: Element | null, type = 'image/png'): boolean => {
    const event = new MouseEvent('drop', { bubbles: true, cancelable: true });
    const files = [new File(['x'], 'a.png', { type })];
    Object.defineProperty(event, 'dataTransfer', { value: { files, types: ['Files'], getData: () => '' } });
    return !target?.dispatchEvent(event);
  };
  pasteFiles = (files) => {
    const { region, picture } = session.view;
    draggedTexts.push(`${files.length} ${picture?.element.getAttribute('src') ?? region?.region.element.textContent}`);
  };
  render(<EditorApp session={session} pasted={{ take: () => {} }} onDone={() => {}} />);
  expect(drop(field.root.querySelector('img'))).toBe(true);
  expect(drop(field.root.querySelector('p'))).toBe(true);
  expect(drop(document.body)).toBe(true);
  expect(drop(field.root.querySelector('p'), 'text/plain')).toBe(true);
  expect(draggedTexts).toEqual(['1 /a.png', '1 One']);
  session.end();
  cleanup();
});

it('a block shows what its record is now to whoever comes back from another tab', async () => {
  const { session, field } = await openSession(
    '<div data-block="website.saved" data-options="{&quot;block&quot;:3}"><p>Before</p></div>',
  );
  serve({ '/website/editor/block': () => ({ html: '<div data-block="website.saved"><p>Now</p></div>' }) });
  const element = field.root.querySelector<HTMLElement>('[data-block]');
  if (!element) throw new Error('There is no block.');
  const properties = { block: { type: 'integer', choices: [] } };
  const drawer = {
    snippets: [],
    pages: [],
    options: [],
    blocks: [{ id: 'website.saved', label: 'B', schema: { properties } }],
  };
  render(<DataBlockOptions session={session} field={field} element={element} drawer={drawer} onForm={() => {}} />);
  expect(field.root.textContent).toBe('Before');
  fireEvent.focus(window);
  await waitFor(() => expect(field.root.textContent).toBe('Now'));
  expect(element.querySelector('p')?.hasAttribute('inert')).toBe(true);
  expect(session.changes()).toEqual([]);
  session.end();
  cleanup();
});

it('a block chooses among the records of the one that another option names', async () => {
  const { session, field } = await openSession(
    '<div data-block="a.questions" data-options="{&quot;forum&quot;:1,&quot;tag&quot;:11}"></div>',
  );
  serve({ '/website/editor/block': () => ({ html: '<div data-block="a.questions"></div>' }) });
  const element = field.root.querySelector<HTMLElement>('[data-block]');
  if (!element) throw new Error('There is no block.');
  const all = { type: 'integer', minimum: 0, none: 'All' };
  const choice = (value: number, label: string, parent?: number) => ({
    value,
    label,
    ...(parent ? { of: parent } : {}),
  });
  const properties = {
    forum: { ...all, title: 'Forum', choices: [choice(1, 'Help'), choice(2, 'Talk')] },
    tag: { ...all, title: 'Tag', of: 'forum', choices: [choice(11, 'shoes', 1), choice(21, 'music', 2)] },
  };
  const drawer = {
    snippets: [],
    pages: [],
    options: [],
    blocks: [{ id: 'a.questions', label: 'Q', schema: { properties } }],
  };
  render(<DataBlockOptions session={session} field={field} element={element} drawer={drawer} onForm={() => {}} />);
  const tags = () =>
    [...screen.getByRole<HTMLSelectElement>('combobox', { name: 'Tag' }).options].map(({ text }) => text);
  expect(tags()).toEqual(['All', 'shoes']);
  const choose = (value: string) =>
    fireEvent.change(screen.getByRole('combobox', { name: 'Forum' }), { target: { value } });
  choose('2');
  await waitFor(() => expect(element.dataset.options).toBe('{"forum":2}'));
  expect(tags()).toEqual(['All', 'music']);
  choose('0');
  expect(tags()).toEqual(['All', 'shoes', 'music']);
  session.end();
  cleanup();
});

/** Options of the block `a.list`, which limit its number of entries. */
function showOptions(session: EditSession, field: RichField) {
  const element = field.root.querySelector<HTMLElement>('[data-block]');
  if (!element) throw new Error('There is no block.');
  const properties = { limit: { type: 'integer', title: 'Number of pages', minimum: 1, maximum: 60, default: 12 } };
  const blocks = [{ id: 'a.list', label: 'List', schema: { properties } }];
  const drawer = { snippets: [], pages: [], options: [], blocks };
  render(<DataBlockOptions session={session} field={field} element={element} drawer={drawer} onForm={() => {}} />);
  return { element, input: screen.getByRole<HTMLInputElement>('textbox', { name: 'Number of pages' }) };
}

it('a number of a block that is beyond what it may be becomes the nearest that fits', async () => {
  const { session, field } = await openSession('<div data-block="a.list" data-options="{}"></div>');
  serve({ '/website/editor/block': () => ({ html: '<div data-block="a.list"></div>' }) });
  const { element, input } = showOptions(session, field);
  for (const [text, stored] of [
    ['999', 60],
    ['0', 1],
    ['7', 7],
  ] as const) {
    fireEvent.change(input, { target: { value: text } });
    fireEvent.blur(input);
    await waitFor(() => expect(element.dataset.options).toBe(`{"limit":${stored}}`));
    expect(input.value).toBe(String(stored));
  }
  session.end();
  cleanup();
});

it('the place of a map is read from what a map has to copy', async () => {
  const { session, field } = await openSession('<div data-block="website.map" data-options="{}"></div>');
  serve({ '/website/editor/block': () => ({ html: '<div data-block="website.map"></div>' }) });
  const element = field.root.querySelector<HTMLElement>('[data-block]') as HTMLElement;
  const drawer = {
    snippets: [],
    options: [],
    pages: [],
    blocks: [
      {
        id: 'website.map',
        label: 'Map',
        schema: {
          properties: { latitude: { type: 'number', title: 'Location' }, longitude: { type: 'number' } },
        },
      },
    ],
  };
  render(<DataBlockOptions session={session} field={field} element={element} drawer={drawer} onForm={() => {}} />);
  const input = screen.getByLabelText<HTMLInputElement>('Location');
  const paste = (value: string): void => {
    fireEvent.change(input, { target: { value } });
    fireEvent.blur(input);
  };
  expect(input.value).toBe('');
  expect(screen.getAllByRole('textbox')).toEqual([input]);
  paste('https://maps.app.goo.gl/AbC12');
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Short links don’t contain the location/);
  paste('https://www.openstreetmap.org/#map=17/47.25/6.03');
  await waitFor(() => expect(element.dataset.options).toBe('{"latitude":47.25,"longitude":6.03}'));
  expect(input.value).toBe('47.25, 6.03');
  expect(screen.queryByRole('alert')).toBeNull();
  paste('somewhere');
  expect((await screen.findByRole('alert')).textContent).toMatch(/^No location found here/);
  expect(element.dataset.options).toBe('{"latitude":47.25,"longitude":6.03}');
  session.end();
  cleanup();
});

it('a block is as it was chosen last, whichever answer comes first', async () => {
  const { session, field } = await openSession('<div data-block="a.list" data-options="{}"></div>');
  let answerLate = (): void => {};
  const late = new Promise<void>((resolve) => {
    answerLate = resolve;
  });
  serve({
    '/website/editor/block': async ({ options }) => {
      if ((options as { limit?: number }).limit === 5) await late;
      return { html: '<div data-block="a.list"></div>' };
    },
  });
  const { element, input } = showOptions(session, field);
  for (const value of ['5', '7']) {
    fireEvent.change(input, { target: { value } });
    fireEvent.blur(input);
  }
  await waitFor(() => expect(element.dataset.options).toBe('{"limit":7}'));
  answerLate();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(element.dataset.options).toBe('{"limit":7}');
  session.end();
  cleanup();
});

it('who discards what they changed is asked once, not by the browser too', async () => {
  const { session, field } = await openSession(block('text', 'One'));
  field.restructure(() => field.root.append(document.createElement('hr')));
  const isAsked = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const answers: boolean[] = [];
  render(<EditorApp session={session} pasted={{ take: () => {} }} onDone={() => answers.push(isAsked())} />);
  expect(isAsked()).toBe(true);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(answers).toEqual([false]));
  cleanup();
});

it('the space within a block follows the arrow keys on its edges, a step of the scale each', async () => {
  const { session, field } = await openSession(block('text', 'One'));
  const section = field.root.firstElementChild as HTMLElement;
  session.selectBlock(field, section);
  const spaceAbove = ownOptions.find(({ id }) => id === 'website.space_above');
  if (!spaceAbove) throw new Error('There is no such option.');
  const show = () => (
    <SpaceHandle session={session} block={{ field, element: section }} space={spaceAbove} edge="above" style={{}} />
  );
  const { rerender } = render(show());
  const handle = screen.getByRole('slider', { name: 'Spacing above' });
  expect(handle.getAttribute('aria-valuetext')).toBe('Default');
  fireEvent.keyDown(handle, { key: 'ArrowDown' });
  expect(section.className).toContain('o-above-4');
  rerender(show());
  fireEvent.keyDown(handle, { key: 'ArrowUp' });
  expect(section.className).toContain('o-above-3');
  expect(section.className).not.toContain('o-above-4');
  session.undo();
  expect(field.value()).toContain('o-above-4');
  session.end();
  cleanup();
});

describe('moments', () => {
  it('are shown where they stand as they were chosen', () => {
    document.body.innerHTML = '<time>before</time>';
    const element = document.querySelector('time') as HTMLElement;
    const piece = { model: 'event', id: 1, field: 'begin', type: 'datetime', value: null, timezone: 'UTC' };
    const field = new ValueField(
      piece as unknown as ConstructorParameters<typeof ValueField>[0],
      [element],
      () => {},
      () => {},
    );
    field.set('2026-11-22T15:22:00.000Z');
    expect(element.textContent).toContain('22');
    expect(element.textContent).not.toContain('NaN');
    field.close();
  });

  it('are on the clocks of the user, not of the browser', () => {
    document.body.innerHTML =
      '<div data-editor-bar data-timezone="Asia/Tokyo" data-site-timezone="Europe/Paris"></div>';
    expect(momentText('2026-11-22T15:22:00.000Z')).toContain('12:22');
    expect(momentText('2026-11-22T15:22:00.000Z')).toContain('(Tokyo time)');
    expect(inputMoment('2026-11-22T15:22:00.000Z')).toBe('2026-11-23T00:22');
    expect(inputMoment('2026-11-22T15:22:00.000Z', 'America/New_York')).toBe('2026-11-22T10:22');
    expect(momentOfInput('2026-11-22T10:22', 'America/New_York')).toBe('2026-11-22T15:22:00.000Z');
    expect(momentOfInput('2026-11-23T00:22')).toBe('2026-11-22T15:22:00.000Z');
    expect(siteZone()).toBe('Europe/Paris');
    expect([inputMoment(null), momentOfInput('')]).toEqual(['', null]);
  });
});
