/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { act, cleanup, fireEvent } from '@testing-library/react';
import slider from '../../behaviours/slider.ts';
import { showSliderControls } from '../parts/show-slider-controls.tsx';
import { find, media, show } from './dom-kit.ts';

let end: (() => void) | null = null;
beforeEach(() => media());
afterEach(() => {
  act(() => end?.());
  end = null;
  cleanup();
  jest.useRealTimers();
});

const pass = (milliseconds: number): void => act(() => void jest.advanceTimersByTime(milliseconds));
const press = (selector: string): boolean => fireEvent.click(find(selector));

describe('A slider', () => {
  const slides = '<section class="s_slider"><div class="slides"><div>1</div><div>2</div><div>3</div></div></section>';
  async function start(html = slides): Promise<{ element: HTMLElement; moves: number[] }> {
    const element = show(html);
    const track = find('.slides');
    const moves: number[] = [];
    Object.defineProperty(track, 'clientWidth', { value: 100 });
    track.scrollTo = ((to: { left: number }) => {
      moves.push(to.left);
      track.scrollLeft = to.left;
      track.dispatchEvent(new Event('scroll'));
    }) as typeof track.scrollTo;
    await act(async () => {
      end = await showSliderControls(element, track);
    });
    return { element, moves };
  }

  it('is left as it is where there is nothing to slide to', () => {
    const singleSlide = show('<section class="s_slider"><div class="slides"><div>1</div></div></section>');
    expect(slider(singleSlide)).toBeUndefined();
    expect(singleSlide.querySelector('[tabindex]')).toBeNull();
    expect(slider(show('<section class="s_slider"></section>'))).toBeUndefined();
  });

  it('moves on every 10 seconds, and from the last slide to the first', async () => {
    jest.useFakeTimers();
    const { moves } = await start();
    pass(9_999);
    expect(moves).toEqual([]);
    pass(1);
    expect(moves).toEqual([100]);
    pass(20_000);
    expect(moves).toEqual([100, 200, 0]);
  });

  it('moves at another pace, or never, where it says so', async () => {
    jest.useFakeTimers();
    const fast = await start(slides.replace('<section', '<section data-opt-interval="5000"'));
    pass(5_000);
    expect(fast.moves).toEqual([100]);
    const never = await start(slides.replace('<section', '<section data-opt-interval="0"'));
    pass(60_000);
    expect(never.moves).toEqual([]);
    expect(document.querySelector('.slider-pause')).toBeNull();
  });

  it('rests while the pointer or the focus is in it', async () => {
    jest.useFakeTimers();
    const { element, moves } = await start();
    fireEvent(element, new Event('pointerenter'));
    pass(30_000);
    expect(moves).toEqual([]);
    fireEvent(element, new Event('pointerleave'));
    pass(10_000);
    expect(moves).toEqual([100]);
  });

  it('stands still for those who want less motion, until they let it run', async () => {
    jest.useFakeTimers();
    media('prefers-reduced-motion');
    const { moves } = await start();
    pass(30_000);
    expect(moves).toEqual([]);
    expect(find('.slider-pause').getAttribute('aria-label')).toBe('Play the slideshow');
    press('.slider-pause');
    pass(10_000);
    expect(moves).toEqual([100]);
  });

  it('can be stopped', async () => {
    jest.useFakeTimers();
    const { moves } = await start();
    press('.slider-pause');
    pass(30_000);
    expect(moves).toEqual([]);
    expect(find('.slides').getAttribute('aria-live')).toBe('polite');
  });

  it('is led by buttons, dots and arrow keys', async () => {
    const { moves } = await start();
    press('.slider-next');
    press('.slider-previous');
    press('.slider-previous');
    expect(moves).toEqual([100, 0, 200]);
    const dots = document.querySelectorAll<HTMLElement>('.slider-dot');
    expect(dots).toHaveLength(3);
    expect(dots[2]?.getAttribute('aria-current')).toBe('true');
    act(() => dots[1]?.click());
    fireEvent.keyDown(find('.slides'), { key: 'ArrowRight' });
    expect(moves).toEqual([100, 0, 200, 100, 200]);
  });

  it('leaves nothing behind', async () => {
    await start();
    act(() => end?.());
    expect(document.querySelector('.slider-controls')).toBeNull();
  });

  it('keeps still while it is edited, so that nothing of it is saved', async () => {
    show(`<div data-editing="html">${slides}</div>`);
    expect(slider(find('.s_slider'))).toBeUndefined();
    expect(document.querySelector('button')).toBeNull();
    expect(find('.slides').hasAttribute('tabindex')).toBe(false);
  });
});
