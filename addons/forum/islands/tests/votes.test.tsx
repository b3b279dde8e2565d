/** @jest-environment jsdom */
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Votes from '../votes.tsx';
import { serve, toasts } from './kit.ts';

const base = '/forum/help-1/post/7';
const props = {
  base,
  count: 3,
  vote: 0,
  mayVote: true,
  accepted: null,
  needs: { upvote: null, downvote: null, accept: null },
} as const;
const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }));
const isOn = (name: string): string | null => screen.getByRole('button', { name }).getAttribute('aria-pressed');
const count = (): string | null | undefined => document.querySelector('[data-vote-count]')?.textContent;

beforeEach(() => document.body.replaceChildren());

test('A vote is shown at once, and what the server counted afterwards', async () => {
  const asked = serve({ [`${base}/upvote`]: { vote_count: 5, user_vote: 1 } });
  render(<Votes {...props} />);
  const pressed = press('Upvote');
  await waitFor(() => expect([count(), isOn('Upvote')]).toEqual(['4', 'true']));
  await pressed;
  await waitFor(() => expect(count()).toBe('5'));
  expect(asked).toEqual([{ path: `${base}/upvote`, params: {} }]);
});

test('The other arrow takes a vote back', async () => {
  serve({ [`${base}/downvote`]: { vote_count: 2, user_vote: 0 } });
  render(<Votes {...props} vote={1} />);
  await press('Downvote');
  await waitFor(() => expect([count(), isOn('Upvote'), isOn('Downvote')]).toEqual(['2', 'false', 'false']));
});

test.each([
  ['own_post', 'Sorry, you cannot vote for your own posts'],
  ['anonymous_user', 'Sorry you must be logged to vote Sign in'],
])('A vote that is refused as %s says so and changes nothing', async (error, text) => {
  serve({ [`${base}/upvote`]: { error } });
  render(<Votes {...props} mayVote={false} />);
  await press('Upvote');
  await waitFor(() => expect(toasts()).toEqual([text]));
  expect([count(), isOn('Upvote')]).toEqual(['3', 'false']);
  const ways = [...document.querySelectorAll('.toast-note a')].map((way) => way.getAttribute('href'));
  expect(ways).toEqual(error === 'anonymous_user' ? ['/web/login?redirect=%2F'] : []);
});

test('A vote that did not arrive is taken back', async () => {
  serve({});
  render(<Votes {...props} />);
  await press('Upvote');
  await waitFor(() => expect([...toasts(), count()]).toEqual(['Couldn’t reach the server. Try again.', '3']));
});

test('Who has too little karma is told, and nothing is asked', async () => {
  const asked = serve({});
  render(<Votes {...props} needs={{ ...props.needs, downvote: 50 }} />);
  await press('Downvote');
  expect(toasts()[0]).toContain('50 karma is required to perform this action.');
  expect(asked).toEqual([]);
});

test('One answer is accepted at most', async () => {
  serve({ '/forum/help-1/post/8/toggle_correct': true, [`${base}/toggle_correct`]: { error: 'anonymous_user' } });
  render(
    <>
      <Votes {...props} accepted={true} />
      <Votes {...props} base="/forum/help-1/post/8" accepted={false} />
    </>,
  );
  const [first, second] = screen.getAllByRole('button', { name: 'Accepted answer' });
  if (!first || !second) throw new Error('Answers have a mark.');
  await userEvent.click(second);
  await waitFor(() => expect(second.getAttribute('aria-pressed')).toBe('true'));
  expect(first.getAttribute('aria-pressed')).toBe('false');
  await userEvent.click(first);
  await waitFor(() => expect(toasts()).toEqual(['Sorry, anonymous users cannot choose correct answer. Sign in']));
});

test('Each arrow is a form of its own without JavaScript', () => {
  render(<Votes {...props} accepted={false} />);
  const forms = [...document.forms].map((form) => [form.method, new URL(form.action).pathname]);
  expect(forms).toEqual(['upvote', 'downvote', 'toggle_correct'].map((name) => ['post', `${base}/${name}/form`]));
});
