import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallUpAnswer from '../call-up-answer.tsx';
import { Refusal, serve } from './kit.ts';

const path = '/convocations/answer/abc';
const start = () => {
  render(<CallUpAnswer token="abc" chosen="yes" answered={null} saved={false} comment="" />);
  return userEvent.setup();
};
afterEach(cleanup);

it('answers with a word to the coach, and thanks', async () => {
  const made = serve({ [path]: () => true });
  const user = start();
  expect((screen.getByLabelText('Available') as HTMLInputElement).checked).toBe(true);
  await user.click(screen.getByLabelText('Unavailable'));
  await user.type(screen.getByLabelText(/Message to the coach/), 'Ill');
  await user.click(screen.getByRole('button', { name: 'Send answer' }));
  await screen.findByText('Thanks – you’re out.');
  expect(made).toEqual([{ path, sent: { answer: 'no', comment: 'Ill' } }]);
});

it('says why an answer was not taken', async () => {
  serve({
    [path]: () => {
      throw new Refusal(409, 'It’s too late to answer for this match.');
    },
  });
  await start().click(screen.getByRole('button', { name: 'Send answer' }));
  await screen.findByText('It’s too late to answer for this match.');
  expect(screen.queryByText(/Thank you/)).toBeNull();
});
