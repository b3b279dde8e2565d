import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { fillGaps, serve } from '../../form/tests/kit.tsx';
import { createQueryClient } from '../../lib/queries.ts';
import { StartProvider } from '../../lib/start.tsx';
import type { MenuEntry, Start } from '../../types.ts';

/** Top offsets of the bar's entries, first to last. Entries below the first line don't fit. */
let tops: readonly number[] = [];
beforeAll(() => {
  fillGaps();
  class Still {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  }
  Object.assign(globalThis, { ResizeObserver: Still });
  Element.prototype.scrollIntoView = () => {};
  Object.defineProperty(HTMLElement.prototype, 'offsetTop', {
    configurable: true,
    get(this: HTMLElement) {
      return tops[[...(this.parentElement?.children ?? [])].indexOf(this)] ?? 0;
    },
  });
});
afterEach(cleanup);
const user = userEvent.setup();

const entry = (id: string, label: string, about: Partial<MenuEntry> = {}): MenuEntry => ({
  id,
  label,
  parent: 'sales',
  icon: 'app',
  model: null,
  domain: [],
  views: ['list'],
  url: null,
  mayCreate: false,
  ...about,
});
const menus = [
  entry('sales', 'Sales', { parent: null }),
  entry('quotations', 'Quotations', { model: 'quotation' }),
  entry('orders', 'Orders', { model: 'sale.order' }),
  entry('configuration', 'Configuration'),
  entry('taxes', 'Taxes', { parent: 'configuration', model: 'account.tax' }),
  entry('units', 'Units', { parent: 'configuration', model: 'product.uom' }),
];
const start: Start = {
  user: { id: 1, partnerId: 1, name: 'Ada', login: 'ada', timezone: 'Europe/Paris', isAdmin: false, groups: [] },
  lang: 'en_US',
  siteTimezone: 'Europe/Paris',
  keepsMails: false,
  languages: [],
  currencies: {},
  menus,
  preferences: {},
};

/** Renders a part of the frame; returns a function that reads the current address. */
async function draw(element: ReactNode): Promise<() => string> {
  const { createMemoryRouter, RouterProvider } = await import('react-router');
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/web/m/quotation'] });
  render(
    <StartProvider start={start}>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StartProvider>,
  );
  return () => router.state.location.pathname;
}

it('Enter in the palette leads to the menu that is called so, before records whose names say it too', async () => {
  serve({ search: () => [{ model: 'ir.sequence', label: 'Sequences', records: [[7, 'Sales orders']] }] });
  const { default: Palette } = await import('../palette.tsx');
  const place = await draw(<Palette onClose={() => {}} />);
  await user.type(screen.getByRole('combobox', { hidden: true }), 'order');
  await screen.findByText('Sales orders');
  await waitFor(() =>
    expect(screen.getByRole('option', { selected: true, hidden: true }).textContent).toContain('Sales / Orders'),
  );
  await user.keyboard('{Enter}');
  await waitFor(() => expect(place()).toBe('/web/m/sale.order'));
});

it('entries that have no room are in “More”, those of a group under its name', async () => {
  tops = [0, 0, 40];
  const { MenuBar } = await import('../menu-bar.tsx');
  await draw(<MenuBar menus={menus} isOpen={false} />);
  await user.click(screen.getByRole('button', { name: 'More' }));
  const group = screen.getByRole('group', { name: 'Configuration' });
  expect(
    within(group)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['Taxes', 'Units']);
  const panel = group.parentElement;
  expect([...(panel?.children ?? [])]).toEqual([group]);
});
