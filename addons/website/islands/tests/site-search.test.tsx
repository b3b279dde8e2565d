/** @jest-environment jsdom */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import SiteSearch from '../site-search.tsx';

/** Mocks a single suggestion; returns the recorded calls. */
function serve(): object[] {
  const requests: object[] = [];
  globalThis.fetch = (async (_path: string, { body }: RequestInit = {}) => {
    requests.push(JSON.parse(String(body), (key, value) => (key === 'context' ? undefined : value)).params);
    return { ok: true, json: async () => ({ result: [{ title: 'Rope', url: '/rope', kind: 'Products' }] }) };
  }) as unknown as typeof fetch;
  return requests;
}
const sent = () => Object.fromEntries(new FormData(document.forms[0]));

test('The search of the site asks for what the site has', async () => {
  const requests = serve();
  render(<SiteSearch value="" autofocus={false} />);
  await userEvent.type(screen.getByRole('combobox'), 'rop');
  await screen.findByRole('option', { name: /Rope/ });
  expect([requests, sent()]).toEqual([[{ text: 'rop' }], { q: 'rop' }]);
  // Escape closes the list, and then keeps the typed text.
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('option')).toBeNull();
  await userEvent.keyboard('{Escape}');
  expect(sent()).toEqual({ q: 'rop' });
});

test('The search of an app’s list asks for what is in it, and keeps how it is shown', async () => {
  const requests = serve();
  const list = {
    addon: 'shop',
    action: '/shop',
    label: 'Search the shop',
    id: 'filter',
    kept: { view: 'list', date: null },
  };
  render(
    <>
      <SiteSearch value="" autofocus={false} list={list} />
      <input form="filter" name="order" defaultValue="name" />
    </>,
  );
  await userEvent.type(screen.getByPlaceholderText('Search the shop'), 'rop');
  await screen.findByRole('option', { name: /Rope/ });
  expect(requests).toEqual([{ text: 'rop', addon: 'shop' }]);
  expect([new URL(document.forms[0]?.action ?? '').pathname, sent()]).toEqual([
    '/shop',
    { view: 'list', search: 'rop', order: 'name' },
  ]);
});
