import { jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import Countdown from '../countdown.tsx';
import { timeLeft } from '../parts/time-left.ts';

const initialLeft = { days: 3, hours: 4, minutes: 5 };
const numbers = (): (string | null)[] =>
  [...document.querySelectorAll('.countdown-number')].map(({ textContent }) => textContent);

beforeEach(() => void jest.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12) }));
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

it('counts every second, and says at the end that it is over, once', () => {
  const ended = jest.fn();
  addEventListener('countdown-end', ended);
  render(<Countdown until="2026-11-21T12:00:02Z" left={initialLeft} done="" />);
  expect(numbers()).toEqual(['0', '0', '0', '2']);
  const full = [...document.querySelectorAll<HTMLElement>('.countdown-unit')].map(({ dataset }) => dataset.full);
  expect(full).toEqual(['365', '24', '60', '60']);
  act(() => void jest.advanceTimersByTime(1000));
  expect(numbers()).toEqual(['0', '0', '0', '1']);
  expect(screen.getByText('Here we go!').hidden).toBe(true);
  act(() => void jest.advanceTimersByTime(5000));
  expect(screen.getByText('Here we go!').hidden).toBe(false);
  expect(ended).toHaveBeenCalledTimes(1);
  removeEventListener('countdown-end', ended);
});

it('says at once what is over already, in the words of the page', () => {
  render(<Countdown until="2000-01-01T10:00:00Z" left={initialLeft} done="It is over." />);
  expect(screen.getByText('It is over.').hidden).toBe(false);
  expect(numbers()).toEqual(['0', '0', '0', '0']);
});

it('reads the time left', () => {
  expect(timeLeft(((2 * 24 + 3) * 60 + 4) * 60_000 + 4_001)).toEqual({ days: 2, hours: 3, minutes: 4, seconds: 5 });
  expect(timeLeft(-5)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
});
