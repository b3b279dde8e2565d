import type { PageTemplate } from './point.ts';

/** Page templates of the website addon. */
export const ownPages: readonly PageTemplate[] = [
  {
    id: 'website.page_blank',
    label: 'Empty',
    snippets: [],
  },
  {
    id: 'website.page_text',
    label: 'Text',
    snippets: ['website.title', 'website.text_block'],
  },
  {
    id: 'website.page_landing',
    label: 'Welcome',
    snippets: ['website.banner', 'website.features', 'website.text_image', 'website.big_message'],
  },
  {
    id: 'website.page_campaign',
    label: 'Campaign',
    snippets: ['website.hero', 'website.counters', 'website.split', 'website.testimonials', 'website.call_to_action'],
  },
  {
    id: 'website.page_about',
    label: 'About us',
    snippets: ['website.title', 'website.text_image', 'website.image_text', 'website.quote'],
  },
  {
    id: 'website.page_team',
    label: 'Our team',
    snippets: ['website.title', 'website.team', 'website.two_columns', 'website.call_to_action'],
  },
  {
    id: 'website.page_history',
    label: 'Our story',
    snippets: ['website.title', 'website.timeline', 'website.picture_wall'],
  },
  {
    id: 'website.page_services',
    label: 'What we offer',
    snippets: ['website.banner', 'website.three_columns', 'website.comparisons', 'website.faq'],
  },
  {
    id: 'website.page_prices',
    label: 'Pricing',
    snippets: ['website.title', 'website.price_switch', 'website.price_table', 'website.faq'],
  },
  {
    id: 'website.page_menu',
    label: 'Menu and hours',
    snippets: ['website.big_picture', 'website.price_list', 'website.opening_hours', 'website.map'],
  },
  {
    id: 'website.page_contact',
    label: 'Contact',
    snippets: ['website.title', 'website.form', 'website.address', 'website.map'],
  },
  {
    id: 'website.page_questions',
    label: 'Questions',
    snippets: ['website.title', 'website.table_of_contents', 'website.faq', 'website.form'],
  },
  {
    id: 'website.page_project',
    label: 'Project',
    snippets: ['website.hero', 'website.progress', 'website.steps', 'website.downloads'],
  },
  {
    id: 'website.page_events',
    label: 'What’s on',
    snippets: ['website.title', 'website_event.events', 'website.call_to_action'],
  },
  {
    id: 'website.page_gallery',
    label: 'Images',
    snippets: ['website.title', 'website.gallery', 'website.share'],
  },
];
