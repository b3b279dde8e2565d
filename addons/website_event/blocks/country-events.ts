import { pageShown, type Snippet } from '@pergola/website';
import { block, fragment, z } from 'pergola';
import { countryChoice } from '../pages/country-events.ts';

/** Renders the part that depends on the visitor, so the page itself can be cached for everyone. */
export const countryEventsPart = fragment('website_event.country_events', {
  template: 'website_event.country_events_part',
  vary: 'always',
  load: async (ctx, request) => ({ ...(await countryChoice(ctx, request)), page: pageShown(request, '/event') }),
});

/** Same part for the event list, whose cached pages vary by country: rendered once for all visitors from a country. */
export const listCountryPart = fragment('website_event.list_country', {
  template: 'website_event.country_events_part',
  load: async (ctx, request) => ({ ...(await countryChoice(ctx, request)), page: null }),
});

/** Upcoming events near the visitor, for editors to place on any page. */
export const countryEventsBlock = block('website_event.country_events', {
  label: 'Events near the visitor',
  options: z.object({}),
  template: 'website_event.country_events',
  load: async () => ({}),
});

export const countryEventsSnippet: readonly Snippet[] = [
  {
    id: 'website_event.country_events',
    label: 'Events near the visitor',
    tab: 'dynamic',
    thumbnail: '/website_event/static/snippets/country-events.svg',
    block: 'website_event.country_events',
  },
];
