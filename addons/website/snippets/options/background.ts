import type { BlockOption, OptionChoice } from '../point.ts';

const grounds: readonly OptionChoice[] = [
  { label: 'Same as page', value: '' },
  { label: 'Soft', value: 's_tone_soft' },
  { label: 'Strong', value: 's_tone_strong' },
  { label: 'Main colour', value: 'o-ground-main' },
  { label: 'Inverse', value: 'o-ground-inverse' },
  { label: 'Soft gradient', value: 'o-ground-gradient-soft' },
  { label: 'Warm gradient', value: 'o-ground-gradient-warm' },
  { label: 'Strong gradient', value: 'o-ground-gradient-main' },
  { label: 'Custom gradient, light', value: 'o-ground-gradient-light' },
  { label: 'Custom gradient, strong', value: 'o-ground-gradient-deep' },
];

/** Theme colours, pale or deep depending on the gradient, so that text on them is always readable. */
const gradientColours = (end: string): readonly OptionChoice[] => [
  { label: 'Main colour', value: `o-${end}-main` },
  { label: 'Same as page', value: `o-${end}-page` },
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

/** Part of a picture that stays visible when it is cropped. */
export const visibleAreas: readonly OptionChoice[] = [
  { label: 'Centre', value: '' },
  { label: 'Top', value: 'o-place-top' },
  { label: 'Bottom', value: 'o-place-bottom' },
  { label: 'Left side', value: 'o-place-left' },
  { label: 'Right side', value: 'o-place-right' },
];

const backgroundElement = ':scope > .o-behind';
/** These clip their contents. */
const unclipped = ':not(.s_parallax, .s_big_picture)';
const hasBehind = ':has(> .o-behind)';

export const background: readonly BlockOption[] = [
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
    label: 'Start colour',
    for: ['section'],
    group: 'background',
    look: 'swatches',
    when: hasOwnGradient,
    choices: gradientColours('from'),
  },
  {
    id: 'website.gradient_to',
    label: 'End colour',
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
      { label: 'From the centre', value: 'o-angle-round' },
    ],
  },
  {
    id: 'website.behind_place',
    label: 'Visible area',
    for: ['section', 'column'],
    group: 'background',
    on: backgroundElement,
    choices: visibleAreas,
  },
  {
    id: 'website.veil',
    label: 'Overlay',
    for: ['section', 'column'],
    group: 'background',
    when: hasBehind,
    choices: [
      { label: 'Dark', value: 'o-veil-dark' },
      { label: 'Very dark', value: 'o-veil-night' },
      { label: 'Same as page', value: 'o-veil-page' },
      { label: 'Main colour', value: 'o-veil-main' },
      { label: 'None', value: 'o-veil-none' },
    ],
  },
  {
    id: 'website.top_edge',
    label: 'Top edge',
    for: ['section'],
    group: 'background',
    when: unclipped,
    choices: shapes('top'),
  },
  {
    id: 'website.bottom_edge',
    label: 'Bottom edge',
    for: ['section'],
    group: 'background',
    when: unclipped,
    choices: shapes('bottom'),
  },
];
