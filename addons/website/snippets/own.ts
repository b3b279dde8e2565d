import type { TemplateName } from '#core';
import type { Snippet, SnippetOption, SnippetTab } from './point.ts';

const pictures: SnippetOption = {
  label: 'Corners of pictures',
  on: '.s_picture',
  choices: [
    { label: 'Rounded', value: '' },
    { label: 'Straight', value: 's_straight' },
    { label: 'Rounded, with a shadow', value: 's_raised' },
  ],
};
const tone: SnippetOption = {
  label: 'Tone',
  choices: [
    { label: 'As the page', value: '' },
    { label: 'Soft', value: 's_tone_soft' },
    { label: 'Strong', value: 's_tone_strong' },
  ],
};
const interval: SnippetOption = {
  label: 'Next slide after',
  attribute: 'data-opt-interval',
  choices: [
    { label: '10 seconds', value: '10000' },
    { label: '5 seconds', value: '5000' },
    { label: '20 seconds', value: '20000' },
    { label: 'Only when asked to', value: '0' },
  ],
};
const ratio: SnippetOption = {
  label: 'Background',
  attribute: 'data-opt-ratio',
  choices: [
    { label: 'Moves slower', value: '0.6' },
    { label: 'Moves a little slower', value: '0.3' },
    { label: 'Stands still', value: '1' },
    { label: 'Moves with the page', value: '0' },
  ],
};
const columns: SnippetOption = {
  label: 'Pictures in a row',
  on: '.s_gallery',
  choices: [
    { label: 'Three', value: '' },
    { label: 'Two', value: 's_two' },
    { label: 'Four', value: 's_four' },
  ],
};
const entrance: SnippetOption = {
  label: 'Comes in',
  choices: [
    { label: 'Is there', value: '' },
    { label: 'From below', value: 'animate animate-up' },
    { label: 'From the left', value: 'animate animate-start' },
    { label: 'From the right', value: 'animate animate-end' },
    { label: 'Growing', value: 'animate animate-grow' },
  ],
};

interface Own {
  readonly name: string;
  readonly label: string;
  readonly tab: SnippetTab;
  readonly options?: readonly SnippetOption[];
}

const written: readonly Own[] = [
  { tab: 'structure', name: 'banner', label: 'Banner', options: [tone, pictures] },
  { tab: 'structure', name: 'text_image', label: 'Text-Image', options: [tone, pictures] },
  { tab: 'structure', name: 'image_text', label: 'Image-Text', options: [tone, pictures] },
  { tab: 'structure', name: 'image_floating', label: 'Image-Floating', options: [tone, pictures] },
  { tab: 'structure', name: 'big_message', label: 'Big Message', options: [tone] },
  { tab: 'structure', name: 'text_block', label: 'Text Block', options: [tone] },
  { tab: 'structure', name: 'title', label: 'Title', options: [tone] },
  { tab: 'structure', name: 'features', label: 'Features', options: [tone] },
  { tab: 'structure', name: 'big_picture', label: 'Big Picture' },
  { tab: 'structure', name: 'three_columns', label: 'Three Columns', options: [tone] },
  { tab: 'content', name: 'well', label: 'Well' },
  { tab: 'content', name: 'quote', label: 'Quote', options: [tone] },
  { tab: 'content', name: 'panel', label: 'Panel' },
  { tab: 'content', name: 'float_image', label: 'Image Floating', options: [pictures] },
  { tab: 'content', name: 'separator', label: 'Separator' },
  { tab: 'content', name: 'video', label: 'Video' },
  { tab: 'feature', name: 'gallery', label: 'Image Gallery', options: [columns] },
  { tab: 'feature', name: 'comparisons', label: 'Comparisons', options: [tone] },
  { tab: 'feature', name: 'button', label: 'Button' },
  { tab: 'feature', name: 'faq', label: 'FAQ', options: [tone] },
  { tab: 'feature', name: 'references', label: 'References' },
  { tab: 'feature', name: 'quotes_slider', label: 'Quotes Slider', options: [tone, interval] },
  { tab: 'feature', name: 'feature_grid', label: 'Feature Grid', options: [tone] },
  { tab: 'effect', name: 'parallax', label: 'Parallax', options: [ratio] },
  { tab: 'effect', name: 'parallax_slider', label: 'Parallax Slider', options: [ratio, interval] },
];

const thumbnail = (name: string): string => `/website/static/snippets/${name.replaceAll('_', '-')}.svg`;

/** The snippets that website brings, in the drawer's order. */
export const ownSnippets: readonly Snippet[] = [
  ...written.map(
    ({ name, label, tab, options = [] }): Snippet => ({
      id: `website.${name}`,
      label,
      tab,
      thumbnail: thumbnail(name),
      // Each has a template of its name, which the point looks for.
      template: `website.snippet_${name}` as TemplateName,
      options: [...options, entrance],
    }),
  ),
  { id: 'website.share', label: 'Share', tab: 'content', thumbnail: thumbnail('share'), block: 'website.share' },
  {
    id: 'website.country_board',
    label: 'Countries by currency',
    tab: 'dynamic',
    thumbnail: thumbnail('kanban'),
    block: 'website.country_board',
  },
];
