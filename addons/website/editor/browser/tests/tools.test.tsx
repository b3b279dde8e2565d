import { render, screen } from '@testing-library/react';
import arrowUpIcon from 'bootstrap-icons/icons/arrow-up.svg';
import { backendAddress } from '../../../islands/parts/error-dialog.tsx';
import type { MenuNode } from '../calls.ts';
import { compareTexts, onlyDifferences, textOfHtml } from '../compare.ts';
import { cropFields, cropMargin, cropStep, firstCrop, nudged, photoAspect, resized } from '../crop.ts';
import { Drafts } from '../drafts.ts';
import { EditHistory } from '../history.ts';
import {
  filesPerPage,
  pictureAttributes,
  pictureRows,
  picturesPerPage,
  picturesPerRow,
  searchDelay,
  upload,
} from '../media.ts';
import { flatten, type MenuEntry, moveEntry, setLevel, toItems } from '../menu-tree.ts';
import { positionIn } from '../position.ts';
import { addressOf, lookOf } from '../rich/link.ts';
import { takingPictures } from '../rich/paste.ts';
import { seoLengths } from '../ui/seo-dialog.tsx';
import { ToolButton } from '../ui/tool-button.tsx';

it('An upload that is too large is refused before it begins', async () => {
  const file = (name: string, megabytes: number, type: string): File =>
    Object.defineProperty(new File(['x'], name, { type }), 'size', { value: megabytes * 1024 * 1024 + 1 });
  const picture = upload(file('a.png', 20, 'image/png'), 'picture');
  await expect(picture).rejects.toThrow('“a.png” is too large. The limit is 20 MB.');
  const paper = upload(file('a.pdf', 50, 'application/pdf'), 'file');
  await expect(paper).rejects.toThrow('“a.pdf” is too large. The limit is 50 MB.');
});

describe('constants of the editor and the media', () => {
  it.each<[string, unknown, unknown]>([
    ['§9 pictures in a row', picturesPerRow, 6],
    ['§9 rows of pictures', pictureRows, 2],
    ['§9 pictures on a page', picturesPerPage, 12],
    ['§9 files on a page', filesPerPage, 30],
    ['§9 search debounce, ms', searchDelay, 250],
    ['§9 crop selection margin, px', cropMargin, 10],
    ['§9 crop arrow step, px', cropStep, 10],
    ['§5 cropped photo ratio', photoAspect, 5 / 3],
    ['dossier 4 title for search engines', seoLengths.title, 70],
    ['dossier 4 description for search engines', seoLengths.description, 160],
    [
      '§2 backend link of the error dialog',
      backendAddress('website.page', 7),
      '/web#return_label=Website&model=website.page&id=7',
    ],
  ])('%s', (_name, actual, expected) => expect(actual).toEqual(expected));
});

describe('the place of a map', () => {
  const eiffel = { latitude: 48.8583, longitude: 2.2945 };
  it.each([
    ['48.8583, 2.2945', eiffel],
    ['48.8583 2.2945', eiffel],
    ['48,8583; 2,2945', eiffel],
    ['48,8583, 2,2945', eiffel],
    ['48.8583°, 2.2945°', eiffel],
    ['-33.8568, 151.2153', { latitude: -33.8568, longitude: 151.2153 }],
    ['geo:48.8583,2.2945?z=17', eiffel],
    ['geo:0,0?q=48.8583,2.2945(Tower)', eiffel],
    ['https://www.openstreetmap.org/#map=17/48.8583/2.2945', eiffel],
    ['https://www.openstreetmap.org/?mlat=48.8583&mlon=2.2945#map=12/48.9/2.3', eiffel],
    ['https://www.openstreetmap.org/way/5013364#map=17/48.8583/2.2945&layers=N', eiffel],
    ['https://www.google.com/maps/@48.8583,2.2945,17z', eiffel],
    ['https://www.google.fr/maps/place/Tour/@48.86,2.3,17z/data=!4m6!3m5!1s0x47:0x8d!8m2!3d48.8583!4d2.2945', eiffel],
    ['https://www.google.com/maps/search/?api=1&query=48.8583%2C2.2945', eiffel],
    ['https://www.google.com/maps/search/48.8583,+2.2945', eiffel],
    ['https://maps.google.com/?q=48.8583,2.2945', eiffel],
    ['91, 2', null],
    ['48.8583', null],
    ['5 avenue Anatole France, Paris', null],
    ['https://www.google.com/maps/place/Tour+Eiffel', null],
    ['https://maps.app.goo.gl/AbC12', null],
  ])('is read from %s', (text, position) => expect(positionIn(text)).toEqual(position));
});

describe('addresses of links', () => {
  it.each([
    ['/contactus', '/contactus'],
    ['#top', '#top'],
    ['www.example.org/a', 'https://www.example.org/a'],
    ['https://example.org', 'https://example.org'],
    ['ada@example.org', 'mailto:ada@example.org'],
    ['mailto:ada@example.org', 'mailto:ada@example.org'],
    ['+33 1 23 45 67 89', 'tel:+33123456789'],
    ['', null],
    ['  ', null],
    ['#', null],
    ['javascript:alert(1)', null],
    ['JAVASCRIPT:alert(1)', null],
    ['data:text/html,x', null],
    ['//evil.example', null],
    ['two words', null],
  ])('%s becomes %s', (input, address) => expect(addressOf(input)).toBe(address));

  it('know which look a link has', () => {
    expect(['', 'btn btn-primary btn-lg', 'btn btn-outline-primary', 'btn btn-outline-secondary'].map(lookOf)).toEqual([
      'link',
      'primary',
      'outline',
      'secondary',
    ]);
  });
});

describe('pasting', () => {
  it('takes words where a picture of them comes along, and pictures where there are no words', () => {
    const pastedNames: string[] = [];
    const { handlePaste } = takingPictures((files) => pastedNames.push(...files.map(({ name }) => name)));
    const paste = (text: string) => {
      const files = [new File(['x'], 'a.png', { type: 'image/png' })];
      const event = Object.assign(new Event('paste'), { clipboardData: { files, getData: () => text } });
      return Reflect.apply(handlePaste ?? (() => null), null, [null, event]);
    };
    expect([paste('Words'), paste('')]).toEqual([false, true]);
    expect(pastedNames).toEqual(['a.png']);
  });
});

describe('steps of editing', () => {
  it('go back and forth, and typing in one piece is one step', () => {
    const history = new EditHistory();
    history.add({ key: 'a', before: '', after: 'x' }, { typing: true, now: 0 });
    history.add({ key: 'a', before: 'x', after: 'xy' }, { typing: true, now: 500 });
    history.add({ key: 'a', before: 'xy', after: 'xyz' }, { typing: true, now: 5000 });
    history.add({ key: 'b', before: 1, after: 2 }, { now: 5001 });
    expect(history.undo()).toMatchObject({ key: 'b', before: 1 });
    expect(history.undo()).toMatchObject({ before: 'xy' });
    expect(history.undo()).toMatchObject({ before: '' });
    expect(history.undo()).toBeNull();
    expect(history.redo()).toMatchObject({ after: 'xy' });
    history.add({ key: 'c', before: 1, after: 3 });
    expect(history.canRedo).toBe(false);
  });

  it('are none where nothing changed', () => {
    const history = new EditHistory();
    history.add({ key: 'a', before: 'x', after: 'x' });
    expect(history.canUndo).toBe(false);
  });
});

describe('drafts', () => {
  const pieces = [{ model: 'website.page', id: 1, field: 'content', revision: 'r', value: '<p>x</p>' }];

  it('are kept by page and language until there is nothing to keep', () => {
    const drafts = new Drafts('/about', 'fr_FR');
    drafts.keep(pieces, new Date('2026-11-21T10:00:00Z'));
    expect(new Drafts('/about', 'fr_FR').read()).toEqual({ at: '2026-11-21T10:00:00.000Z', pieces });
    expect(new Drafts('/about', 'en_US').read()).toBeNull();
    drafts.keep([]);
    expect(drafts.read()).toBeNull();
  });

  it('are no trouble where nothing can be kept, or something else was', () => {
    const closed = {
      getItem: () => '{"at":',
      setItem: () => {
        throw new DOMException('full');
      },
      removeItem: () => {},
    };
    const drafts = new Drafts('/', 'en_US', closed);
    expect(() => drafts.keep(pieces)).not.toThrow();
    expect(drafts.read()).toBeNull();
  });
});

describe('comparing', () => {
  it('tells what two texts share and where they differ', () => {
    expect(compareTexts('The old house', 'The new house')).toEqual([
      { kind: 'both', text: 'The ' },
      { kind: 'theirs', text: 'old ' },
      { kind: 'mine', text: 'new ' },
      { kind: 'both', text: 'house' },
    ]);
  });

  it('shows only what is around a difference', () => {
    const long = 'word '.repeat(100);
    const parts = onlyDifferences(compareTexts(`${long}old ${long}`, `${long}new ${long}`));
    expect(parts[0]?.text).toMatch(/^… (\S+ )+$/);
    expect(parts.map(({ kind }) => kind)).toEqual(['both', 'theirs', 'mine', 'both']);
    expect(onlyDifferences(compareTexts('same', 'same'))).toEqual([]);
  });

  it('reads HTML as people do, and runs nothing of it', () => {
    expect(
      textOfHtml(
        '<section><h2>A</h2><p>b <b>c</b></p><div data-block="x.y"><p>shown</p></div><img src="/p/z.png" onerror="alert(1)"></section>',
      ),
    ).toBe('A\nb c\n[x.y]\n[z.png]');
  });
});

describe('the menu', () => {
  const entries = (text: string): MenuEntry[] =>
    text.split(' ').map((name) => ({
      id: name.replace('-', ''),
      name,
      url: '/',
      newWindow: false,
      panel: false,
      level: name.startsWith('-') ? 1 : 0,
    }));
  const shape = (list: readonly MenuEntry[]) => list.map(({ id, level }) => (level ? `-${id}` : id)).join(' ');

  it('is read from the tree and written back in order, each under its parent', () => {
    const node = (id: number, children: readonly MenuNode[] = []): MenuNode => {
      return {
        id,
        name: `n${id}`,
        url: '/',
        new_window: false,
        panel_id: false,
        sequence: 0,
        parent_id: false,
        children,
      };
    };
    const list = flatten(node(1, [node(2, [node(3), node(4, [node(5)])]), node(6)]));
    expect(list.map(({ id, level }) => [id, level])).toEqual([
      [2, 0],
      [3, 1],
      [4, 1],
      [5, 1],
      [6, 0],
    ]);
    expect(toItems(1, list).map(({ id, parent_id, sequence }) => [id, parent_id, sequence])).toEqual([
      [2, 1, 10],
      [3, 2, 20],
      [4, 2, 30],
      [5, 2, 40],
      [6, 1, 50],
    ]);
  });

  it.each<[string, number, 'up' | 'down', string]>([
    ['a b c', 1, 'up', 'b a c'],
    ['a b c', 0, 'up', 'a b c'],
    ['a b c', 2, 'down', 'a b c'],
    ['a -b c', 2, 'up', 'c a -b'],
    ['a -b c', 0, 'down', 'c a -b'],
    ['a -b -c d', 1, 'down', 'a -c -b d'],
    ['a -b c', 1, 'up', 'b a c'],
    ['a b -c', 2, 'up', 'a -c b'],
    ['a -b c -d', 1, 'down', 'a c -b -d'],
  ])('%s: entry %s %s makes %s', (before, index, direction, after) => {
    expect(shape(moveEntry(entries(before), index, direction).entries)).toBe(after);
  });

  it('has two levels: nothing below the first entry, and nothing below what is below', () => {
    expect(shape(setLevel(entries('a b c'), 1, 1))).toBe('a -b c');
    expect(shape(setLevel(entries('a b'), 0, 1))).toBe('a b');
    expect(shape(setLevel(entries('a b -c'), 1, 1))).toBe('a b -c');
    expect(shape(setLevel(entries('a -b'), 1, 0))).toBe('a b');
  });
});

describe('cropping', () => {
  it('begins with the largest part of its proportion within the margin', () => {
    expect(firstCrop(520, 320, 5 / 3)).toEqual({ x: 10, y: 10, width: 500, height: 300 });
    expect(firstCrop(520, 1000, 5 / 3)).toEqual({ x: 10, y: 350, width: 500, height: 300 });
  });

  it('answers pixels of the picture, and nothing for a selection without size', () => {
    expect(cropFields({ x: 10, y: 20, width: 50, height: 30 }, 2)).toEqual({
      x1: 20,
      y1: 40,
      x2: 120,
      y2: 100,
      w: 100,
      h: 60,
    });
    expect(cropFields({ x: 10, y: 20, width: 0, height: 30 }, 2)).toBeNull();
    expect(cropFields({ x: 10, y: 20, width: 50, height: 0 }, 2)).toBeNull();
  });

  it('is moved and sized by arrow keys, ten pixels at a time, within the picture', () => {
    const crop = { x: 5, y: 20, width: 50, height: 30 };
    expect(nudged(crop, 'ArrowRight', { width: 200, height: 100 })).toMatchObject({ x: 15, y: 20 });
    expect(nudged(crop, 'ArrowLeft', { width: 200, height: 100 })).toMatchObject({ x: 0 });
    expect(nudged(crop, 'ArrowDown', { width: 200, height: 55 })).toMatchObject({ y: 25 });
    expect(nudged(crop, 'Enter', { width: 200, height: 100 })).toBeNull();
    expect(resized(crop, 'ArrowRight', { width: 200, height: 100 })).toEqual({ x: 5, y: 20, width: 60, height: 36 });
    expect(resized({ ...crop, width: 190, height: 114 }, 'ArrowRight', { width: 200, height: 200 })?.width).toBe(195);
  });
});

describe('pictures in texts', () => {
  it('say how large they are, and offer smaller versions', () => {
    expect(
      pictureAttributes({
        website_url: '/website/image/ir.attachment/3_abcdef0/datas',
        width: 1000,
        height: 500,
        name: 'rose-garden.png',
      }),
    ).toEqual({
      src: '/website/image/ir.attachment/3_abcdef0/datas',
      alt: 'rose garden',
      width: '1000',
      height: '500',
      srcset:
        '/website/image/ir.attachment/3_abcdef0/datas/480x960 480w, /website/image/ir.attachment/3_abcdef0/datas/960x1920 960w, /website/image/ir.attachment/3_abcdef0/datas 1000w',
      sizes: '(min-width: 1200px) 1160px, 100vw',
    });
  });

  it('have no description made of the numbers of a camera', () => {
    expect(
      ['IMG_2031.jpg', 'DSC00012.JPG', '20260101_1200.png'].map(
        (name) => pictureAttributes({ website_url: '/x', name }).alt,
      ),
    ).toEqual(['', '', '']);
  });
});

it('buttons name their keys as programs that read pages aloud know them', () => {
  render(<ToolButton icon={arrowUpIcon} label="Move up" keys="Alt+Shift+↑" onPress={() => {}} />);
  const button = screen.getByRole('button', { name: 'Move up' });
  expect(button.getAttribute('aria-keyshortcuts')).toBe('Alt+Shift+ArrowUp');
  expect(button.title).toBe('Move up (Alt+Shift+↑)');
});
