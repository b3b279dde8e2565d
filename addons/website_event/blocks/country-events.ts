import { block, fragment, z } from 'pergola';
import { pageShown, type Snippet } from '#addons/website';
import { countryChoice } from '../pages/country-events.ts';

/** What differs by visitor, in pages that are the same for all. */
export const countryEventsPart = fragment('website_event.country_events', {
  template: 'website_event.country_events_part',
  vary: 'always',
  load: async (ctx, request) => ({ ...(await countryChoice(ctx, request)), page: pageShown(request, '/event') }),
});

/** The same on the list of events, whose kept pages differ by the country: made once for all visitors of one. */
export const listCountryPart = fragment('website_event.list_country', {
  template: 'website_event.country_events_part',
  load: async (ctx, request) => ({ ...(await countryChoice(ctx, request)), page: null }),
});

/** The next events near the visitor, for editors to place on any page. */
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
