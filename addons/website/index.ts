/** What other addons may use of website. */

export { languagePath, localizePath, plainPath } from './address.ts';
export { beside } from './beside.ts';
export { type CalendarEntry, CalendarEvent } from './calendar/models/calendar-event.ts';
export { currentWebsite, originOf, type WebsiteFact, type WebsiteLanguage } from './facts.ts';
export { calendarReply } from './ics.ts';
export { MultiWebsite } from './mixins/multi-website.ts';
export { onWebsite, Published, publishedRules } from './mixins/published.ts';
export { Seo } from './mixins/seo.ts';
export { Website } from './models/website.ts';
export { WebsiteMenu } from './models/website-menu.ts';
export { WebsitePage } from './models/website-page.ts';
export { WebsiteRedirect } from './models/website-redirect.ts';
export { pageShown } from './page-shown.ts';
export { robotRules } from './robots.ts';
export { type FeedItem, rss } from './rss.ts';
export { type SeoValues, seoOf, seoSelect } from './seo.ts';
export type { SitemapEntry } from './sitemap.ts';
export { type KanbanCard, kanbanCard, kanbanCards } from './snippets/kanban/card.ts';
export { type Kanban, type KanbanColumn, type KanbanOptions, kanban } from './snippets/kanban/kanban.ts';
export { type Snippet, type SnippetOption, type SnippetTab, snippets } from './snippets/point.ts';
export { type TourDefinition, type TourStep, type TourTrouble, tour } from './snippets/tours/point.ts';
