/** @jest-environment jsdom */
import { expect, jest, test } from '@jest/globals';
import { mountIsland } from '../react/mount.ts';

function Label() {
  return <b>browser</b>;
}

test('An island that renders something else than the server says which, and where it is placed', async () => {
  const told = jest.fn<(text: string) => void>();
  document.addEventListener('pergola:error', (event) => told((event as CustomEvent<string>).detail));
  const log = jest.spyOn(console, 'error').mockImplementation(() => {});
  const island = document.createElement('div');
  Object.assign(island.dataset, { name: 'ship.Label', prefix: 'i1', from: 'templates/ship.page.hbs:9' });
  island.innerHTML = '<pergola-root><b>server</b></pergola-root>';
  document.body.append(island);
  const end = await mountIsland(island, Label, []);
  expect(island.textContent).toBe('browser');
  expect(told).toHaveBeenCalledTimes(1);
  const [text = ''] = told.mock.calls[0] ?? [];
  expect(text).toMatch(/^Island ship\.Label in templates\/ship\.page\.hbs:9: Error: Hydration failed/);
  expect(text).toMatch(/\n\s+at Label /);
  expect(log.mock.calls.map(([first]) => String(first))).toContain('Island ship.Label in templates/ship.page.hbs:9:');
  end();
  log.mockRestore();
});
