import type { BlockOption, OptionChoice } from './point.ts';

/** Spacing scale from 0 to 6. */
const steps = (prefix: string): readonly OptionChoice[] => [
  { label: 'As designed', value: '' },
  { label: 'None', value: `${prefix}-0` },
  { label: 'Very small', value: `${prefix}-1` },
  { label: 'Small', value: `${prefix}-2` },
  { label: 'Medium', value: `${prefix}-3` },
  { label: 'Large', value: `${prefix}-4` },
  { label: 'Very large', value: `${prefix}-5` },
];

const grounds: readonly OptionChoice[] = [
  { label: 'As the page', value: '' },
  { label: 'Soft', value: 's_tone_soft' },
  { label: 'Strong', value: 's_tone_strong' },
  { label: 'Main colour', value: 'o-ground-main' },
  { label: 'Inverse', value: 'o-ground-inverse' },
  { label: 'Soft gradient', value: 'o-ground-gradient-soft' },
  { label: 'Warm gradient', value: 'o-ground-gradient-warm' },
  { label: 'Strong gradient', value: 'o-ground-gradient-main' },
  { label: 'Own gradient, light', value: 'o-ground-gradient-light' },
  { label: 'Own gradient, strong', value: 'o-ground-gradient-deep' },
];

/** Theme colours, pale or deep depending on the gradient, so that text on them is always readable. */
const gradientColours = (end: string): readonly OptionChoice[] => [
  { label: 'Main colour', value: `o-${end}-main` },
  { label: 'As the page', value: `o-${end}-page` },
  { label: 'Grey', value: `o-${end}-grey` },
  { label: 'Green', value: `o-${end}-green` },
  { label: 'Blue', value: `o-${end}-blue` },
  { label: 'Amber', value: `o-${end}-amber` },
  { label: 'Red', value: `o-${end}-red` },
];
const hasOwnGradient = '.o-ground-gradient-light, .o-ground-gradient-deep';

const shapes = (edge: string): readonly OptionChoice[] => [
  { label: 'Straight', value: '' },
  { label: 'Wave', value: `o-${edge}-wave` },
  { label: 'Slant', value: `o-${edge}-slant` },
  { label: 'Curve', value: `o-${edge}-curve` },
  { label: 'Peaks', value: `o-${edge}-peaks` },
];

const backgroundElement = ':scope > .o-behind';
/** These clip their contents. */
const unclipped = ':not(.s_parallax, .s_big_picture)';
const hasBehind = ':has(> .o-behind)';

const background: readonly BlockOption[] = [
  {
    id: 'website.ground',
    label: 'Colour',
    for: ['section'],
    group: 'background',
    look: 'swatches',
    choices: grounds,
  },
  {
    id: 'website.gradient_from',
    label: 'Begins with',
    for: ['section'],
    group: 'background',
    look: 'swatches',
    when: hasOwnGradient,
    choices: gradientColours('from'),
  },
  {
    id: 'website.gradient_to',
    label: 'Ends with',
    for: ['section'],
    group: 'background',
    look: 'swatches',
    when: hasOwnGradient,
    choices: gradientColours('to'),
  },
  {
    id: 'website.gradient_angle',
    label: 'Direction',
    for: ['section'],
    group: 'background',
    when: hasOwnGradient,
    choices: [
      { label: 'Down to the right', value: '' },
      { label: 'Down', value: 'o-angle-180' },
      { label: 'To the right', value: 'o-angle-90' },
      { label: 'Up to the right', value: 'o-angle-45' },
      { label: 'Down to the left', value: 'o-angle-225' },
      { label: 'Steep', value: 'o-angle-160' },
      { label: 'From the middle', value: 'o-angle-round' },
    ],
  },
  {
    id: 'website.behind_place',
    label: 'What is seen of it',
    for: ['section', 'column'],
    group: 'background',
    on: backgroundElement,
    choices: [
      { label: 'Its middle', value: '' },
      { label: 'Its top', value: 'o-place-top' },
      { label: 'Its foot', value: 'o-place-bottom' },
      { label: 'Its left', value: 'o-place-left' },
      { label: 'Its right', value: 'o-place-right' },
    ],
  },
  {
    id: 'website.veil',
    label: 'Veil over it',
    for: ['section', 'column'],
    group: 'background',
    when: hasBehind,
    choices: [
      { label: 'Dark', value: 'o-veil-dark' },
      { label: 'Very dark', value: 'o-veil-night' },
      { label: 'As the page', value: 'o-veil-page' },
      { label: 'In the main colour', value: 'o-veil-main' },
      { label: 'None', value: 'o-veil-none' },
    ],
  },
  {
    id: 'website.top_edge',
    label: 'Upper edge',
    for: ['section'],
    group: 'background',
    when: unclipped,
    choices: shapes('top'),
  },
  {
    id: 'website.bottom_edge',
    label: 'Lower edge',
    for: ['section'],
    group: 'background',
    when: unclipped,
    choices: shapes('bottom'),
  },
];

const rows = ':scope > .row, :scope > [class*=container] > .row';

const space: readonly BlockOption[] = [
  {
    id: 'website.space_above',
    label: 'Space above',
    for: ['section', 'column', 'block'],
    group: 'space',
    look: 'scale',
    choices: steps('o-above'),
  },
  {
    id: 'website.space_below',
    label: 'Space below',
    for: ['section', 'column', 'block'],
    group: 'space',
    look: 'scale',
    choices: steps('o-below'),
  },
  {
    id: 'website.gaps',
    label: 'Space between the columns',
    for: ['section'],
    group: 'space',
    on: rows,
    look: 'scale',
    choices: [
      { label: 'As designed', value: '' },
      { label: 'None', value: 'o-gap-0' },
      { label: 'Small', value: 'o-gap-1' },
      { label: 'Medium', value: 'o-gap-2' },
      { label: 'Large', value: 'o-gap-3' },
      { label: 'Very large', value: 'o-gap-4' },
    ],
  },
];

const twelfths = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'];

const layout: readonly BlockOption[] = [
  {
    id: 'website.width',
    label: 'Width',
    for: ['section'],
    group: 'layout',
    choices: [
      { label: 'Narrow', value: 's_narrow' },
      { label: 'Normal', value: '' },
      { label: 'Wide', value: 's_wide' },
      { label: 'Full', value: 's_full' },
    ],
  },
  {
    id: 'website.height',
    label: 'Height',
    for: ['section'],
    group: 'layout',
    choices: [
      { label: 'As its contents', value: '' },
      { label: 'Half of the window', value: 'o-tall-half' },
      { label: 'The whole window', value: 'o-tall-full' },
    ],
  },
  {
    id: 'website.stand',
    label: 'What is in it stands',
    for: ['section', 'column'],
    group: 'layout',
    when: '.o-tall-half, .o-tall-full, .row > *',
    choices: [
      { label: 'As designed', value: '' },
      { label: 'At the top', value: 'o-stand-top' },
      { label: 'In the middle', value: 'o-stand-middle' },
      { label: 'At the foot', value: 'o-stand-bottom' },
    ],
  },
  {
    id: 'website.columns',
    label: 'Columns beside each other',
    for: ['section'],
    group: 'layout',
    on: ':scope > .row > [class*=col], :scope > [class*=container] > .row > [class*=col]',
    replaces: '^col(-(sm|md|lg|xl))?(-(\\d+|auto))?$',
    choices: [
      { label: 'Two', value: 'col-12 col-md-6', formerly: 'col-md-6', least: 2 },
      { label: 'Three', value: 'col-12 col-md-4', formerly: 'col-md-4', least: 3 },
      { label: 'Four', value: 'col-12 col-md-3', formerly: 'col-md-3', least: 4 },
    ],
  },
  {
    id: 'website.columns_at',
    label: 'Columns stand',
    for: ['section'],
    group: 'layout',
    on: rows,
    replaces: '^align-items-(start|center|end|stretch)$',
    choices: [
      { label: 'As designed', value: '' },
      { label: 'At the top', value: 'o-columns-start', formerly: 'align-items-start' },
      { label: 'In the middle', value: 'o-columns-center', formerly: 'align-items-center' },
      { label: 'At the foot', value: 'o-columns-end', formerly: 'align-items-end' },
    ],
  },
  {
    id: 'website.column_width',
    label: 'Width',
    for: ['column'],
    group: 'layout',
    look: 'scale',
    replaces: '^col(-(sm|md|lg|xl))?(-(\\d+|auto))?$',
    choices: [
      ...twelfths.map((n) => ({ label: `${n} / 12`, value: `col-12 col-md-${n}`, formerly: `col-md-${n}` })),
      { label: 'Equal parts', value: 'col-12 col-md' },
    ],
  },
];

const text: readonly BlockOption[] = [
  {
    id: 'website.align',
    label: 'Text',
    for: ['section', 'column', 'block'],
    group: 'text',
    replaces: '^text-(start|center|end)$',
    choices: [
      { label: 'As designed', value: '' },
      { label: 'Left', value: 'o-align-start', formerly: 'text-start' },
      { label: 'Centred', value: 'o-align-center', formerly: 'text-center' },
      { label: 'Right', value: 'o-align-end', formerly: 'text-end' },
    ],
  },
  {
    id: 'website.letters',
    label: 'Size of the text',
    for: ['section', 'column', 'block'],
    group: 'text',
    choices: [
      { label: 'Normal', value: '' },
      { label: 'Small', value: 'o-letters-small' },
      { label: 'Large', value: 'o-letters-large' },
      { label: 'Very large', value: 'o-letters-larger' },
    ],
  },
];

const selected: readonly BlockOption[] = [
  {
    id: 'website.ink',
    label: 'Colour of the text',
    for: ['text'],
    group: 'text',
    choices: [
      { label: 'Colour', value: '' },
      { label: 'Main colour', value: 'o-ink-main' },
      { label: 'Quiet', value: 'o-ink-quiet' },
      { label: 'Green', value: 'o-ink-success' },
      { label: 'Red', value: 'o-ink-danger' },
      { label: 'Highlighted', value: 'o-ink-marked' },
      { label: 'On the main colour', value: 'o-ink-badge' },
    ],
  },
  {
    id: 'website.text_size',
    label: 'Size of the text',
    for: ['text'],
    group: 'text',
    choices: [
      { label: 'Size', value: '' },
      { label: 'Small', value: 'o-size-small' },
      { label: 'Large', value: 'o-size-large' },
      { label: 'Very large', value: 'o-size-larger' },
      { label: 'Display', value: 'o-size-display' },
    ],
  },
];

const corners: readonly OptionChoice[] = [
  { label: 'As designed', value: '' },
  { label: 'Square', value: 'rounded-0' },
  { label: 'Rounded', value: 'rounded' },
  { label: 'Round', value: 'rounded-circle' },
];

const look: readonly BlockOption[] = [
  {
    id: 'website.box',
    label: 'Box',
    for: ['column', 'block'],
    group: 'look',
    look: 'swatches',
    choices: [
      { label: 'None', value: '' },
      { label: 'Soft', value: 'o-box o-box-soft' },
      { label: 'As the page', value: 'o-box o-box-page' },
      { label: 'With a border', value: 'o-box o-box-border' },
      { label: 'With a shadow', value: 'o-box o-box-shadow' },
      { label: 'Main colour', value: 'o-box o-ground-main' },
      { label: 'Inverse', value: 'o-box o-ground-inverse' },
    ],
  },
  {
    id: 'website.hover',
    label: 'Cards under the pointer',
    for: ['section', 'column', 'block'],
    group: 'look',
    when: ':is(.card, .o-box), :has(.card, .s_box, .o-box)',
    choices: [
      { label: 'Stay as they are', value: '' },
      { label: 'Rise', value: 'o-hover-lift' },
      { label: 'Pictures grow', value: 'o-hover-zoom' },
    ],
  },
  {
    id: 'website.entrance',
    label: 'Comes in',
    for: ['section', 'column'],
    group: 'look',
    choices: [
      { label: 'Is there', value: '' },
      { label: 'From below', value: 'animate animate-up' },
      { label: 'From the left', value: 'animate animate-start' },
      { label: 'From the right', value: 'animate animate-end' },
      { label: 'Growing', value: 'animate animate-grow' },
    ],
  },
  {
    id: 'website.icon',
    label: 'Icon',
    for: ['column', 'block'],
    group: 'look',
    on: ':scope > .s_icon',
    choices: [
      { label: 'People', value: 's_icon_people' },
      { label: 'Heart', value: 's_icon_heart' },
      { label: 'Star', value: 's_icon_star' },
      { label: 'Light bulb', value: 's_icon_idea' },
      { label: 'Speech bubble', value: 's_icon_chat' },
      { label: 'Shield', value: 's_icon_shield' },
      { label: 'Calendar', value: 's_icon_calendar' },
      { label: 'icon\u0004Place', value: 's_icon_place' },
      { label: 'Tools', value: 's_icon_tools' },
      { label: 'Book', value: 's_icon_book' },
      { label: 'Cup', value: 's_icon_cup' },
      { label: 'Tree', value: 's_icon_tree' },
    ],
  },
  { id: 'website.corners', label: 'Corners', for: ['picture'], group: 'look', choices: corners },
  {
    id: 'website.picture_size',
    label: 'Size',
    for: ['picture'],
    group: 'look',
    choices: [
      { label: 'As it is', value: '' },
      { label: '25 %', value: 'w-25' },
      { label: '50 %', value: 'w-50' },
      { label: '75 %', value: 'w-75' },
      { label: '100 %', value: 'w-100' },
    ],
  },
  {
    id: 'website.crop',
    label: 'Crop to',
    for: ['picture'],
    group: 'look',
    choices: [
      { label: 'As it is', value: '' },
      { label: 'picture\u0004Square', value: 'o-crop-square' },
      { label: '4 : 3', value: 'o-crop-4-3' },
      { label: '16 : 9', value: 'o-crop-16-9' },
      { label: '21 : 9', value: 'o-crop-21-9' },
      { label: '3 : 4, upright', value: 'o-crop-3-4' },
    ],
  },
  {
    id: 'website.crop_place',
    label: 'What is seen of it',
    for: ['picture'],
    group: 'look',
    when: '[class*="o-crop-"], .s_cover, .card-img-top',
    choices: [
      { label: 'Its middle', value: '' },
      { label: 'Its top', value: 'o-place-top' },
      { label: 'Its foot', value: 'o-place-bottom' },
      { label: 'Its left', value: 'o-place-left' },
      { label: 'Its right', value: 'o-place-right' },
    ],
  },
  {
    id: 'website.filter',
    label: 'Filter',
    for: ['picture'],
    group: 'look',
    choices: [
      { label: 'None', value: '' },
      { label: 'Black and white', value: 'o-filter-gray' },
      { label: 'Sepia', value: 'o-filter-sepia' },
      { label: 'Brighter', value: 'o-filter-bright' },
      { label: 'Darker', value: 'o-filter-dark' },
      { label: 'More contrast', value: 'o-filter-contrast' },
      { label: 'Stronger colours', value: 'o-filter-vivid' },
      { label: 'Blurred', value: 'o-filter-blur' },
    ],
  },
  {
    id: 'website.frame',
    label: 'Frame',
    for: ['picture'],
    group: 'look',
    choices: [
      { label: 'None', value: '' },
      { label: 'Line', value: 'o-frame-line' },
      { label: 'Shadow', value: 'o-frame-shadow' },
      { label: 'White edge', value: 'o-frame-print' },
    ],
  },
  {
    id: 'website.button_style',
    label: 'Style',
    for: ['button'],
    group: 'look',
    replaces: '^btn-(outline-)?(success|danger|light|dark)$',
    choices: [
      { label: 'Link', value: '' },
      { label: 'Button', value: 'btn btn-primary' },
      { label: 'Button with a border', value: 'btn btn-outline-primary' },
      { label: 'Quiet button', value: 'btn btn-outline-secondary' },
      { label: 'Soft button', value: 'btn o-button-soft' },
    ],
  },
  {
    id: 'website.button_size',
    label: 'Size',
    for: ['button'],
    group: 'look',
    when: '.btn',
    choices: [
      { label: 'Small', value: 'btn-sm' },
      { label: 'Normal', value: '' },
      { label: 'Large', value: 'btn-lg' },
    ],
  },
  {
    id: 'website.button_shape',
    label: 'Corners',
    for: ['button'],
    group: 'look',
    when: '.btn',
    choices: [
      { label: 'As designed', value: '' },
      { label: 'Square', value: 'rounded-0' },
      { label: 'Round', value: 'rounded-pill' },
    ],
  },
  {
    id: 'website.button_width',
    label: 'Width',
    for: ['button'],
    group: 'look',
    when: '.btn',
    choices: [
      { label: 'As its words', value: '' },
      { label: 'Full', value: 'w-100' },
    ],
  },
  {
    id: 'website.table_rows',
    label: 'Rows',
    for: ['table'],
    group: 'look',
    choices: [
      { label: 'Plain', value: '' },
      { label: 'Striped', value: 'o-table-striped' },
    ],
  },
  {
    id: 'website.table_lines',
    label: 'Lines',
    for: ['table'],
    group: 'look',
    choices: [
      { label: 'Between the rows', value: '' },
      { label: 'Around each cell', value: 'o-table-cells' },
      { label: 'None', value: 'o-table-bare' },
    ],
  },
  {
    id: 'website.table_size',
    label: 'Density',
    for: ['table'],
    group: 'look',
    choices: [
      { label: 'Normal', value: '' },
      { label: 'Dense', value: 'table-sm' },
    ],
  },
];

const tenths = ['0', '10', '20', '30', '40', '50', '60', '70', '80', '90', '100'];

const figures: readonly BlockOption[] = [
  {
    id: 'website.progress',
    label: 'How much is done',
    for: ['block'],
    group: 'look',
    on: '.s_bar',
    look: 'scale',
    choices: tenths.map((part) => ({ label: `${part} %`, value: `o-part-${part}` })),
  },
];

const devices: readonly BlockOption[] = [
  {
    id: 'website.shown',
    label: 'Shown',
    for: ['section', 'column', 'block', 'picture'],
    group: 'devices',
    replaces: '^d-(none|md-none|md-block)$',
    choices: [
      { label: 'Everywhere', value: '' },
      { label: 'Not on phones', value: 'o-wide-only', formerly: 'd-none d-md-block' },
      { label: 'On phones only', value: 'o-phone-only', formerly: 'd-md-none' },
      { label: 'Not on tablets', value: 'o-not-tablet' },
      { label: 'On tablets only', value: 'o-tablet-only' },
      { label: 'On phones and tablets only', value: 'o-small-only' },
      { label: 'On wide screens only', value: 'o-desk-only' },
    ],
  },
  {
    id: 'website.phone_width',
    label: 'Width on phones',
    for: ['column'],
    group: 'devices',
    choices: [
      { label: 'The whole line', value: '' },
      { label: 'Half of the line', value: 'o-phone-half' },
    ],
  },
  {
    id: 'website.tablet_width',
    label: 'Width on tablets',
    for: ['column'],
    group: 'devices',
    choices: [
      { label: 'As on wide screens', value: '' },
      { label: 'A third of the line', value: 'o-tablet-third' },
      { label: 'Half of the line', value: 'o-tablet-half' },
      { label: 'The whole line', value: 'o-tablet-whole' },
    ],
  },
  {
    id: 'website.phone_order',
    label: 'Order on phones',
    for: ['column'],
    group: 'devices',
    choices: [
      { label: 'As it stands', value: '' },
      { label: 'First', value: 'o-phone-first' },
      { label: 'Last', value: 'o-phone-last' },
    ],
  },
  {
    id: 'website.tablet_order',
    label: 'Order on tablets',
    for: ['column'],
    group: 'devices',
    choices: [
      { label: 'As on wide screens', value: '' },
      { label: 'As it stands', value: 'o-tablet-plain' },
      { label: 'First', value: 'o-tablet-first' },
      { label: 'Last', value: 'o-tablet-last' },
    ],
  },
  {
    id: 'website.wide_order',
    label: 'Order on wide screens',
    for: ['column'],
    group: 'devices',
    choices: [
      { label: 'As it stands', value: '' },
      { label: 'First', value: 'o-wide-first' },
      { label: 'Last', value: 'o-wide-last' },
    ],
  },
];

/** Options of page parts regardless of their snippet. Classes are defined in `styles/options.page.scss`. */
export const ownOptions: readonly BlockOption[] = [
  ...background,
  ...space,
  ...layout,
  ...text,
  ...selected,
  ...look,
  ...figures,
  ...devices,
];

/** Classes of these options, and the background class; other classes that start with `o-` are removed from pages. */
export const optionClasses: ReadonlySet<string> = new Set([
  'o-behind',
  'o-inside',
  ...ownOptions.flatMap(({ choices }) => choices.flatMap(({ value }) => value.split(' '))),
]);
