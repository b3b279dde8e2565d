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
  expect((screen.getByLabelText('Comes') as HTMLInputElement).checked).toBe(true);
  await user.click(screen.getByLabelText('Does not come'));
  await user.type(screen.getByLabelText(/A word to the coach/), 'Ill');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('Thank you: your answer is “does not come”.');
  expect(made).toEqual([{ path, sent: { answer: 'no', comment: 'Ill' } }]);
});

it('says why an answer was not taken', async () => {
  serve({
    [path]: () => {
      throw new Refusal(409, 'This match can no longer be answered for.');
    },
  });
  await start().click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('This match can no longer be answered for.');
  expect(screen.queryByText(/Thank you/)).toBeNull();
});
