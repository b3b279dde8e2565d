/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import Similar from '../parts/similar.tsx';
import { Tags } from '../parts/tags.tsx';
import { serve } from './kit.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

test('Similar questions are asked for half a second after the last letter', async () => {
  const asked = serve({ '/similar': [] });
  const { rerender } = render(<Similar address="/similar" title="Which rose" />);
  await pass(400);
  rerender(<Similar address="/similar" title="Which roses" />);
  await pass(499);
  expect(asked).toHaveLength(0);
  await pass(1);
  expect(asked).toHaveLength(1);
});

test('Tags are suggested half a second after the last letter, and another half second later one reads that they load', async () => {
  const asked: string[] = [];
  globalThis.fetch = jest.fn<typeof fetch>((address) => {
    asked.push(String(address));
    return new Promise(() => {});
  });
  function Typing() {
    const [tags, setTags] = useState<readonly string[]>([]);
    return <Tags forum={1} tags={tags} onChange={setTags} needs={null} error={undefined} />;
  }
  render(<Typing />);
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'ros' } });
  await pass(499);
  expect(asked).toEqual([]);
  await pass(1);
  expect(asked).toHaveLength(1);
  await pass(499);
  expect(screen.queryByText('Loading…')).toBeNull();
  await pass(1);
  expect(screen.getByText('Loading…')).toBeTruthy();
});
