import type { BlockOption } from '../point.ts';

export const look: readonly BlockOption[] = [
  {
    id: 'website.box',
    label: 'Box',
    for: ['column', 'block'],
    group: 'look',
    look: 'swatches',
    choices: [
      { label: 'None', value: '' },
      { label: 'Soft', value: 'o-box o-box-soft' },
      { label: 'Same as page', value: 'o-box o-box-page' },
      { label: 'With a border', value: 'o-box o-box-border' },
      { label: 'With a shadow', value: 'o-box o-box-shadow' },
      { label: 'Main colour', value: 'o-box o-ground-main' },
      { label: 'Inverse', value: 'o-box o-ground-inverse' },
    ],
  },
  {
    id: 'website.hover',
    label: 'Cards on hover',
    for: ['section', 'column', 'block'],
    group: 'look',
    when: ':is(.card, .o-box), :has(.card, .s_box, .o-box)',
    choices: [
      { label: 'No effect', value: '' },
      { label: 'Lift', value: 'o-hover-lift' },
      { label: 'Zoom images', value: 'o-hover-zoom' },
    ],
  },
  {
    id: 'website.entrance',
    label: 'Entrance animation',
    for: ['section', 'column'],
    group: 'look',
    choices: [
      { label: 'animation\u0004None', value: '' },
      { label: 'From below', value: 'animate animate-up' },
      { label: 'From the left', value: 'animate animate-start' },
      { label: 'From the right', value: 'animate animate-end' },
      { label: 'Zoom in', value: 'animate animate-grow' },
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
];

const tenths = ['0', '10', '20', '30', '40', '50', '60', '70', '80', '90', '100'];

export const figures: readonly BlockOption[] = [
  {
    id: 'website.progress',
    label: 'Progress',
    for: ['block'],
    group: 'look',
    on: '.s_bar',
    look: 'scale',
    choices: tenths.map((part) => ({ label: `${part} %`, value: `o-part-${part}` })),
  },
];
