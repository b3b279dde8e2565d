import { jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import Countdown from '../countdown.tsx';

const units = { days: 365, hours: 24, minutes: 60, seconds: 60 } as const;
const gauges = Object.entries(units).map(([unit, full]) => ({ unit: unit as keyof typeof units, full, label: unit }));
const left = { days: 3, hours: 4, minutes: 5 };
const numbers = (): (string | null)[] =>
  [...document.querySelectorAll('.club-gauge-number')].map(({ textContent }) => textContent);

beforeEach(() => void jest.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12) }));
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

it('counts every second, and says at the end that it is over, once', () => {
  const ended = jest.fn();
  addEventListener('countdown-end', ended);
  render(<Countdown until="2026-11-21T12:00:02Z" left={left} gauges={gauges} done="" />);
  expect(numbers()).toEqual(['0', '0', '0', '2']);
  act(() => void jest.advanceTimersByTime(1000));
  expect(numbers()).toEqual(['0', '0', '0', '1']);
  expect(screen.getByText('Here we go!').hidden).toBe(true);
  act(() => void jest.advanceTimersByTime(5000));
  expect(screen.getByText('Here we go!').hidden).toBe(false);
  expect(ended).toHaveBeenCalledTimes(1);
  removeEventListener('countdown-end', ended);
});

it('says at once what is over already, in the words of the page', () => {
  render(<Countdown until="2000-01-01T10:00:00Z" left={left} gauges={gauges} done="It is over." />);
  expect(screen.getByText('It is over.').hidden).toBe(false);
  expect(numbers()).toEqual(['0', '0', '0', '0']);
});
