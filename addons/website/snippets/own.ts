import type { TemplateName } from 'pergola';
import type { Snippet, SnippetOption, SnippetTab } from './point.ts';

const pictures: SnippetOption = {
  label: 'Image corners',
  on: '.s_picture',
  choices: [
    { label: 'Rounded', value: '' },
    { label: 'Square', value: 's_straight' },
    { label: 'Rounded, with a shadow', value: 's_raised' },
  ],
};
const interval: SnippetOption = {
  label: 'Autoplay interval',
  attribute: 'data-opt-interval',
  choices: [
    { label: '10 seconds', value: '10000' },
    { label: '5 seconds', value: '5000' },
    { label: '20 seconds', value: '20000' },
    { label: 'No autoplay', value: '0' },
  ],
};
const ratio: SnippetOption = {
  label: 'Background',
  attribute: 'data-opt-ratio',
  choices: [
    { label: 'Slower', value: '0.6' },
    { label: 'Slightly slower', value: '0.3' },
    { label: 'Fixed', value: '1' },
    { label: 'Scrolls with the page', value: '0' },
  ],
};
const openDelay: SnippetOption = {
  label: 'Open after',
  attribute: 'data-opt-after',
  choices: [
    { label: 'Immediately', value: '0' },
    { label: '5 seconds', value: '5' },
    { label: '15 seconds', value: '15' },
    { label: '30 seconds', value: '30' },
  ],
};
const repeatDelay: SnippetOption = {
  label: 'Show again after',
  attribute: 'data-opt-again',
  choices: [
    { label: '1 day', value: '1' },
    { label: '1 week', value: '7' },
    { label: '1 month', value: '30' },
    { label: 'Never', value: '3650' },
  ],
};
const inRow: SnippetOption['choices'] = [
  { label: 'Three', value: '' },
  { label: 'Two', value: 's_two' },
  { label: 'Four', value: 's_four' },
];
const gallery: SnippetOption = { label: 'Images per row', on: '.s_gallery', choices: inRow };
const wall: SnippetOption = { label: 'Columns', on: '.s_wall', choices: inRow };
const split: SnippetOption = {
  label: 'Image',
  on: '.row',
  choices: [
    { label: 'Left', value: '' },
    { label: 'Right', value: 'flex-row-reverse' },
  ],
};
const notice: SnippetOption = {
  label: 'Type',
  on: '.s_callout',
  choices: [
    { label: 'Notice', value: '' },
    { label: 'Success', value: 's_callout_good' },
    { label: 'Warning', value: 's_callout_warning' },
  ],
};
const tabs: SnippetOption = {
  label: 'Tabs',
  on: '.s_tabs',
  choices: [
    { label: 'Underline', value: '' },
    { label: 'Centred switch', value: 's_tabs_switch' },
  ],
};
const logos: SnippetOption = {
  label: 'Logos',
  on: '.s_logos',
  choices: [
    { label: 'Static', value: '' },
    { label: 'Scrolling', value: 's_logos_run' },
  ],
};

interface Own {
  readonly name: string;
  readonly label: string;
  readonly tab: SnippetTab;
  readonly options?: readonly SnippetOption[];
}

const templateSnippets: readonly Own[] = [
  { tab: 'structure', name: 'banner', label: 'Banner', options: [pictures] },
  { tab: 'structure', name: 'text_image', label: 'Text and Image', options: [pictures] },
  { tab: 'structure', name: 'image_text', label: 'Image and Text', options: [pictures] },
  { tab: 'structure', name: 'image_floating', label: 'Image in Text', options: [pictures] },
  { tab: 'structure', name: 'big_message', label: 'Big Message' },
  { tab: 'structure', name: 'text_block', label: 'Text Block' },
  { tab: 'structure', name: 'title', label: 'Title' },
  { tab: 'structure', name: 'features', label: 'Features' },
  { tab: 'structure', name: 'big_picture', label: 'Big Image' },
  { tab: 'structure', name: 'three_columns', label: 'Three Columns' },
  { tab: 'structure', name: 'hero', label: 'Hero' },
  { tab: 'structure', name: 'split', label: 'Half and Half', options: [split] },
  { tab: 'structure', name: 'two_columns', label: 'Two Columns' },
  { tab: 'structure', name: 'call_to_action', label: 'Call to Action' },
  { tab: 'content', name: 'well', label: 'Well' },
  { tab: 'content', name: 'quote', label: 'Quote' },
  { tab: 'content', name: 'panel', label: 'Panel' },
  { tab: 'content', name: 'float_image', label: 'Image Floating', options: [pictures] },
  { tab: 'content', name: 'separator', label: 'Separator' },
  { tab: 'content', name: 'video', label: 'Video' },
  { tab: 'content', name: 'table', label: 'Table' },
  { tab: 'content', name: 'callout', label: 'Notice', options: [notice] },
  { tab: 'content', name: 'opening_hours', label: 'Opening Hours' },
  { tab: 'content', name: 'downloads', label: 'Downloads' },
  { tab: 'content', name: 'pros_and_cons', label: 'Pros and Cons' },
  { tab: 'content', name: 'embed', label: 'Embed' },
  { tab: 'feature', name: 'gallery', label: 'Image Gallery', options: [gallery] },
  { tab: 'feature', name: 'comparisons', label: 'Comparisons' },
  { tab: 'feature', name: 'button', label: 'Button' },
  { tab: 'feature', name: 'faq', label: 'FAQ' },
  { tab: 'feature', name: 'references', label: 'References', options: [logos] },
  { tab: 'feature', name: 'quotes_slider', label: 'Quotes Slider', options: [interval] },
  { tab: 'feature', name: 'feature_grid', label: 'Feature Grid' },
  { tab: 'feature', name: 'picture_wall', label: 'Image Wall', options: [wall] },
  { tab: 'feature', name: 'tabs', label: 'Tabs', options: [tabs] },
  { tab: 'feature', name: 'steps', label: 'Steps' },
  { tab: 'feature', name: 'timeline', label: 'Timeline' },
  { tab: 'feature', name: 'team', label: 'Team' },
  { tab: 'feature', name: 'testimonials', label: 'Testimonials' },
  { tab: 'feature', name: 'counters', label: 'Counters' },
  { tab: 'feature', name: 'progress', label: 'Progress' },
  { tab: 'feature', name: 'price_list', label: 'Price List' },
  { tab: 'feature', name: 'price_table', label: 'Pricing Table' },
  { tab: 'feature', name: 'price_switch', label: 'Monthly or Yearly Pricing', options: [tabs] },
  { tab: 'effect', name: 'parallax', label: 'Parallax', options: [ratio] },
  { tab: 'effect', name: 'parallax_slider', label: 'Parallax Slider', options: [ratio, interval] },
  { tab: 'effect', name: 'popup', label: 'Pop-up', options: [openDelay, repeatDelay] },
];

const thumbnail = (name: string): string => `/website/static/snippets/${name.replaceAll('_', '-')}.svg`;

/** Snippets of the website addon, in drawer order. */
export const ownSnippets: readonly Snippet[] = [
  ...templateSnippets.map(
    ({ name, label, tab, options = [] }): Snippet => ({
      id: `website.${name}`,
      label,
      tab,
      thumbnail: thumbnail(name),
      // Each has a template named after it, which the contribution point looks up.
      template: `website.snippet_${name}` as TemplateName,
      options,
    }),
  ),
  filled('share', 'Share', 'content'),
  filled('form', 'Form', 'feature', { form: 0 }),
  filled('map', 'Map', 'content', { latitude: 48.8583, longitude: 2.2945 }),
  filled('address', 'Address', 'content'),
  filled('countdown', 'Countdown', 'feature'),
  filled('table_of_contents', 'Table of Contents', 'content'),
  filled('page_list', 'Pages', 'dynamic'),
  { ...filled('country_board', 'Countries by currency', 'dynamic'), thumbnail: thumbnail('kanban') },
];

/** Server-rendered snippet for the block of the same name. */
function filled(name: string, label: string, tab: SnippetTab, blockOptions: Snippet['blockOptions'] = {}): Snippet {
  return { id: `website.${name}`, label, tab, thumbnail: thumbnail(name), block: `website.${name}`, blockOptions };
}
