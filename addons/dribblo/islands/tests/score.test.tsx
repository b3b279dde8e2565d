import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import KeptScores from '../kept-scores.tsx';
import { keep, waiting } from '../parts/kept-scores.ts';
import Score from '../score.tsx';
import { Refusal, serve } from './kit.ts';

const values = {
  seen: 'planned.....',
  state: 'played',
  receiver_res: '',
  visitor_res: '',
  receiver_shot: '',
  visitor_shot: '',
  forfeit_by: '',
};
const show = () =>
  render(
    <Score
      mnbr={12}
      receiver={{ name: 'Home', image: '/a.svg' }}
      visitor={{ name: 'Away', image: '/b.svg' }}
      states={[{ value: 'played', label: 'Played' }]}
      values={values}
    />,
  );
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save result' }));
const more = (team: string) =>
  userEvent.click(screen.getAllByRole('button', { name: `Add a goal for ${team}` })[0] as HTMLElement);

beforeEach(() => localStorage.clear());
afterEach(cleanup);

it('counts goals with large buttons, from 0 to 99', async () => {
  serve({});
  show();
  const home = screen.getAllByLabelText('Home')[0] as HTMLInputElement;
  await more('Home');
  await more('Home');
  expect(home.value).toBe('2');
  const less = screen.getAllByRole('button', { name: 'Remove a goal from Home' })[0] as HTMLElement;
  for (let press = 0; press < 4; press += 1) await userEvent.click(less);
  expect(home.value).toBe('0');
});

it('keeps on the phone what was not sent, and sends it when there is a connection', async () => {
  serve({});
  show();
  await more('Home');
  await save();
  await screen.findByText(/You’re offline. The result is saved/);
  expect(waiting()).toEqual(['12']);
  const made = serve({ '/matchs/12/result': () => true });
  act(() => void dispatchEvent(new Event('online')));
  await waitFor(() => expect(made[0]?.sent).toMatchObject({ receiver_res: '1', seen: 'planned.....' }));
  await waitFor(() => expect(waiting()).toEqual([]));
});

it('keeps it as well where one has to sign in first', async () => {
  serve({
    '/matchs/12/result': () => {
      throw new Refusal(401, 'Sign in');
    },
  });
  show();
  await save();
  await screen.findByText('We couldn’t send the result. It’s saved on this phone.');
});

it('sends what was kept when its page is opened, and says beside the field what is wrong with it', async () => {
  keep('12', { title: 'Home – Away', fields: { ...values, receiver_res: '3' } });
  const made = serve({
    '/matchs/12/result': () => {
      throw new Refusal(422, 'Please look', { visitor_res: 'Enter the goals of both teams.' });
    },
  });
  show();
  await screen.findByText('Enter the goals of both teams.');
  expect(made[0]?.sent).toMatchObject({ receiver_res: '3' });
  expect((screen.getAllByLabelText('Home')[0] as HTMLInputElement).value).toBe('3');
  await waitFor(() => expect((document.activeElement as HTMLInputElement).name).toBe('visitor_res'));
  expect(waiting()).toEqual([]);
});

it('leads from the list to what waits on this phone', () => {
  const { container } = render(<KeptScores />);
  expect((container.firstElementChild as HTMLElement).hidden).toBe(true);
  cleanup();
  keep('12', { title: 'Home – Away', fields: values });
  render(<KeptScores />);
  expect(screen.getByRole('link', { name: 'Home – Away' }).getAttribute('href')).toBe('/matchs/12/result');
});
