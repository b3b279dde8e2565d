/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import backToTop from '../../behaviours/back-to-top.ts';
import page from '../../behaviours/page.ts';
import parallax, { pictureHeight } from '../../behaviours/parallax.ts';
import scrollAnimation from '../../behaviours/scroll-animation.ts';
import { find, media, show, withBehaviours } from '../../islands/tests/dom-kit.ts';
import { scrollTopOf, withoutEditor, withScrollTop } from '../browser/scroll-hash.ts';

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
    expect(withoutEditor('https://site.example/a?b=1&enable_editor=1#c')).toBe('https://site.example/a?b=1#c');
    expect(withoutEditor('https://site.example/a?enable_editor')).toBe('https://site.example/a');
  });
});
