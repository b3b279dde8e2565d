/** @jest-environment jsdom */
import { act, render, screen } from '@testing-library/react';
import { ready } from 'pergola/browser';
import LiveList from '../live-list.tsx';
import LiveQuestion from '../live-question.tsx';
import Notes from '../notes.tsx';
import Votes from '../votes.tsx';

/** Lines that are open, by their address. */
const lines = new Map<string, FakeEventSource>();

class FakeEventSource {
  static readonly CLOSED = 2;
  readyState = 1;
  onmessage: ((event: { data: string }) => void) | null = null;
  readonly #url: string;
  constructor(url: string) {
    const [path = ''] = url.split('?');
    this.#url = path;
    lines.set(path, this);
  }
  close(): void {
    lines.delete(this.#url);
  }
}

const tell = (path: string, data: object): void =>
  act(() => lines.get(path)?.onmessage?.({ data: JSON.stringify(data) }));

const show = (isHidden: boolean): void => {
  Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
};

beforeEach(() => {
  Object.assign(window, { EventSource: FakeEventSource });
  return ready;
});

test('A list says how many questions are new, and listens only while it is seen', () => {
  render(<LiveList forum={3} newest={8} />);
  tell('/forum/live/3', { newest: [8, 7] });
  expect(screen.queryByRole('button')).toBeNull();
  tell('/forum/live/3', { newest: [9, 8, 7] });
  expect(screen.getByRole('button', { name: 'Show 1 new question' })).toBeDefined();
  show(true);
  expect(lines.size).toBe(0);
  show(false);
  tell('/forum/live/3', { newest: [11, 9, 8] });
  expect(screen.getByRole('button', { name: 'Show 2 new questions' })).toBeDefined();
});

test('A question says that there is a new answer, and its votes and the accepted answer follow', () => {
  const needs = { upvote: null, downvote: null, accept: null };
  const vote = (post: number) => (
    <Votes base={`/forum/help-1/post/${post}`} count={1} vote={0} mayVote={false} accepted={false} needs={needs} />
  );
  const shown = { votes: { 5: 1, 6: 1 }, answers: [6], accepted: null };
  const { rerender } = render(
    <>
      <LiveQuestion forum={1} question={5} shown={shown} isWhole />
      {vote(5)}
    </>,
  );
  tell('/forum/live/1/5', { votes: { 5: 4, 6: 2, 7: 0 }, answers: [7, 6], accepted: 6 });
  expect(screen.getByRole('button', { name: 'Show 1 new answer' })).toBeDefined();
  expect(document.querySelector('[data-vote-count]')?.textContent).toBe('4');
  // Who wakes up later hears what was told before.
  rerender(
    <>
      <LiveQuestion forum={1} question={5} shown={shown} isWhole />
      {vote(5)}
      {vote(6)}
    </>,
  );
  const last = [...document.querySelectorAll('.forum-vote')].at(-1);
  expect(last?.querySelector('[data-vote-count]')?.textContent).toBe('2');
  expect(last?.querySelector('.forum-check')?.className).toContain('is-on');
});

test('The bell counts what has happened meanwhile, here or in another tab, and says so', () => {
  const note = (id: number) => ({
    id,
    text: `Answer ${id}`,
    href: null,
    date: { machine: '2026-01-01T00:00:00.000Z', text: 'now' },
  });
  const unread = () => document.querySelector('[data-unread]')?.textContent;
  render(<Notes forum={3} notes={[note(1)]} unread={1} path="/forum/help-3" />);
  const path = '/forum/live/3/notes';
  tell(path, { notes: [note(1)], unread: 1 });
  expect([unread(), screen.getByRole('status').textContent]).toEqual(['1', '']);
  tell(path, { notes: [note(2), note(1)], unread: 2 });
  expect([unread(), screen.getByRole('status').textContent]).toEqual(['2', '1 new notification']);
  expect(screen.getByText('Answer 2')).toBeDefined();
  tell(path, { notes: [], unread: 0 });
  expect([unread(), screen.getByRole('status').textContent]).toEqual([undefined, '']);
});
