/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Subscribe from '../subscribe.tsx';

const STATUS = '/website_mass_mailing/is_subscriber';
const CALL = '/website_mass_mailing/subscribe';
const nobody = { is_subscriber: false, email: false };

/** Answers calls in turn by their addresses; an Error is a refusal. Tells what was sent. */
function serve(answers: Record<string, unknown[]>): object[] {
  const sent: object[] = [];
  globalThis.fetch = jest.fn<typeof fetch>(async (address, about) => {
    const path = String(address);
    sent.push({
      path,
      ...(
        JSON.parse(String(about?.body), (key, value) => (key === 'context' ? undefined : value)) as { params: object }
      ).params,
    });
    const result = answers[path]?.shift();
    if (result === undefined) throw new TypeError('Failed to fetch');
    const refused = result instanceof Error && { code: 200, message: result.message };
    return { ok: true, json: async () => (refused ? { error: refused } : { result }) } as Response;
  });
  return sent;
}
const news = { id: 3, name: 'Newsletter', description: null };
const days = { id: 4, name: 'Workshop days', description: 'Before each open day.' };
const show = (about = {}) =>
  render(
    <Subscribe lists={[news]} chosen={[]} redirect="/newsletter" email="" error="" {...about}>
      <a href="/web/outbox">Open outbox</a>
    </Subscribe>,
  );
const field = (): HTMLInputElement => screen.getByLabelText('Your email address');
const form = (): HTMLFormElement => document.forms[0] as HTMLFormElement;

test('Whoever is subscribed sees that they are', async () => {
  serve({ [STATUS]: [[{ is_subscriber: true, email: 'ada@example.org' }]] });
  show();
  await screen.findByRole('button', { name: 'Thanks' });
  expect(screen.queryByRole('button', { name: 'Subscribe' })).toBeNull();
  expect([field().value, field().disabled]).toEqual(['ada@example.org', true]);
});

test('What is no address is marked, and nothing is sent', async () => {
  const sent = serve({ [STATUS]: [[nobody]] });
  show();
  await userEvent.type(field(), 'nothing');
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
  expect(screen.getByText('Enter an email address, such as you@example.org.')).toBeDefined();
  expect([form().classList.contains('has-error'), document.activeElement]).toEqual([true, field()]);
  expect(sent).toHaveLength(1);
});

test('An address is sent, and what comes next is said', async () => {
  const sent = serve({ [STATUS]: [[nobody], [nobody]], [CALL]: [true] });
  show();
  const seen = new Set<boolean>();
  const watch = new MutationObserver(() => {
    if (!document.querySelector<HTMLElement>('[role=status]')?.hidden) seen.add(field().disabled);
  });
  watch.observe(document.body, { subtree: true, childList: true, attributes: true });
  expect(screen.queryByText('Open outbox')).toBeNull();
  await userEvent.type(field(), 'ada@example.org{Enter}');
  await screen.findByText(/Open its link to confirm/);
  // What was focused is disabled by then.
  expect(document.activeElement).toBe(screen.getByRole('status'));
  expect(sent[1]).toEqual({ path: CALL, list_id: [3], email: 'ada@example.org' });
  expect(screen.getByRole('button', { name: 'Thanks' })).toBeDefined();
  // At no moment both: that it is done, and a form to send.
  watch.disconnect();
  expect([...seen]).toEqual([true]);
  expect(screen.getByText('Open outbox')).toBeDefined();
});

test('One’s own address is subscribed at once', async () => {
  const own = { is_subscriber: false, email: 'ada@example.org' };
  serve({ [STATUS]: [[own], [{ ...own, is_subscriber: true }]], [CALL]: [true] });
  show();
  await waitFor(() => expect(field().value).toBe('ada@example.org'));
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
  await screen.findByText('You’re subscribed.');
});

test('Whoever is on the list and asks for another address gets a mail there', async () => {
  const sent = serve({ [STATUS]: [[nobody], [{ is_subscriber: true, email: 'ada@example.org' }]], [CALL]: [true] });
  show();
  await userEvent.type(field(), 'lovelace@example.org{Enter}');
  await screen.findByText(/Open its link to confirm/);
  expect(sent[1]).toEqual({ path: CALL, list_id: [3], email: 'lovelace@example.org' });
  expect(screen.queryByText('You’re subscribed.')).toBeNull();
});

test('A refusal is said and marked', async () => {
  serve({ [STATUS]: [[nobody]], [CALL]: [new Error('Too many.')] });
  show();
  await userEvent.type(field(), 'ada@example.org{Enter}');
  await waitFor(() => expect(screen.getAllByText('Too many.')).toHaveLength(2));
  expect(field().disabled).toBe(false);
});

describe('Of several lists', () => {
  const several = { lists: [news, days] };
  const box = (name: string): HTMLInputElement => screen.getByRole('checkbox', { name });

  test('those that are chosen are asked for at once', async () => {
    const sent = serve({
      [STATUS]: [
        [nobody, nobody],
        [nobody, nobody],
      ],
      [CALL]: [true],
    });
    show(several);
    await userEvent.click(box('Workshop days'));
    await userEvent.click(box('Newsletter'));
    await userEvent.type(field(), 'ada@example.org{Enter}');
    await screen.findByText(/Open its link to confirm/);
    expect(sent[1]).toEqual({ path: CALL, list_id: [4, 3], email: 'ada@example.org' });
    expect([box('Newsletter').matches(':disabled'), field().disabled]).toEqual([true, true]);
  });

  test('one at least is chosen', async () => {
    const sent = serve({ [STATUS]: [[nobody, nobody]] });
    show(several);
    await userEvent.type(field(), 'ada@example.org{Enter}');
    expect(screen.getByText('Choose at least one list.')).toBeDefined();
    expect([document.activeElement, field().getAttribute('aria-invalid')]).toEqual([box('Newsletter'), null]);
    expect(sent).toHaveLength(1);
    await userEvent.click(box('Newsletter'));
    expect(form().classList.contains('has-error')).toBe(false);
  });

  test('what one is on is ticked, and the others can be had', async () => {
    const own = { is_subscriber: false, email: 'ada@example.org' };
    const sent = serve({ [STATUS]: [[{ ...own, is_subscriber: true }, own], [own]], [CALL]: [true] });
    show(several);
    await screen.findByText('You’re subscribed.', { ignore: '[role=status]' });
    expect([box('Newsletter').checked, box('Newsletter').disabled]).toEqual([true, true]);
    await userEvent.click(box('Workshop days'));
    await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
    await waitFor(() => expect(sent[1]).toMatchObject({ list_id: [4] }));
  });

  test('the form without JavaScript sends what is ticked, and comes back with it', () => {
    serve({});
    show({ ...several, chosen: [4], email: 'nothing', error: 'Enter an address with an @.' });
    expect(new FormData(form()).getAll('list_id')).toEqual(['4']);
    expect(field().getAttribute('aria-invalid')).toBe('true');
  });
});

test('The form works without JavaScript, and comes back with what is wrong', () => {
  serve({});
  show({ email: 'nothing', error: 'Enter an address with an @.' });
  expect([form().method, new URL(form().action).pathname]).toEqual(['post', `${CALL}/form`]);
  expect(Object.fromEntries(new FormData(form()))).toEqual({
    list_id: '3',
    redirect: '/newsletter',
    email: 'nothing',
  });
  expect(screen.getByText('Enter an address with an @.')).toBeDefined();
});
