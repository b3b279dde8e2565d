import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Wall from '../wall.tsx';
import { openDialogs, Refusal, serve } from './kit.ts';

const post = (id: number) => ({
  id,
  name: `Post ${id}`,
  descr: `<p>Text <b>${id}</b></p>`,
  author: 'Ada',
  date: 'Nov 21, 2026',
  href: `/wall/posts/${id}`,
  image: '',
  waiting: false,
  removalAsked: false,
  mayDelete: true,
});
const wall = {
  wallId: 1,
  posts: [post(3), post(2)],
  total: 3,
  more: 12,
  waiting: [],
  mayPost: true,
  onApproval: false,
};
const shown = (): (string | undefined)[] =>
  screen.queryAllByRole('article').map((article) => (article as HTMLElement).dataset.postId);
const send = () => userEvent.click(screen.getByRole('button', { name: 'Post', hidden: true }));

beforeAll(openDialogs);
afterEach(cleanup);

it('loads more posts until all are there', async () => {
  const made = serve({ '/dribblo/wall': () => ({ posts: [{ card: post(1) }], total: 3 }) });
  render(<Wall {...wall} />);
  const more = screen.getByRole('link', { name: 'Show more' });
  expect(more.getAttribute('href')).toBe('?shown=12');
  await userEvent.click(more);
  await waitFor(() => expect(shown()).toEqual(['3', '2', '1']));
  expect(made).toEqual([{ path: '/dribblo/wall', sent: { displayed: [3, 2], wall_id: 1 } }]);
  expect(screen.queryByRole('link', { name: 'Show more' })).toBeNull();
});

it('sends no post without a title, in the words of the specification', async () => {
  const made = serve({ '/dribblo/wall/new/form': () => ({ card: post(4) }) });
  render(<Wall {...wall} />);
  await send();
  expect(screen.getByText('Le titre est obligatoire!').getAttribute('role')).toBe('alert');
  expect(document.activeElement?.id).toBe('club-post-name');
  expect(made).toEqual([]);
  await userEvent.type(screen.getByLabelText('Title'), 'News');
  expect(screen.queryByText('Le titre est obligatoire!')).toBeNull();
  await userEvent.type(screen.getByLabelText('Text'), 'Hello');
  await send();
  await waitFor(() => expect(shown()).toEqual(['4', '3', '2']));
  expect(made[0]?.sent).toMatchObject({ wall_id: '1', name: 'News', descr: 'Hello' });
  expect((screen.getByLabelText('Title') as HTMLInputElement).value).toBe('');
  expect(screen.getByText('Your post is published.')).toBeDefined();
});

it('says that a post waits for approval, and what the server refuses', async () => {
  serve({ '/dribblo/wall/new/form': () => ({ card: null }) });
  render(<Wall {...wall} onApproval />);
  await userEvent.type(screen.getByLabelText('Title'), 'News');
  await send();
  await screen.findByText('Thanks. Your post will appear once it’s approved.');
  expect(shown()).toEqual(['3', '2']);
  serve({
    '/dribblo/wall/new/form': () => {
      throw new Refusal(422, 'No', { image: 'This picture is broken.' });
    },
  });
  await userEvent.type(screen.getByLabelText('Title'), 'News');
  await send();
  await screen.findByText('This picture is broken.');
});

it('takes nothing but pictures for a photo', async () => {
  const made = serve({});
  render(<Wall {...wall} />);
  await userEvent.type(screen.getByLabelText('Title'), 'News');
  const photo = screen.getByLabelText('Photo');
  await userEvent.setup({ applyAccept: false }).upload(photo, new File(['words'], 'notes.txt', { type: 'text/plain' }));
  await screen.findByText('Only image files can be uploaded');
  await send();
  expect(made).toEqual([]);
});

it('asks before a post is deleted', async () => {
  const made = serve({ '/dribblo/post/delete': () => true });
  render(<Wall {...wall} waiting={[{ ...post(9), waiting: true }]} />);
  expect(screen.getByRole('button', { name: 'Approve' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: /Delete.*Post 3/ }));
  const dialog = screen.getByRole('dialog');
  expect(dialog.textContent).toContain('Voulez vous vraiment supprimer ce post ?');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect([made.length, shown()]).toEqual([0, ['9', '3', '2']]);
  await userEvent.click(screen.getByRole('button', { name: /Delete.*Post 3/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(shown()).toEqual(['9', '2']));
  expect(made).toEqual([{ path: '/dribblo/post/delete', sent: { post_id: 3 } }]);
});
