import { jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import Refresh from '../refresh.tsx';

const MINUTE = 60_000;
let answer: unknown;
let calls: unknown[];
beforeEach(() => {
  jest.useFakeTimers();
  calls = [];
  globalThis.fetch = (async (path: string, { body }: RequestInit) => {
    calls.push([path, JSON.parse(String(body), (key, value) => (key === 'context' ? undefined : value)).params]);
    if (answer instanceof Error) throw answer;
    return { ok: true, json: async () => ({ result: answer }) };
  }) as unknown as typeof fetch;
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const island = (html: string) =>
  `<pergola-island><pergola-root><div><pergola-content>${html}</pergola-content></div></pergola-root></pergola-island>`;
const show = (children = <button type="button">1 : 0</button>) =>
  render(
    <Refresh path="/score" params={{ team: 3 }}>
      {children}
    </Refresh>,
  );
const comeBack = async (delay: number): Promise<void> => {
  await act(() => jest.advanceTimersByTimeAsync(delay));
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
};

it('is asked for again once the page was away for a minute, not before', async () => {
  answer = island(`<div>2 : 0 ${island('<i>live</i>')}</div>`);
  show();
  await comeBack(MINUTE - 1);
  expect(calls).toEqual([]);
  await comeBack(1);
  expect(calls).toEqual([['/score', { team: 3 }]]);
  expect(screen.getByText('2 : 0').innerHTML).toContain('<i>live</i>');
  expect(screen.queryByText('1 : 0')).toBeNull();
  answer = { 'fx.score': island('<p>3 : 0</p>') };
  await comeBack(MINUTE);
  expect(screen.getByText('3 : 0')).toBeDefined();
});

it('is asked for at once where it comes alive on a page that was away for a minute', async () => {
  answer = island('<p>2 : 0</p>');
  await act(() => jest.advanceTimersByTimeAsync(MINUTE));
  await act(async () => void show());
  expect(screen.getByText('2 : 0')).toBeDefined();
});

it('stays as it is without a connection, and where nothing fits', async () => {
  show();
  for (answer of [new TypeError('Failed to fetch'), '<p>Something else</p>', { none: 3 }]) await comeBack(MINUTE);
  expect(calls).toHaveLength(3);
  expect(screen.getByText('1 : 0')).toBeDefined();
});

it('holds still while somebody is at it, or edits the page', async () => {
  answer = island('<p>2 : 0</p>');
  const { baseElement } = show();
  screen.getByText('1 : 0').focus();
  await comeBack(MINUTE);
  screen.getByText('1 : 0').blur();
  baseElement.dataset.editing = 'html';
  await comeBack(MINUTE);
  delete baseElement.dataset.editing;
  expect(calls).toEqual([]);
  await comeBack(0);
  expect(screen.getByText('2 : 0')).toBeDefined();
});
