/** @jest-environment jsdom */
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Queue from '../queue.tsx';
import { serve, toasts } from './kit.ts';

const post = (id: number): Parameters<typeof Queue>[0]['posts'][number] => ({
  id,
  title: `Post ${id}`,
  isAnswer: id === 2,
  path: `/forum/help-1/question/${id}`,
  base: `/forum/help-1/post/${id}`,
  questionBase: `/forum/help-1/question/${id}`,
  html: '<p>How?</p>',
  date: { machine: '2026-01-01T00:00:00.000Z', text: 'yesterday' },
  author: { name: 'Ada', initial: 'A', picture: null, karma: 5, path: null, gold: 0, silver: 0, bronze: 1 },
  flagger: null,
  reason: null,
});
const props: Parameters<typeof Queue>[0] = {
  name: 'validation_queue',
  canModerate: true,
  queues: [{ href: '/forum/help-1/validation_queue', label: 'To approve', active: true, count: 3 }],
  posts: [post(1), post(2), post(3)],
};
const focused = (): string | null | undefined => document.activeElement?.getAttribute('aria-label');

test('Posts are decided by keyboard, and the next is at hand', async () => {
  const asked = serve({ '/forum/help-1/post/1/validate': true, '/forum/help-1/post/2/refuse': true });
  render(<Queue {...props}>By keyboard</Queue>);
  expect(document.querySelector('[data-forum-keys]')?.className).toContain('is-on');
  await userEvent.keyboard('jjk');
  expect(focused()).toBe('Post 1');
  await userEvent.keyboard('v');
  await waitFor(() => expect(screen.queryByLabelText('Post 1')).toBeNull());
  expect(focused()).toBe('Post 2');
  expect(screen.getByText('2').className).toBe('forum-tag-count');
  await userEvent.keyboard('r');
  await waitFor(() => expect(screen.queryByLabelText('Post 2')).toBeNull());
  expect(asked.map(({ path }) => path)).toEqual(['/forum/help-1/post/1/validate', '/forum/help-1/post/2/refuse']);
  expect(toasts()).toEqual(['Done.']);
});

test('Each decision is a form of its own without JavaScript', () => {
  render(<Queue {...props} posts={[post(1)]} />);
  expect([...document.forms].map((form) => new URL(form.action).pathname)).toEqual([
    '/forum/help-1/post/1/validate/form',
    '/forum/help-1/post/1/refuse/form',
  ]);
  expect(screen.getByRole('link', { name: 'Offensive' }).getAttribute('href')).toBe(
    '/forum/help-1/post/1/ask_for_mark_as_offensive',
  );
});

test.each([
  ['closed_posts', 'Reopen', '/forum/help-1/question/1/reopen'],
  ['deleted_posts', 'Restore', '/forum/help-1/question/1/undelete'],
] as const)('What is in %s comes back', (name, label, action) => {
  render(<Queue {...props} name={name} posts={[post(1)]} />);
  expect((screen.getByRole('button', { name: label }) as HTMLButtonElement).form?.action).toContain(action);
});

test('Who may only look decides nothing, and an empty queue says so', () => {
  const { unmount } = render(<Queue {...props} canModerate={false} />);
  expect(screen.queryByRole('button')).toBeNull();
  unmount();
  render(<Queue {...props} posts={[]} />);
  expect(screen.getByText('Nothing to review.')).toBeDefined();
});
