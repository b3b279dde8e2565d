import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Social from '../social.tsx';
import TeamFilter from '../team-filter.tsx';
import Weather from '../weather.tsx';
import { serve } from './kit.ts';

afterEach(cleanup);

it('loads nothing of a network before the visitor asks', async () => {
  const about = { network: 'Facebook', name: 'club', page: 'https://www.facebook.com/club' };
  render(<Social {...about} frame="https://www.facebook.com/plugins/page.php" height={180} />);
  expect(document.querySelector('iframe')).toBeNull();
  expect(screen.getByRole('link', { name: 'Open Facebook' }).getAttribute('href')).toBe(about.page);
  await userEvent.click(screen.getByRole('button', { name: 'Show club' }));
  const frame = screen.getByTitle('club, Facebook');
  expect(frame.getAttribute('src')).toBe('https://www.facebook.com/plugins/page.php');
  expect(document.activeElement).toBe(frame);
});

it('shows the matches of the chosen team, and of all of them again', async () => {
  const made = serve({ '/matchs/get_for_week': ({ teams }) => `<p>matches of ${String(teams)}</p>` });
  render(
    <TeamFilter days="Nov 16 – Nov 22" teams={['Seniors', 'U15'].map((name, index) => ({ id: index + 1, name }))}>
      <p>matches of all</p>
    </TeamFilter>,
  );
  await userEvent.selectOptions(screen.getByLabelText('Team'), 'U15');
  await screen.findByText('matches of 2');
  expect(screen.queryByText('matches of all')).toBeNull();
  expect(made[0]?.sent).toEqual({ teams: [2], list: true });
  await userEvent.selectOptions(screen.getByLabelText('Team'), '');
  await screen.findByText('matches of 1,2');
});

it('brings newer weather, and keeps what there is without a connection', async () => {
  serve({ '/dribblo/weather': () => '<section>Sunny</section>' });
  const old = <p>yesterday</p>;
  render(<Weather>{old}</Weather>);
  await screen.findByText('Sunny');
  cleanup();
  const made = serve({});
  render(<Weather>{old}</Weather>);
  await waitFor(() => expect(made).toHaveLength(1));
  expect(screen.getByText('yesterday')).toBeDefined();
});
