/** @jest-environment jsdom */
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Notes from '../notes.tsx';
import Validation from '../validation.tsx';
import Visit from '../visit.tsx';
import { serve } from './kit.ts';

const date = { machine: '2026-01-01T00:00:00.000Z', text: 'yesterday' };
const notes = [
  { id: 1, text: 'New answer', href: '/forum/help-1/question/7', date },
  { id: 2, text: 'You have earned a badge', href: null, date },
];

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test('A notification that was read goes, and is counted no more', async () => {
  const asked = serve({ '/forum/notification_read/form': { location: '/', result: true } });
  render(<Notes notes={notes} unread={6} forum={1} path="/forum/help-1" />);
  const [first] = screen.getAllByRole('button', { name: 'Mark as read', hidden: true });
  await userEvent.click(first as HTMLElement);
  await waitFor(() => expect(document.querySelector('[data-unread]')?.textContent).toBe('5'));
  expect(screen.queryByText('New answer')).toBeNull();
  expect(asked[0]?.params).toEqual({ notification_id: '1', redirect: '/forum/help-1' });
});

test('Where nothing is unread it says so', () => {
  render(<Notes notes={[]} unread={0} forum={1} path="/forum/help-1" />);
  expect(document.querySelector('[data-unread]')).toBeNull();
  expect(screen.getByText('No new notifications.')).toBeDefined();
});

test('The mail that confirms an address is asked for in place', async () => {
  const asked = serve({ '/forum/send_validation_email/form': { location: '/forum/help-1', result: true } });
  render(
    <Validation state="ask" forum={1} path="/forum/help-1">
      <a href="/web/outbox">Open outbox</a>
    </Validation>,
  );
  expect(screen.queryByText('Open outbox')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Send confirmation email' }));
  await screen.findByText(/You’ll get an email/);
  expect(screen.getByText('Open outbox')).toBeDefined();
  expect(asked[0]?.params).toEqual({ forum_id: '1', redirect: '/forum/help-1' });
});

test('The banner about a confirmed address is closed', async () => {
  serve({ '/forum/validate_email/close/form': { location: '/forum', result: true } });
  render(<Validation state="done" forum={1} path="/forum/help-1" />);
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByText(/your email address is confirmed/)).toBeNull());
});

test('A question is seen once in half an hour', () => {
  const asked = serve({ '/seen': {} });
  for (let visit = 0; visit < 2; visit++) render(<Visit seen="/seen" title="Q" sent={[]} />).unmount();
  render(<Visit seen={null} title="Q" sent={[]} />);
  expect(asked).toHaveLength(1);
});

test('Drafts of what was sent are forgotten, those of another question are not', () => {
  serve({});
  const draft = (title: string, sent: boolean): string =>
    JSON.stringify({ at: Date.now(), base: {}, values: { question_name: title }, sent });
  localStorage.setItem('forum.draft.forum.1.ask', draft('Another', true));
  localStorage.setItem('forum.draft.forum.answer.7', draft('', true));
  localStorage.setItem('forum.draft.forum.post.8', draft('', false));
  render(<Visit seen={null} title="Q" sent={['forum.1.ask', 'forum.answer.7', 'forum.post.8']} />);
  expect(Object.keys(localStorage).sort()).toEqual(['forum.draft.forum.1.ask', 'forum.draft.forum.post.8']);
});
