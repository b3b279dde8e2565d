import { jest } from '@jest/globals';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Editor } from '@tiptap/core';
import type { Drawer, DrawerSnippet, SaveConflict } from '../calls.ts';
import { chosenPicture } from '../pictures.ts';
import type { RegionEditor } from '../rich/region-editor.ts';
import { extensionsFor } from '../rich/schema.ts';
import { ConflictDialog } from '../ui/conflict-dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { HistoryDialog } from '../ui/history-dialog.tsx';
import { LinkDialog } from '../ui/link-dialog.tsx';
import { MediaDialog } from '../ui/media-dialog.tsx';
import { MenuDialog } from '../ui/menu-dialog.tsx';
import { NewPageDialog } from '../ui/new-page-dialog.tsx';
import { PageDialog } from '../ui/page-dialog.tsx';
import { SeoDialog } from '../ui/seo-dialog.tsx';
import { SidePanel } from '../ui/side-panel.tsx';
import { SnippetDrawer } from '../ui/snippet-drawer.tsx';
import { fillGaps, serve } from './kit.ts';

beforeAll(fillGaps);
afterEach(cleanup);
const user = userEvent.setup();
const button = (name: string | RegExp) => screen.getByRole('button', { name, hidden: true });

describe('the list of blocks', () => {
  const snippet = (label: string, tab: DrawerSnippet['tab']): DrawerSnippet => ({
    id: `a.${label}`,
    label,
    tab,
    thumbnail: '/a.svg',
    block: null,
    options: [],
  });
  const drawer: Drawer = {
    snippets: [
      snippet('Picture wall', 'content'),
      snippet('Témoignages', 'content'),
      snippet('Video', 'content'),
      snippet('Price table', 'feature'),
    ],
    blocks: [],
    options: [],
    pages: [],
  };

  it('is searched by words and kinds, and forgives what is mistyped', async () => {
    render(<SnippetDrawer drawer={drawer} hasColumn={false} onInsert={() => {}} />);
    const search = screen.getByRole('searchbox', { name: 'Search' });
    const searchDrawer = async (text: string): Promise<(string | null)[]> => {
      await user.clear(search);
      await user.type(search, text);
      return screen.queryAllByRole('button').map((button) => button.textContent);
    };
    expect(await searchDrawer('wall pict')).toEqual(['Picture wall']);
    expect(await searchDrawer('temoi')).toEqual(['Témoignages']);
    expect(await searchDrawer('features')).toEqual(['Price table']);
    expect(screen.queryByRole('status')).toBeNull();
    expect(await searchDrawer('vidoe')).toEqual(['Video']);
    expect(screen.getByRole('status').textContent).toBe('No results for “vidoe”. Showing results for “video”.');
    expect(await searchDrawer('temoinages')).toEqual(['Témoignages']);
    expect(screen.getByRole('status').textContent).toBe(
      'No results for “temoinages”. Showing results for “témoignages”.',
    );
    expect(await searchDrawer('tabel pri')).toEqual(['Price table']);
    // Still typing.
    expect(await searchDrawer('picutr')).toEqual(['Picture wall']);
    expect(await searchDrawer('zebra')).toEqual([]);
    expect(screen.getByText('No blocks match your search.')).toBeDefined();
  });

  it('leads to where saved blocks are renamed and removed', () => {
    const saved = { ...drawer, snippets: [...drawer.snippets, snippet('Our voices', 'saved')] };
    render(<SnippetDrawer drawer={saved} hasColumn={false} onInsert={() => {}} />);
    const link = screen.getByRole('link', { name: 'Rename or remove saved blocks' });
    expect(link.getAttribute('href')).toBe('/web/m/website.saved_block');
  });

  it('is one stop of the Tab key for each kind, with arrow keys within', async () => {
    render(<SnippetDrawer drawer={drawer} hasColumn={false} onInsert={() => {}} />);
    screen.getByRole('searchbox', { name: 'Search' }).focus();
    const pressed = async (key: string): Promise<string | null | undefined> => {
      await user.keyboard(`{${key}}`);
      return document.activeElement?.textContent;
    };
    expect(await pressed('Tab')).toBe('Picture wall');
    expect(await pressed('ArrowRight')).toBe('Témoignages');
    expect(await pressed('Tab')).toBe('Price table');
    await user.tab({ shift: true });
    expect(document.activeElement?.textContent).toBe('Témoignages');
    expect(await pressed('ArrowLeft')).toBe('Picture wall');
    expect(await pressed('ArrowLeft')).toBe('Picture wall');
  });
});

describe('the panel beside the page', () => {
  it('goes on in the list of blocks from where one was, when one of them was put in', () => {
    const handlers = { onTab() {}, onClose() {}, onMedia() {}, onForm() {}, say() {} };
    const panel = (block: HTMLElement | null) => (
      <SidePanel
        {...handlers}
        session={null as never}
        actions={null as never}
        view={{ block: block && { element: block, field: { root: document.body } } } as never}
        drawer={null}
        tab="blocks"
      />
    );
    const { rerender } = render(panel(null));
    const body = screen.getByRole('tabpanel');
    body.scrollTop = 500;
    rerender(panel(document.createElement('section')));
    expect(body.scrollTop).toBe(500);
  });
});

describe('a picture in a text', () => {
  it('leads elsewhere together with the words of its link', () => {
    const editor = new Editor({
      element: document.createElement('div'),
      content: '<p><a class="s_media" href="/old"><img src="/a.png" alt="" role="presentation"> A film</a></p>',
      extensions: extensionsFor({ kind: 'flow', profile: 'page' }),
      injectCSS: false,
    });
    const picture = () => {
      editor.commands.setNodeSelection(1);
      return chosenPicture({ region: { editor } as unknown as RegionEditor, picture: null });
    };
    picture()?.setLink('/web/content/7/film.webm');
    expect(editor.getHTML().match(/<a [^>]*>/g)).toEqual(['<a class="s_media" href="/web/content/7/film.webm">']);
    picture()?.setLink(null);
    expect(editor.getHTML()).not.toContain('<a');
    picture()?.setLink('/new');
    expect(editor.getHTML()).toMatch(/<a href="\/new"><img [^>]*><\/a> A film/);
  });
});

describe('the link window', () => {
  const start = (html: string, select: [number, number], isPage = true) => {
    const editor = new Editor({
      element: document.createElement('div'),
      content: html,
      extensions: extensionsFor({ kind: 'flow', profile: 'page' }),
      injectCSS: false,
    });
    editor.commands.setTextSelection({ from: select[0], to: select[1] });
    const onClose = jest.fn();
    render(<LinkDialog editor={editor} isPage={isPage} onClose={onClose} />);
    return { editor, onClose };
  };

  it('wants an address, in the words of the specification', async () => {
    serve({ '/website/editor/links': () => ({ links: [] }) });
    const { editor, onClose } = start('<p>Read more</p>', [1, 5]);
    await user.click(button('Insert'));
    expect(screen.getByRole('alert', { hidden: true }).textContent).toBe('You must enter a URL to Create a Link');
    await user.type(screen.getByLabelText('Address'), 'javascript:alert(1)');
    await user.click(button('Insert'));
    expect(screen.getByRole('alert', { hidden: true })).toBeDefined();
    expect(onClose).not.toHaveBeenCalled();
    expect(editor.getHTML()).toBe('<p>Read more</p>');
  });

  it('links what is selected, in a new window and as a button when wanted', async () => {
    serve({ '/website/editor/links': () => ({ links: [] }) });
    const { editor, onClose } = start('<p>Read more</p>', [1, 5]);
    await user.type(screen.getByLabelText('Address'), 'ada@example.org');
    await user.click(screen.getByLabelText('Open in a new window'));
    await user.selectOptions(screen.getByLabelText('Appearance'), 'primary');
    await user.keyboard('{Enter}');
    await user.click(button('Insert'));
    expect(onClose).toHaveBeenCalled();
    expect(editor.getHTML()).toContain('href="mailto:ada@example.org"');
    expect(editor.getHTML()).toContain('target="_blank" rel="noopener" class="btn btn-primary"');
  });

  it('offers pages by name, and asks for words where nothing is selected', async () => {
    serve({
      '/website/editor/links': ({ q }) => ({ links: q === 'con' ? [{ name: 'Contact us', url: '/contactus' }] : [] }),
    });
    const { editor } = start('<p></p>', [1, 1]);
    await user.type(screen.getByLabelText('Address'), 'con');
    await user.click(await screen.findByRole('button', { name: /Contact us/, hidden: true }));
    await user.type(screen.getByLabelText('Text'), 'Write to us');
    await user.click(button('Insert'));
    expect(editor.getHTML()).toBe('<p><a href="/contactus">Write to us</a></p>');
  });

  it('takes a link away', async () => {
    serve({ '/website/editor/links': () => ({ links: [] }) });
    const { editor } = start('<p><a href="/x">Read</a> more</p>', [2, 2]);
    await user.click(button('Remove link'));
    expect(editor.getHTML()).toBe('<p>Read more</p>');
  });
});

describe('the window of pictures and files', () => {
  const pictures = Array.from({ length: 13 }, (_, index) => ({
    id: 100 - index,
    name: `p${index}.png`,
    website_url: `/website/image/ir.attachment/${100 - index}_abcdef0/datas`,
    width: 10,
    height: 10,
  }));

  it('shows twelve pictures a page, the newest first, and searches after a pause', async () => {
    const requests = serve({
      '/web/dataset/call_kw/ir.attachment/search_read': ({ kwargs }) =>
        pictures.slice((kwargs as { offset: number }).offset),
    });
    const onChoose = jest.fn();
    render(<MediaDialog media="picture" onChoose={onChoose} onClose={() => {}} />);
    await screen.findByText('p0.png');
    expect(screen.queryByText('p12.png')).toBeNull();
    expect(requests[0]?.params).toMatchObject({
      model: 'ir.attachment',
      method: 'search_read',
      kwargs: {
        domain: [['res_model', '=', 'ir.ui.view'], '|', ['mimetype', '=', false], ['mimetype', '=like', 'image/%']],
        order: 'id desc',
        offset: 0,
        limit: 13,
      },
    });
    await user.click(button(/Next page/));
    await screen.findByText('p12.png');
    const previousCount = requests.length;
    await user.type(screen.getByLabelText('Search'), 'rose');
    await waitFor(() => expect(requests.length).toBe(previousCount + 1));
    expect(JSON.stringify(requests.at(-1)?.params)).toContain('["name","ilike","rose"]');
    await user.click(await screen.findByRole('button', { name: /^p0/, hidden: true }));
    expect(onChoose).toHaveBeenCalledWith(expect.objectContaining({ id: 100, kind: 'picture' }));
  });

  it('says in the help area what is wrong with an upload, and its button turns red', async () => {
    serve({
      '/web/dataset/call_kw/ir.attachment/search_read': () => [],
      '/website/attach': () => ({ error: 'Your uploads take more than the 1 MB you have.' }),
    });
    render(<MediaDialog media="picture" onClose={() => {}} />);
    const input = screen.getByLabelText('Images to upload');
    await userEvent.setup({ applyAccept: false }).upload(input, new File(['x'], 'x.txt', { type: 'text/plain' }));
    const upload = button(/Upload images/);
    expect(document.getElementById(upload.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Only image files can be uploaded',
    );
    expect(upload.className).toContain('btn-danger');
    await user.upload(input, new File(['x'], 'x.png', { type: 'image/png' }));
    await waitFor(() => expect(screen.getByRole('alert', { hidden: true }).textContent).toMatch(/1 MB/));
  });

  it('hands on what was uploaded', async () => {
    serve({
      '/web/dataset/call_kw/ir.attachment/search_read': () => [],
      '/website/attach': () => ({ id: 7, website_url: '/x', name: 'x.png' }),
    });
    const onChoose = jest.fn();
    render(<MediaDialog media="picture" onChoose={onChoose} onClose={() => {}} />);
    await user.upload(screen.getByLabelText('Images to upload'), new File(['x'], 'x.png', { type: 'image/png' }));
    await waitFor(() =>
      expect(onChoose).toHaveBeenCalledWith({ id: 7, website_url: '/x', name: 'x.png', kind: 'picture' }),
    );
  });

  it('lists what still uses a picture that is not deleted, and marks it until that is closed', async () => {
    serve({
      '/web/dataset/call_kw/ir.attachment/search_read': () => pictures.slice(0, 1),
      [pictures[0]?.website_url ?? '']: () => ({}),
      '/web/dataset/call_kw/ir.attachment/try_remove': () => ({
        100: [{ id: 3, name: 'About us', website_url: '/about-us' }],
      }),
    });
    render(<MediaDialog media="manage" onClose={() => {}} />);
    await user.click(await screen.findByRole('button', { name: 'Delete p0.png', hidden: true }));
    await user.click(button('Delete'));
    const used = await screen.findByRole('alert', { hidden: true });
    expect(within(used).getByText('About us').getAttribute('href')).toBe('/about-us');
    expect(document.querySelector('.ed-refused')).not.toBeNull();
    await user.click(within(used).getByRole('button', { hidden: true }));
    expect(document.querySelector('.ed-refused')).toBeNull();
  });

  it('asks before a picture is deleted, and puts it back when that was wrong', async () => {
    const library = { now: pictures.slice(0, 1) };
    const requests = serve({
      '/web/dataset/call_kw/ir.attachment/search_read': () => library.now,
      [pictures[0]?.website_url ?? '']: () => ({}),
      '/web/dataset/call_kw/ir.attachment/try_remove': () => {
        library.now = [];
        return {};
      },
      '/website/attach': () => ({ id: 9, website_url: '/x', name: 'p0.png' }),
    });
    const wasCalled = (path: string): boolean => requests.some((request) => request.path.endsWith(path));
    render(<MediaDialog media="manage" onClose={() => {}} />);
    const press = async () => user.click(await screen.findByRole('button', { name: 'Delete p0.png', hidden: true }));
    await press();
    await user.click(button('Keep'));
    expect(wasCalled('/try_remove')).toBe(false);
    await press();
    await user.click(button('Delete'));
    await screen.findByText('“p0.png” was deleted.');
    await user.click(button('Undo'));
    await waitFor(() => expect(wasCalled('/website/attach')).toBe(true));
    await waitFor(() => expect(screen.queryByText('“p0.png” was deleted.')).toBeNull());
  });

  it('takes the address of a picture of this site', async () => {
    serve({
      '/web/dataset/call_kw/ir.attachment/search_read': () => [],
      '/website/attach': ({ url }) => ({ id: 8, website_url: url, name: 'x' }),
    });
    const onChoose = jest.fn();
    const { rerender } = render(<MediaDialog media="picture" onChoose={onChoose} onClose={() => {}} />);
    // Stock images are offered with their alternative text.
    await user.click(screen.getByRole('tab', { name: 'Illustrations', hidden: true }));
    await user.click(button('A lighthouse above the sea'));
    const drawing = {
      name: 'A lighthouse above the sea',
      website_url: '/website/static/pictures/coast.jpg',
      width: 1200,
    };
    await waitFor(() => expect(onChoose).toHaveBeenCalledWith(expect.objectContaining(drawing)));
    // Records store files, so images by URL aren't offered.
    rerender(<MediaDialog media="picture" isStored onChoose={onChoose} onClose={() => {}} />);
    expect(screen.queryByRole('tab', { hidden: true })).toBeNull();
    rerender(<MediaDialog media="picture" onChoose={onChoose} onClose={() => {}} />);
    await user.click(screen.getByRole('tab', { name: 'Address', hidden: true }));
    await user.click(button('Insert'));
    expect(await screen.findByText('You must enter a Image URL to insert')).toBeDefined();
    await user.type(screen.getByLabelText('URL of an image on this site'), '/website/static/x.png');
    await user.click(button('Insert'));
    await waitFor(() =>
      expect(onChoose).toHaveBeenCalledWith(expect.objectContaining({ id: 8, website_url: '/website/static/x.png' })),
    );
  });

  it('shows thirty files a page with size and use', async () => {
    const files = [
      {
        id: 5,
        name: 'The plan',
        datas_fname: 'plan.pdf',
        website_file_url: '/web/content/5/plan.pdf',
        website_file_count: 2,
        file_size: 1_500_000,
        write_date: '2026-11-21 10:00:00',
      },
    ];
    const requests = serve({ '/web/dataset/call_kw/ir.attachment/search_read': () => files });
    render(<MediaDialog media="file" onClose={() => {}} />);
    // The confirmation shows the name of the uploaded file.
    await user.click(await screen.findByRole('button', { name: 'Delete The plan', hidden: true }));
    expect(await screen.findByText('Delete “plan.pdf”?')).toBeDefined();
    await user.click(button('Keep'));
    expect(await screen.findByText(/1.5 MB · .* · used 2 times/)).toBeDefined();
    expect(requests[0]?.params).toMatchObject({
      kwargs: { order: 'write_date desc', limit: 31, domain: [['website_file', '=', true]] },
    });
  });
});

it('a film is chosen among the films, and nothing else is taken', async () => {
  const requests = serve({ '/web/dataset/call_kw/ir.attachment/search_read': () => [] });
  const onChoose = jest.fn();
  render(<MediaDialog media="film" onChoose={onChoose} onClose={() => {}} />);
  expect(screen.getByRole('dialog', { name: 'Choose a video' })).toBeDefined();
  const paper = new File(['%PDF'], 'plan.pdf', { type: 'application/pdf' });
  await userEvent.setup({ applyAccept: false }).upload(screen.getByLabelText('Files to upload'), paper);
  expect((await screen.findByRole('alert')).textContent).toBe('Choose an MP4 or WebM video.');
  expect(requests).toHaveLength(1);
  expect(requests[0]?.params).toMatchObject({
    kwargs: {
      domain: [
        ['website_file', '=', true],
        '|',
        ['datas_fname', '=ilike', '%.mp4'],
        ['datas_fname', '=ilike', '%.webm'],
      ],
    },
  });
});

describe('the window of a conflict', () => {
  const conflict: SaveConflict = {
    model: 'website.page',
    id: 1,
    field: 'content',
    label: 'Content',
    type: 'html',
    mine: '<p>My new house</p>',
    theirs: '<p>The old house</p>',
    revision: 'r2',
    by: 'Ada',
    at: '2026-11-21T10:00:00Z',
    term: null,
  };

  it('shows both versions side by side, and saves only when each was decided', async () => {
    const onResolve = jest.fn();
    render(
      <ConflictDialog
        conflicts={[
          conflict,
          { ...conflict, field: 'name', label: 'Title', type: 'char', mine: 'A', theirs: 'B', by: null },
        ]}
        refused={[]}
        onResolve={onResolve}
        onClose={() => {}}
      />,
    );
    expect(screen.getByText(/nothing is lost/)).toBeDefined();
    expect(screen.getByText(/Ada, /)).toBeDefined();
    expect(document.querySelector('.ed-refusals')).toBeNull();
    expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
      'The old ',
      'My new ',
      'B',
      'A',
    ]);
    const save = button('Save with these choices') as HTMLButtonElement;
    expect(save.disabled).toBe(true);
    const [otherRadio, ownRadio] = screen.getAllByRole('radio', { hidden: true });
    await user.click(otherRadio as HTMLElement);
    expect(save.disabled).toBe(true);
    await user.click(screen.getAllByRole('radio', { hidden: true })[3] as HTMLElement);
    await user.click(save);
    expect(onResolve).toHaveBeenCalledWith(['theirs', 'mine']);
    expect(ownRadio).toBeDefined();
  });

  it('says what does not fit', () => {
    render(
      <ConflictDialog
        conflicts={[]}
        refused={[{ model: 'm', id: 1, field: 'f', message: 'Enter 99 or less.' }]}
        onResolve={() => {}}
        onClose={() => {}}
      />,
    );
    expect(screen.getByText('Enter 99 or less.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Save with these choices', hidden: true })).toBeNull();
  });
});

describe('the windows of a page', () => {
  const settings = {
    id: 4,
    name: 'About',
    url: '/about',
    published: false,
    publish_at: null,
    indexed: true,
    homepage: false,
    website_id: null,
    in_menu: false,
    revision: 'r1',
  };

  it('change its settings, and keep the old address leading to the new one unless told not to', async () => {
    const requests = serve({
      '/website/editor/page': () => ({ page: settings, websites: [] }),
      '/website/editor/page/save': () => ({ url: '/about-us' }),
    });
    const onSaved = jest.fn();
    render(<PageDialog id={4} onSaved={onSaved} onClose={() => {}} />);
    const address = await screen.findByLabelText('Address');
    expect(screen.queryByLabelText('Redirect the old address to the new one')).toBeNull();
    await user.clear(address);
    await user.type(address, '/about-us');
    expect((screen.getByLabelText('Redirect the old address to the new one') as HTMLInputElement).checked).toBe(true);
    await user.click(screen.getByLabelText('Published'));
    await user.click(button('Save'));
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith('/about-us'));
    expect(requests.at(-1)?.params).toEqual({
      ...settings,
      url: '/about-us',
      published: true,
      redirect: true,
      anyway: false,
    });
  });

  it('ask once what visitors would meet, before they see the page', async () => {
    performance.getEntriesByName ??= () => [];
    const main = document.createElement('main');
    main.innerHTML = '<img src="/a.png" alt="">';
    document.body.append(main);
    let isTaken = true;
    const requests = serve({
      '/website/editor/page': () => ({ page: settings, websites: [] }),
      '/website/editor/check': () => [{ lang: 'fr_FR', name: 'Français', missing: 3, outdated: 0 }],
      '/website/editor/check/keep': () => true,
      '/website/editor/page/save': () => {
        if (isTaken) throw new Error('The page “Home” already has this address. Choose another one.');
        return { url: '/about' };
      },
    });
    const [onSaved, onClose] = [jest.fn(), jest.fn()];
    const { unmount } = render(<PageDialog id={4} onSaved={onSaved} onClose={onClose} />);
    await user.type(await screen.findByLabelText('Title'), ' us');
    await user.click(await screen.findByLabelText('Published'));
    await user.click(button('Save'));
    const missing = 'Français: untranslated texts (3)';
    expect(await screen.findByText(missing)).toBeDefined();
    expect(onSaved).not.toHaveBeenCalled();
    await user.click(button('Fix first'));
    expect(onClose).toHaveBeenCalled();
    unmount();
    render(<PageDialog id={4} onSaved={onSaved} onClose={onClose} />);
    const title = (await screen.findByLabelText('Title')) as HTMLInputElement;
    expect(title.value).toBe('About us');
    await user.click(button('Save'));
    await screen.findByText(missing);
    await user.click(button('Publish anyway'));
    expect(await screen.findByText('The page “Home” already has this address. Choose another one.')).toBeDefined();
    const published = screen.getByLabelText<HTMLInputElement>('Published');
    expect([screen.getByLabelText<HTMLInputElement>('Title').value, published.checked]).toEqual(['About us', true]);
    expect(onSaved).not.toHaveBeenCalled();
    isTaken = false;
    await user.click(button('Save'));
    await screen.findByText(missing);
    await user.click(button('Publish anyway'));
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith('/about'));
    expect(requests.at(-1)?.params).toMatchObject({ name: 'About us', published: true, anyway: true });
    expect(sessionStorage).toHaveLength(0);
    main.remove();
  });

  it('are not copied without what was typed before somebody agrees', async () => {
    const requests = serve({
      '/website/editor/page': () => ({ page: settings, websites: [] }),
      '/website/editor/page/copy': () => ({ url: '/about-2' }),
    });
    const [onSaved, onClose] = [jest.fn(), jest.fn()];
    render(<PageDialog id={4} onSaved={onSaved} onClose={onClose} />);
    const title = await screen.findByLabelText<HTMLInputElement>('Title');
    await user.type(title, ' us');
    await user.click(title.closest('dialog') as HTMLElement);
    expect(onClose).not.toHaveBeenCalled();
    const confirmation = (): HTMLElement => screen.getByText('Your changes aren’t saved yet and will be lost.');
    await user.click(button('Duplicate'));
    const no = await waitFor(() => within(confirmation().closest('dialog') as HTMLElement).getByText('Cancel'));
    await user.click(no);
    expect([title.value, requests.length]).toEqual(['About us', 1]);
    await user.click(button('Duplicate'));
    await waitFor(confirmation);
    await user.click(button('Duplicate without saving'));
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith('/about-2'));
  });

  it('show a refusal and stay open', async () => {
    serve({
      '/website/editor/page': () => ({ page: settings, websites: [] }),
      '/website/editor/page/save': () => {
        throw new Error('The page “Home” already has this address. Choose another one.');
      },
    });
    const onSaved = jest.fn();
    render(<PageDialog id={4} onSaved={onSaved} onClose={() => {}} />);
    await screen.findByLabelText('Address');
    await user.click(button('Save'));
    expect(await screen.findByText('The page “Home” already has this address. Choose another one.')).toBeDefined();
    expect(onSaved).not.toHaveBeenCalled();
  });

  it('make a new one from a template, its title as the main heading', async () => {
    const requests = serve({
      '/website/editor/drawer': () => ({
        snippets: [{ id: 'website.title' }, { id: 'website.text_block' }],
        blocks: [],
        pages: [
          { id: 'website.page_blank', label: 'Empty', snippets: [] },
          { id: 'website.page_text', label: 'Text', snippets: ['website.title', 'website.text_block', 'off.gone'] },
        ],
      }),
      '/website/editor/snippet': ({ id }) => ({
        html:
          id === 'website.title'
            ? '<section><h2>Old title</h2></section>'
            : '<section><p>Words</p><div data-block="a.b"><p>shown</p></div></section>',
      }),
      '/website/editor/page/new': () => ({ id: 9, url: '/our-garden' }),
    });
    const onMade = jest.fn();
    render(<NewPageDialog onMade={onMade} onClose={() => {}} />);
    await user.click(button('Create'));
    expect(screen.getByText('Enter a title for the page.')).toBeDefined();
    await user.type(screen.getByLabelText('Title'), 'Our garden');
    await user.click(await screen.findByLabelText('Text'));
    await user.click(button('Create'));
    await waitFor(() => expect(onMade).toHaveBeenCalledWith('/our-garden'));
    expect(requests.at(-1)?.params).toEqual({
      name: 'Our garden',
      menu: true,
      content: '<section><h1>Our garden</h1></section>\n<section><p>Words</p><div data-block="a.b"></div></section>',
    });
  });

  it('write for search engines with lengths and a preview, and save only what changed', async () => {
    const element = (field: string, value: string | null) => ({
      model: 'website.page',
      id: 4,
      field,
      revision: `r ${field}`,
      value,
      type: 'char',
      label: field,
    });
    const requests = serve({
      '/website/editor/open': () => ({
        elements: [element('website_meta_title', 'About'), element('website_meta_description', null)],
      }),
      '/website/editor/save': () => ({ saved: true, elements: [] }),
    });
    const onSaved = jest.fn();
    render(
      <SeoDialog lang="en_US" records={[{ model: 'website.page', id: 4 }]} onSaved={onSaved} onClose={() => {}} />,
    );
    const title = await screen.findByLabelText('Title');
    expect(screen.getByText('5 of 70 characters')).toBeDefined();
    await user.type(screen.getByLabelText('Description'), 'A garden.');
    expect(screen.getByText('9 of 160 characters')).toBeDefined();
    expect(document.querySelector('.ed-preview-text')?.textContent).toBe('A garden.');
    expect((title as HTMLInputElement).maxLength).toBe(70);
    await user.click(button('Save'));
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
    expect(requests.at(-1)?.params.elements).toEqual([
      {
        model: 'website.page',
        id: 4,
        field: 'website_meta_description',
        revision: 'r website_meta_description',
        value: 'A garden.',
      },
    ]);
  });

  it('show versions with what was changed, and go back', async () => {
    const revision = {
      id: 3,
      field: 'content',
      label: 'Content',
      type: 'html',
      lang: 'fr_FR',
      by: 'Ada',
      at: '2026-11-21T10:00:00Z',
      before: '<p>one two</p>',
      after: '<p>one three</p>',
    };
    const requests = serve({
      '/website/editor/history': () => ({ revisions: [revision] }),
      '/website/editor/restore': () => ({}),
    });
    const onRestored = jest.fn();
    render(
      <HistoryDialog
        records={[{ model: 'website.page', id: 4, name: 'This page' }]}
        onRestored={onRestored}
        onClose={() => {}}
      />,
    );
    expect(await screen.findByText('Content · FR')).toBeDefined();
    expect(document.querySelector('del')?.textContent).toBe('two');
    expect(document.querySelector('ins')?.textContent).toBe('three');
    await user.click(button('Restore the version before this change'));
    await waitFor(() => expect(onRestored).toHaveBeenCalled());
    expect(requests.at(-1)?.params).toEqual({ revision: 3, side: 'before' });
  });
});

describe('the menu window', () => {
  const node = (id: number, name: string, children: object[] = []) => ({
    id,
    name,
    url: `/${name}`,
    new_window: false,
    panel_id: false,
    sequence: id,
    parent_id: 1,
    children,
  });

  it('moves, nests, adds and removes entries by buttons, and saves them in the shape of the original', async () => {
    const requests = serve({
      '/website/editor/menu': () => ({
        website_id: 1,
        root: node(1, 'top', [node(2, 'a'), node(3, 'b'), node(4, 'c')]),
        panels: [{ id: 7, name: 'All we do' }],
      }),
      '/website/editor/menu/save': () => true,
    });
    const onSaved = jest.fn();
    render(<MenuDialog onSaved={onSaved} onClose={() => {}} />);
    await screen.findByText('a');
    const line = (name: string) => within(screen.getByText(name).closest('li') as HTMLElement);
    await user.click(line('b').getByRole('button', { name: 'Make a sub-item', hidden: true }));
    await user.click(line('c').getByRole('button', { name: 'Move up', hidden: true }));
    await user.click(line('a').getByRole('button', { name: 'Remove a', hidden: true }));
    await user.click(button(/Add item/));
    await user.click(button('Save'));
    expect(await screen.findByText('Enter a name for each item.')).toBeDefined();
    await user.type(screen.getByLabelText('Name'), 'New');
    await user.selectOptions(screen.getByLabelText('Mega menu'), 'All we do');
    await user.click(button('Save'));
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
    expect(requests.at(-1)?.params).toEqual({
      data: [
        { id: 4, name: 'c', url: '/c', new_window: false, panel_id: false, sequence: 10, parent_id: 1 },
        { id: 3, name: 'b', url: '/b', new_window: false, panel_id: false, sequence: 20, parent_id: 4 },
        { id: 'new-1', name: 'New', url: '/', new_window: false, panel_id: 7, sequence: 30, parent_id: 1 },
      ],
      to_delete: [2],
    });
  });

  it('says that an entry opens nothing below another one, and asks where it leads', async () => {
    const panel = { ...node(3, 'b'), url: '', panel_id: 7 };
    const requests = serve({
      '/website/editor/menu': () => ({
        website_id: 1,
        root: node(1, 'top', [node(2, 'a'), panel]),
        panels: [{ id: 7, name: 'All we do' }],
      }),
      '/website/editor/menu/save': () => true,
    });
    const onSaved = jest.fn();
    render(<MenuDialog onSaved={onSaved} onClose={() => {}} />);
    const line = within((await screen.findByText('b')).closest('li') as HTMLElement);
    await user.click(line.getByRole('button', { name: 'Make a sub-item', hidden: true }));
    await user.click(button('Save'));
    expect(await screen.findByText('Enter an address for “b”, because it’s a sub-item.')).toBeDefined();
    expect(screen.getByText(/^Only top-level items can open a block/)).toBeDefined();
    expect(requests.some(({ params }) => 'data' in params)).toBe(false);
    await user.type(screen.getByLabelText('Address'), '/b');
    await user.click(button('Save'));
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
  });
});

describe('the window of a form', () => {
  const texts = {
    'website.form': {
      name: { string: 'Form' },
      mail_to: { string: 'Email responses to' },
      target: {
        string: 'Also create',
        selection: [
          ['none', 'None'],
          ['contact', 'A contact'],
        ],
      },
    },
    'website.form.field': {
      name: { string: 'Question' },
      required: { string: 'Required' },
      choices: { string: 'Choices' },
      type: {
        string: 'Type',
        selection: [
          ['text', 'Single-line text'],
          ['choice', 'Single choice'],
        ],
      },
    },
  };
  const newQuestion = { type: 'text', required: true, choices: false, help: false, role: 'none' };
  const answers = (save: () => unknown) => ({
    '/web/dataset/call_kw/website.form/fields_get': () => texts['website.form'],
    '/web/dataset/call_kw/website.form.field/fields_get': () => texts['website.form.field'],
    '/web/dataset/call_kw/website.form/search_read': () => [
      { id: 7, name: 'Ask us', mail_to: false, target: 'none', thanks: false, button: false },
    ],
    '/web/dataset/call_kw/website.form.field/search_read': () => [
      { id: 1, name: 'Your name', ...newQuestion },
      { id: 2, name: 'Your dog', ...newQuestion },
    ],
    '/web/dataset/call_kw/website.form/write': save,
    '/web/dataset/call_kw/website.form/create': save,
  });
  const line = (name: string) => within(screen.getByText(name, { exact: false }).closest('li') as HTMLElement);

  it('changes its questions, their order and what becomes of the answers, and writes no text that nobody changed', async () => {
    const requests = serve(answers(() => true));
    const onSaved = jest.fn();
    render(<FormDialog id={0} lang="fr_FR" onSaved={onSaved} onClose={() => {}} />);
    await screen.findByText('Your dog *', { exact: false });
    await user.click(line('Your name').getByRole('button', { name: 'Remove Your name', hidden: true }));
    await user.click(button(/Add a question/));
    await user.type(screen.getByLabelText('Question'), 'Cake');
    await user.selectOptions(screen.getByLabelText('Type'), 'Single choice');
    await user.type(screen.getByLabelText('Choices'), 'Nut{Enter}Lemon');
    await user.click(screen.getByLabelText('Required'));
    await user.click(line('Cake').getByRole('button', { name: 'Move up', hidden: true }));
    await user.selectOptions(screen.getByLabelText('Also create'), 'A contact');
    await user.click(button('Save'));
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith(7));
    const { args, kwargs } = requests.at(-1)?.params ?? {};
    const question = { name: 'Cake', type: 'choice', required: true, choices: 'Nut\nLemon', help: '', role: 'none' };
    expect(args).toEqual([
      [7],
      {
        target: 'contact',
        field_ids: [
          [2, 1, false],
          [0, 0, { ...question, sequence: 10 }],
          [1, 2, { sequence: 20 }],
        ],
      },
    ]);
    expect(kwargs).toEqual({ context: { lang: 'fr_FR' } });
  });

  it('makes a new one, and says what does not fit', async () => {
    let isRefused = true;
    serve(
      answers(() => {
        if (!isRefused) return 9;
        throw new Error('Enter a valid email address.');
      }),
    );
    const onSaved = jest.fn();
    render(<FormDialog id={null} lang="en_US" onSaved={onSaved} onClose={() => {}} />);
    const errorText = async (): Promise<string | null> => {
      await user.click(button('Save'));
      return (await screen.findByRole('alert', { hidden: true })).textContent;
    };
    await user.type(await screen.findByLabelText('Email responses to'), 'nobody');
    expect(await errorText()).toBe('Enter a name for the form.');
    await user.type(screen.getByLabelText('Name'), 'Join us');
    await user.click(button(/Add a question/));
    expect(await errorText()).toBe('Enter a text for each question.');
    await user.type(screen.getByLabelText('Question'), 'Cake');
    expect(await errorText()).toBe('Enter a valid email address.');
    expect(onSaved).not.toHaveBeenCalled();
    isRefused = false;
    await user.click(button('Save'));
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith(9));
  });
});
