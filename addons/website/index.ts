/** Public exports for other addons. */

export { MOST_EVENTS } from './calendar/constants.ts';
export { type CalendarEntry, CalendarEvent } from './calendar/models/calendar-event.ts';
export type { FontFamily, FontPair, LookParts, Palette, Variant } from './look/point.ts';
export { CalendarSequence } from './mixins/calendar-sequence.ts';
export { MultiWebsite } from './mixins/multi-website.ts';
export { type OnSite, onSite, onWebsite, Published, publishedRules } from './mixins/published.ts';
export { Seo } from './mixins/seo.ts';
export { beside } from './models/beside.ts';
export { Website } from './models/website.ts';
export { WebsiteMenu } from './models/website-menu.ts';
export { WebsitePage } from './models/website-page.ts';
export { WebsiteRedirect } from './models/website-redirect.ts';
export type { Searchable, SearchHit } from './search/point.ts';
export { SiteSearch } from './search/site-search.ts';
export { languagePath, localizePath, plainPath } from './services/address.ts';
export { calendarReply } from './services/calendar-file.ts';
export { countdownTo } from './services/countdown.ts';
export {
  type CurrentWebsite,
  companyTimezone,
  currentWebsite,
  originOf,
  type WebsiteLanguage,
} from './services/current-website.ts';
export { DAY, HOUR, MINUTE, YEAR_SECONDS } from './services/durations.ts';
export { pageShown } from './services/page-shown.ts';
export { type Pager, pagerOf } from './services/pager.ts';
export { cartPages, robotRules } from './services/robot-rules.ts';
export { type FeedItem, rss } from './services/rss.ts';
export { type SeoValues, seoOf, seoSelect } from './services/seo.ts';
export { shortened } from './services/shortened.ts';
export type { IdRange, SitemapEntry, SitemapSource } from './services/sitemap.ts';
export { wholeAddresses } from './services/whole-addresses.ts';
export { type KanbanCard, kanbanCard, kanbanCards } from './snippets/kanban/card.ts';
export { type Kanban, type KanbanColumn, type KanbanOptions, kanban } from './snippets/kanban/kanban.ts';
export {
  type BlockOption,
  blockOptions,
  type PageTemplate,
  type Snippet,
  type SnippetOption,
  type SnippetTab,
  snippets,
} from './snippets/point.ts';
export { type TourDefinition, type TourStep, type TourTrouble, tour } from './snippets/tours/point.ts';
