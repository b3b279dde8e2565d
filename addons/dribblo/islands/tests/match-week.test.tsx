import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import MatchWeek from '../match-week.tsx';
import { type Sent, serve } from './kit.ts';

const none = { team: null, categ: null, player: null, name: '' };
const first = { ...none, week: 0, previous: -1, next: 1, label: 'Week 47', days: 'Nov 16 – Nov 22' };

/** A server that knows every week. */
const weeks = ({ week, team_id, categ, player, name }: Sent) => ({
  page: {
    week,
    previous: Number(week) - 1,
    next: Number(week) === 1 ? null : Number(week) + 1,
    label: `Week ${47 + Number(week)}`,
    days: '',
    team: team_id || null,
    categ: categ || null,
    player: player || null,
    name,
    html: `<p>matches of ${week}</p>`,
  },
});

function start(more: object = {}) {
  const made = serve({
    '/matchs/week': weeks,
    '/search/player/matchs/week': weeks,
    '/search/categ/matchs/week': weeks,
    '/matchs/search/conv': () => [{ id: 7, name: 'Hugo Bernard' }],
    ...more,
  });
  history.replaceState(null, '', '/matchs');
  render(
    <MatchWeek first={first} categories={[{ value: 3, name: 'U15' }]} teams={[{ value: 1, name: 'Seniors' }]}>
      <p>matches at first</p>
    </MatchWeek>,
  );
  return { made, user: userEvent.setup() };
}
afterEach(cleanup);

it('turns weeks, with an address for each, and back', async () => {
  const { made, user } = start();
  expect(screen.getByText('matches at first')).toBeDefined();
  const next = screen.getByRole('link', { name: 'Next week' });
  expect(next.getAttribute('href')).toBe('/matchs?week=1');
  await user.click(next);
  await screen.findByText('matches of 1');
  expect(made[0]).toEqual({
    path: '/matchs/week',
    sent: { week: 1, team_id: null, teams: [], player: null, categ: null, name: '', markup: true },
  });
  expect(location.search).toBe('?week=1');
  // The last one leads nowhere.
  expect(screen.queryByRole('link', { name: 'Next week' })).toBeNull();
  await user.click(screen.getByRole('link', { name: 'This week' }));
  await screen.findByText('matches of 0');
  expect(screen.queryByRole('link', { name: 'This week' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Previous week' }));
  history.replaceState(null, '', '/matchs?week=-1');
  act(() => void dispatchEvent(new PopStateEvent('popstate')));
  await screen.findByText('matches of -1');
});

it('says that it is busy until the matches are there', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { user } = start({ '/matchs/week': (sent: Sent) => promise.then(() => weeks(sent)) });
  const busy = () => document.querySelector('[data-slot=week-matches]')?.getAttribute('aria-busy');
  expect(busy()).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Next week' }));
  expect(busy()).toBe('true');
  resolve();
  await screen.findByText('matches of 1');
  expect(busy()).toBeNull();
});

it('answers searches as they are chosen, and keeps them while weeks turn', async () => {
  const { made, user } = start();
  expect(screen.getByText('Clear').hidden).toBe(true);
  await user.selectOptions(screen.getByLabelText('Category'), 'U15');
  await screen.findByText('matches of 0');
  expect(made[0]?.path).toBe('/search/categ/matchs/week');
  expect(made[0]?.sent).toMatchObject({ player: null, categ: 3, team_id: null });
  await user.selectOptions(screen.getByLabelText('Team'), 'Seniors');
  await waitFor(() => expect(location.search).toBe('?team=1&categ=3'));
  await user.click(screen.getByRole('link', { name: 'Next week' }));
  await waitFor(() => expect(location.search).toBe('?week=1&team=1&categ=3'));
  expect(screen.getByText('Clear').hidden).toBe(false);
});

it('suggests players while somebody types, and keeps the one who was chosen', async () => {
  const { made, user } = start();
  await user.type(screen.getByLabelText('Player'), 'h');
  await user.type(screen.getByLabelText('Player'), 'u');
  await user.click(await screen.findByRole('option', { name: 'Hugo Bernard' }));
  await waitFor(() => expect(location.search).toBe('?player=7&name=Hugo+Bernard'));
  expect(made.map(({ path }) => path)).toEqual(['/matchs/search/conv', '/search/player/matchs/week']);
  await user.selectOptions(screen.getByLabelText('Team'), 'Seniors');
  await waitFor(() => expect(location.search).toBe('?team=1&player=7&name=Hugo+Bernard'));
});
