/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import backToTop from '../../behaviours/back-to-top.ts';
import count, { COUNT_MS } from '../../behaviours/count.ts';
import film from '../../behaviours/film.ts';
import page from '../../behaviours/page.ts';
import parallax, { pictureHeight } from '../../behaviours/parallax.ts';
import popup from '../../behaviours/popup.ts';
import scrollAnimation from '../../behaviours/scroll-animation.ts';
import { find, media, show, withBehaviours } from '../../islands/tests/dom-kit.ts';
import { asVisitor, scrollTopOf, withScrollTop } from '../browser/scroll-hash.ts';

const live = withBehaviours();
const box = (element: Element, top: number, height: number): void => {
  element.getBoundingClientRect = () =>
    ({ top, height, left: 0, width: 500, bottom: top + height, right: 500 }) as DOMRect;
};

describe('A parallax', () => {
  const html = (ratio: string) =>
    `<section class="s_parallax" data-opt-ratio="${ratio}"><img class="s_parallax_picture"></section>`;
  const moved = (ratio: string, top: number): string => {
    const section = show(html(ratio));
    box(section, top, 400);
    live(parallax, section);
    return find('img').style.transform;
  };

  it('moves its picture by its ratio; at 1 it stands still in the window', () => {
    expect(moved('0.5', 300)).toBe('translateY(-150px)');
    expect(moved('1', 300)).toBe('translateY(-300px)');
    expect(moved('1', -120)).toBe('translateY(120px)');
  });

  it('does nothing at 0, and for those who want less motion', () => {
    expect(moved('0', 300)).toBe('');
    media('prefers-reduced-motion');
    expect(moved('0.5', 300)).toBe('');
  });

  it('has a picture that covers what is seen of the section, wherever it is', () => {
    const [view, height] = [800, 400];
    for (const ratio of [0.2, 0.6, 1]) {
      const picture = pictureHeight(height, view, ratio);
      for (let top = -height; top <= view; top += 10) {
        const from = top * (1 - ratio);
        expect(from).toBeLessThanOrEqual(Math.max(top, 0) + 1e-9);
        expect(from + picture).toBeGreaterThanOrEqual(Math.min(top + height, view) - 1e-9);
      }
    }
  });
});

describe('What comes in while scrolling', () => {
  const start = (top: number, height: number): HTMLElement => {
    const element = show('<div class="animate animate-up">Hello</div>');
    Object.defineProperty(document.documentElement, 'scrollHeight', { value: 5_000, configurable: true });
    box(element, top, height);
    live(scrollAnimation, element);
    return element;
  };

  it('stays as it is when it is in view already', () => {
    expect(start(100, 200).className).toBe('animate animate-up');
  });

  it('waits until 30 % of it, and at least 10 pixels, are in view', () => {
    jest.useFakeTimers();
    const element = start(741, 200);
    expect(element.classList.contains('animate-wait')).toBe(true);
    box(element, 740, 200);
    window.dispatchEvent(new Event('scroll'));
    jest.advanceTimersByTime(100);
    expect(element.classList.contains('animate-wait')).toBe(false);
    const low = start(791, 12);
    expect(low.classList.contains('animate-wait')).toBe(true);
    expect(start(790, 12).classList.contains('animate-wait')).toBe(false);
  });

  it('looks at most every 100 milliseconds', () => {
    jest.useFakeTimers();
    const element = start(2_000, 200);
    window.dispatchEvent(new Event('scroll'));
    jest.advanceTimersByTime(1);
    box(element, 100, 200);
    window.dispatchEvent(new Event('scroll'));
    jest.advanceTimersByTime(98);
    expect(element.classList.contains('animate-wait')).toBe(true);
    jest.advanceTimersByTime(2);
    expect(element.classList.contains('animate-wait')).toBe(false);
  });

  it('is there at once for those who want less motion, and when the focus comes to it', () => {
    const element = start(2_000, 200);
    element.dispatchEvent(new Event('focusin'));
    expect(element.classList.contains('animate-wait')).toBe(false);
    media('prefers-reduced-motion');
    expect(start(2_000, 200).classList.contains('animate-wait')).toBe(false);
  });
});

describe('The way back to the top', () => {
  const scrolled = (top: number): HTMLElement => {
    window.scrollY = top;
    window.dispatchEvent(new Event('scroll'));
    return find('a');
  };

  it('shows after 300 pixels and fades after 1200', () => {
    live(backToTop, show('<a class="back-to-top" href="#main">Up</a>'));
    expect(scrolled(300).hasAttribute('data-shown')).toBe(false);
    expect(scrolled(301).hasAttribute('data-shown')).toBe(true);
    expect(scrolled(1_200).hasAttribute('data-faded')).toBe(false);
    expect(scrolled(1_201).hasAttribute('data-faded')).toBe(true);
  });

  it.each(['wheel', 'touchmove', 'keydown'])('gives way to whoever scrolls meanwhile (%s)', (type) => {
    jest.useFakeTimers();
    live(backToTop, show('<a class="back-to-top" href="#main">Up</a>'));
    scrolled(2_000).click();
    const to = jest.spyOn(window, 'scrollTo').mockImplementation(() => {});
    jest.advanceTimersByTime(200);
    expect(to).toHaveBeenCalled();
    window.dispatchEvent(new Event(type));
    to.mockClear();
    jest.advanceTimersByTime(700);
    expect(to).not.toHaveBeenCalled();
  });

  it('takes 700 milliseconds, without a hash in the address', () => {
    jest.useFakeTimers();
    live(backToTop, show('<a class="back-to-top" href="#main">Up</a>'));
    scrolled(2_000).click();
    const tops: number[] = [];
    window.scrollTo = ((to: { top: number }) => tops.push(to.top)) as unknown as typeof window.scrollTo;
    const last = (): number | undefined => tops.at(-1);
    jest.advanceTimersByTime(350);
    expect(last()).toBeGreaterThan(500);
    expect(last()).toBeLessThan(1_500);
    jest.advanceTimersByTime(400);
    expect(last()).toBe(0);
    expect(location.hash).toBe('');
  });
});

describe('A figure', () => {
  /** Displayed text halfway through the animation, and at the end. */
  const textDuring = (text: string): [half: string, end: string] => {
    jest.useFakeTimers();
    window.IntersectionObserver = class {
      readonly observe: () => void;
      readonly disconnect = () => {};
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        this.observe = () => seen([{ isIntersecting: true }]);
      }
    } as unknown as typeof IntersectionObserver;
    const figure = show(`<strong class="s_count">${text}</strong>`);
    live(count, figure);
    jest.advanceTimersByTime(COUNT_MS / 2);
    const half = figure.textContent ?? '';
    jest.advanceTimersByTime(COUNT_MS);
    return [half, figure.textContent ?? ''];
  };

  it('counts up to what is written, thousands parted as there', () => {
    const [half, end] = textDuring('1450');
    expect([/^1[0-4]\d\d$/.test(half), end]).toEqual([true, '1450']);
    expect(textDuring('1,450')[0]).toMatch(/^1,[0-4]\d\d$/);
  });

  it.each(['4.5', '4,5', '98 %', '0', '2019–2026'])(
    'stays as it is written where it is no whole number: %s',
    (text) => {
      expect(textDuring(text)).toEqual([text, text]);
    },
  );

  it('stands still where less motion is wanted', () => {
    media('prefers-reduced-motion');
    expect(textDuring('1450')).toEqual(['1450', '1450']);
  });
});

describe('A film behind a section', () => {
  const start = (): HTMLVideoElement => {
    const video = find<HTMLVideoElement>('video');
    let isPaused = true;
    Object.defineProperty(video, 'paused', { get: () => isPaused });
    const turn = (paused: boolean): void => {
      isPaused = paused;
      video.dispatchEvent(new Event(paused ? 'pause' : 'play'));
    };
    Object.assign(video, { play: async () => turn(false), pause: () => turn(true) });
    live(film, video);
    return video;
  };

  it('plays without sound, and has a button that stops it', async () => {
    show('<section><video class="o-behind"></video></section>');
    const video = start();
    expect([video.muted, video.paused]).toEqual([true, false]);
    const button = await screen.findByRole('button', { name: 'Stop video' });
    act(() => button.click());
    expect([video.paused, button.textContent]).toEqual([true, 'Play video']);
  });

  it('waits for its button where less motion is wanted', async () => {
    media('prefers-reduced-motion');
    show('<section><video class="o-behind"></video></section>');
    const video = start();
    const button = await screen.findByRole('button', { name: 'Play video' });
    expect(video.paused).toBe(true);
    act(() => button.click());
    expect([video.paused, button.textContent]).toEqual([false, 'Stop video']);
  });
});

describe('A film where data is saved', () => {
  afterEach(() => Reflect.deleteProperty(navigator, 'connection'));

  it('waits for its button', async () => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
    show('<section><video class="o-behind"></video></section>');
    const video = find<HTMLVideoElement>('video');
    video.play = jest.fn(async () => {});
    live(film, video);
    await screen.findByRole('button', { name: 'Play video' });
    expect(video.play).not.toHaveBeenCalled();
  });
});

describe('A pop-up', () => {
  const html = '<main><section class="s_popup" data-opt-after="0"><h2>Summer</h2><p>We are away.</p></section></main>';

  it('opens over the page after a while, and not again to who has closed it', async () => {
    live(popup, show(html).firstElementChild as HTMLElement);
    const dialog = await screen.findByRole<HTMLDialogElement>('dialog', { name: 'Summer' });
    expect([dialog.open, dialog.textContent]).toEqual([true, 'SummerWe are away.']);
    act(() => screen.getByRole('button', { name: 'Close' }).click());
    await waitFor(() => expect(document.querySelector('dialog')).toBeNull());
    jest.useFakeTimers();
    live(popup, show(html).firstElementChild as HTMLElement);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('waits for good while the page is edited', () => {
    jest.useFakeTimers();
    live(popup, show(html.replace('<main', '<main data-editing')).firstElementChild as HTMLElement);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('The answer to a form', () => {
  it.each([
    ['<p class="alert alert-success" role="status">Saved.</p>', 'Saved.'],
    ['<p class="alert alert-success" role="status">Saved.</p><p role="alert">Not that.</p>', 'Saved.'],
    ['<p role="status">40 products</p>', null],
    ['<p role="alert">Not that.</p><input aria-invalid="true">', ''],
  ])('begins at what it says: %s', (html, focusedText) => {
    show(`<main>${html}</main>`);
    live(page, document.documentElement);
    const focused = document.activeElement === document.body ? null : document.activeElement?.textContent;
    expect(focused).toBe(focusedText);
  });
});

describe('A menu', () => {
  it('closes when the focus goes elsewhere, and stays open where that goes to what it lies in', () => {
    show(
      '<main tabindex="-1"><details class="dropdown" open><summary>More</summary>Text</details><a href="/">Home</a></main>',
    );
    const details = document.querySelector('details') as HTMLDetailsElement;
    live(page, document.documentElement);
    document.querySelector('main')?.focus();
    expect(details.open).toBe(true);
    document.querySelector('a')?.focus();
    expect(details.open).toBe(false);
  });
});

describe('The place a page was scrolled to', () => {
  it('is kept in the hash, beside what else is in it', () => {
    expect(withScrollTop('', 420.4)).toBe('#scrollTop=420');
    expect(withScrollTop('#menu&scrollTop=3', 9)).toBe('#menu&scrollTop=9');
    expect(scrollTopOf('#menu&scrollTop=9')).toBe(9);
    expect(scrollTopOf('#scrollTop=x')).toBeNull();
  });

  it('is gone back to when the page is there again', () => {
    location.hash = '#scrollTop=420';
    live(page, document.documentElement);
    expect(window.scrollTo).toHaveBeenCalledWith({ top: 420, behavior: 'instant' });
    location.hash = '';
  });

  it('is loaded without the editor', () => {
    expect(asVisitor('https://site.example/a?b=1&enable_editor=1#c')).toBe('https://site.example/a?b=1#c');
    expect(asVisitor('https://site.example/a?enable_editor&look=3')).toBe('https://site.example/a');
  });
});
