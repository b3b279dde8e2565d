import { cleanup, render, screen } from '@testing-library/react';
import { ActionForm } from '../react/use-action.ts';
import { RpcError, sendForm } from '../rpc.ts';

afterEach(cleanup);

const message = 'A rental ends on its first day or later.';

function show(fields: Record<string, string>): void {
  const of = {
    form: { action: '/rent', submit: () => {} },
    error: new RpcError(200, 'Refused', message, null, { fields }),
  };
  render(
    <ActionForm of={of}>
      <input name="first" aria-label="First" />
      <input name="last" aria-label="Last" />
    </ActionForm>,
  );
}

test('A refusal that names a field of the form leads to that field', () => {
  show({ nothing: 'Not here.', last: 'Too early.' });
  expect(document.activeElement).toBe(screen.getByLabelText('Last'));
  expect(screen.queryByText(message)).toBeNull();
});

test('An answer that is no JSON is an error with the status of the answer', async () => {
  const { fetch } = globalThis;
  const answer = { status: 502, statusText: 'Bad Gateway', json: async () => JSON.parse('<h1>Bad Gateway</h1>') };
  globalThis.fetch = async () => answer as Response;
  await expect(sendForm('/rent', new FormData())).rejects.toMatchObject({ code: 502, title: 'Bad Gateway' });
  globalThis.fetch = fetch;
});

test('A refusal that names no field of the form is said in the corner', async () => {
  show({ last_day: 'Too early.' });
  await screen.findByText(message);
});
