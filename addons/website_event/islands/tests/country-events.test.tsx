import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import CountryEvents from '../country-events.tsx';

const answer = (text: string) => {
  globalThis.fetch = jest.fn(async () => ({ ok: true, text: async () => text }) as Response) as typeof fetch;
  render(
    <CountryEvents>
      <p>as it came</p>
    </CountryEvents>,
  );
};
afterEach(cleanup);

it('shows what the server answers for the country of the visitor', async () => {
  answer('<div class="country_events_list">Upcoming events in Belgium</div>');
  await screen.findByText('Upcoming events in Belgium');
  expect(screen.queryByText('as it came')).toBeNull();
  expect(jest.mocked(fetch).mock.calls[0]?.[0]).toBe('/event/get_country_event_list');
});

it('keeps what the page came with where there is nothing', async () => {
  answer(' ');
  await Promise.resolve();
  expect(screen.getByText('as it came')).toBeDefined();
});
