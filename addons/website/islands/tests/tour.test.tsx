/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { act, fireEvent } from '@testing-library/react';
import page from '../../behaviours/page.ts';
import type { TourStep } from '../../snippets/tours/point.ts';
import { notePlace } from '../parts/tour/note-place.ts';
import { readTour, STORED, tutorialOf, withoutTutorial, writeTour } from '../parts/tour/state.ts';
import { runTour } from '../parts/tour/tour.tsx';
import { find, media, mendDialogs, settle, show } from './dom-kit.ts';

const ends: (() => void)[] = [];

/** Treats every element as visible unless hidden, since jsdom has no layout. */
function layOut(): void {
  HTMLElement.prototype.getBoundingClientRect = function box(this: HTMLElement): DOMRect {
    const size = this.hidden ? 0 : 40;
    return { left: 10, top: 10, width: size, height: size, right: 50, bottom: 50 } as DOMRect;
  };
  HTMLElement.prototype.scrollIntoView = () => {};
}

async function start(steps: readonly TourStep[], html: string, step = 0): Promise<void> {
  const tour = { id: 'test', name: 'Test', path: '/', steps };
  window.fetch = (async () => ({ ok: true, json: async () => tour })) as unknown as typeof window.fetch;
  show(html);
  writeTour({ id: 'test', step });
  await act(async () => {
    ends.push(await runTour());
  });
}
const look = (milliseconds = 50): void => act(() => void jest.advanceTimersByTime(milliseconds));
const stop = (): void => {
  act(() => {
    for (const end of ends.splice(0)) end();
  });
};
const note = (): string | null => document.querySelector('.tour-title')?.textContent ?? null;
const press = (text: string): void => {
  const match = [...document.querySelectorAll<HTMLButtonElement>('.tour-note button')].find(
    (candidate) => candidate.textContent === text,
  );
  if (!match) throw new Error(`There is no button “${text}”.`);
  act(() => match.click());
};

beforeEach(() => {
  jest.useFakeTimers();
  media('prefers-reduced-motion');
  layOut();
  mendDialogs();
  localStorage.clear();
});
afterEach(() => {
  stop();
  jest.useRealTimers();
});

describe('A tour', () => {
  it('is asked for in the address', () => {
    expect(tutorialOf('#tutorial.event=true')).toBe('event');
    expect(tutorialOf('#a=b&tutorial.website.make_page=true')).toBe('website.make_page');
    expect(tutorialOf('#tutorial.event=false')).toBeNull();
    expect(withoutTutorial('#tutorial.event=true')).toBe('');
    expect(withoutTutorial('#a=b&tutorial.event=true&c=d')).toBe('#a=b&c=d');
  });

  it('begins where the address asks for it, and takes the wish out of the address', () => {
    location.hash = '#tutorial.event=true';
    const end = page(document.documentElement);
    expect(readTour()).toEqual({ id: 'event', step: 0 });
    expect(document.querySelectorAll('[data-tour]')).toHaveLength(1);
    expect(location.hash).toBe('');
    end();
  });

  it('loads nothing on pages without one', () => {
    show('<main></main>');
    const end = page(document.documentElement);
    expect(document.querySelector('[data-tour]')).toBeNull();
    end();
  });

  it('goes on after a click of the person, on whatever page that leads to', async () => {
    const steps: TourStep[] = [
      { element: '#a', title: 'First' },
      { element: '#b', title: 'Second' },
    ];
    await start(steps, '<main><a id="a" href="#x">A</a></main>');
    expect(note()).toBe('First');
    act(() => find('#a').click());
    expect(JSON.parse(localStorage.getItem(STORED) ?? 'null')).toEqual({ id: 'test', step: 1 });
    look();
    expect(note()).toBeNull();
    // Next page.
    stop();
    await start(steps, '<main><a id="b" href="#x">B</a></main>', 1);
    expect(note()).toBe('Second');
  });

  it('does a step for the person who asks for it', async () => {
    const steps: TourStep[] = [
      { element: '#name', title: 'Name', action: 'type', text: 'Ada' },
      { element: '#size', title: 'Size', action: 'select', text: 'Large' },
      { element: '#send', title: 'Send' },
      { title: 'End' },
    ];
    await start(
      steps,
      '<main><input id="name"><select id="size"><option value="s">Small</option><option value="l">Large</option></select><button id="send">Send</button></main>',
    );
    const sent = jest.fn();
    find('#send').addEventListener('click', sent);
    press('Next');
    look();
    press('Next');
    look();
    expect([find<HTMLInputElement>('#name').value, find<HTMLSelectElement>('#size').value]).toEqual(['Ada', 'l']);
    press('Do it for me');
    expect(sent).toHaveBeenCalledTimes(1);
    look();
    press('Done');
    expect(readTour()).toBeNull();
    expect(note()).toBeNull();
  });

  const full: TourStep = {
    element: '#a',
    title: 'First',
    trouble: { when: '.cart:not([data-count="0"])', help: 'The cart is full.', label: 'Empty it', call: '/clean' },
  };

  it('says what keeps it from going on, and begins anew once that was put right', async () => {
    await start(
      [{ title: 'Start' }, full],
      '<main><a id="a" href="#x">A</a><b class="cart" data-count="1"></b></main>',
      1,
    );
    expect(note()).toBeNull();
    expect(find('dialog').textContent).toContain('The cart is full.');
    const fetchMock = jest.fn(async () => ({ json: async () => ({ result: {} }) }));
    window.fetch = fetchMock as unknown as typeof window.fetch;
    await act(async () => find<HTMLButtonElement>('dialog .btn-primary').click());
    await settle();
    expect(fetchMock).toHaveBeenCalledWith('/clean', expect.anything());
    expect(readTour()).toEqual({ id: 'test', step: 0 });
  });

  it('ends where the person would rather keep what is in its way, and asks nothing where nothing is', async () => {
    await start([full], '<main><a id="a" href="#x">A</a><b class="cart" data-count="1"></b></main>');
    await act(async () => find<HTMLButtonElement>('dialog .btn-outline-secondary').click());
    await settle();
    expect(readTour()).toBeNull();
    await start([full], '<main><a id="a" href="#x">A</a><b class="cart" data-count="0"></b></main>');
    expect([note(), document.querySelector('dialog')]).toEqual(['First', null]);
  });

  it('keeps what the person has written', async () => {
    const steps: TourStep[] = [{ element: '#name', title: 'Name', action: 'type', text: 'Ada' }, { title: 'End' }];
    await start(steps, '<main><input id="name" value="before"></main>');
    find<HTMLInputElement>('#name').value = 'Grace';
    press('Next');
    expect(find<HTMLInputElement>('#name').value).toBe('Grace');
  });

  it('passes over what is filled in already, where it is to be typed only when empty', async () => {
    const steps: TourStep[] = [
      { element: '#name', title: 'Name', action: 'type', text: 'Ada', onlyIfEmpty: true },
      { title: 'End' },
    ];
    await start(steps, '<main><input id="name" value="Grace"></main>');
    look();
    expect(note()).toBe('End');
    expect(find<HTMLInputElement>('#name').value).toBe('Grace');
  });

  it('waits for what a step waits for, and says so after a while', async () => {
    const steps: TourStep[] = [{ element: '#a', title: 'First', waitFor: '.ready', waitNot: '.busy' }];
    await start(steps, '<main class="busy"><a id="a" href="#x">A</a></main>');
    expect(note()).toBeNull();
    look(5_000);
    expect(find('.toast-note').textContent).toContain('First');
    find('main').className = 'ready busy';
    look();
    expect(note()).toBeNull();
    find('main').className = 'ready';
    look();
    expect(note()).toBe('First');
  });

  it('ends when the person wants it to, by the button or Escape', async () => {
    for (const end of [() => press('End the tour'), () => fireEvent.keyDown(find('.tour-note'), { key: 'Escape' })]) {
      await start([{ element: '#a', title: 'First' }], '<main><a id="a" href="#x">A</a></main>');
      end();
      expect(readTour()).toBeNull();
      look();
      expect(note()).toBeNull();
    }
  });

  it('stands in the dialog its step is about, which lets nothing else be pressed', async () => {
    await start([{ element: '#a', title: 'First' }], '<dialog open><button id="a">A</button></dialog>');
    expect(find('.tour-note').closest('dialog')).not.toBeNull();
  });

  it('says so when there is none of that name, and forgets it', async () => {
    window.fetch = (async () => ({ ok: false, status: 404 })) as unknown as typeof window.fetch;
    show('<main></main>');
    writeTour({ id: 'gone', step: 2 });
    await runTour();
    expect(readTour()).toBeNull();
    expect(find('.toast-note').textContent).toBe('This tour doesn’t exist.');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['can’t be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['is busy', async () => ({ ok: false, status: 503 })],
  ])('keeps its place if the server %s', async (_, answer) => {
    window.fetch = answer as typeof window.fetch;
    show('<main></main>');
    writeTour({ id: 'test', step: 2 });
    await runTour();
    expect(readTour()).toEqual({ id: 'test', step: 2 });
    expect(find('.toast-note').textContent).toBe('The tour couldn’t be loaded. Reload the page to continue it.');
  });
});

describe('The note of a step', () => {
  const view = { width: 1000, height: 800 };
  const size = { width: 300, height: 100 };
  it('stands where it was asked for, else where there is room, and always in the window', () => {
    const box = { left: 500, top: 300, width: 40, height: 40 };
    expect(notePlace(box, size, view)).toEqual({ left: 370, top: 354 });
    expect(notePlace(box, size, view, 'left')).toEqual({ left: 186, top: 270 });
    expect(notePlace({ ...box, top: 750 }, size, view).top).toBe(636);
    expect(notePlace({ ...box, left: 5 }, size, view).left).toBe(8);
    expect(notePlace({ left: 0, top: 0, width: 1000, height: 800 }, size, view)).toEqual({ left: 350, top: 692 });
    // Keeps 8 pixels free at each edge; one pixel less, and the note moves to another side.
    expect([638, 639].map((top) => notePlace({ ...box, top }, size, view).top)).toEqual([692, 525]);
    expect([122, 121].map((top) => notePlace({ ...box, top }, size, view, 'top').top)).toEqual([8, 175]);
    expect([322, 321].map((left) => notePlace({ ...box, left }, size, view, 'left').top)).toEqual([270, 354]);
    expect([638, 639].map((left) => notePlace({ ...box, left }, size, view, 'right').top)).toEqual([270, 354]);
  });
});
