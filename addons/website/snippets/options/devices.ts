import type { BlockOption } from '../point.ts';

export const devices: readonly BlockOption[] = [
  {
    id: 'website.shown',
    label: 'Visibility',
    for: ['section', 'column', 'block', 'picture'],
    group: 'devices',
    replaces: '^d-(none|md-none|md-block)$',
    choices: [
      { label: 'Everywhere', value: '' },
      { label: 'Hidden on phones', value: 'o-wide-only', formerly: 'd-none d-md-block' },
      { label: 'Phones only', value: 'o-phone-only', formerly: 'd-md-none' },
      { label: 'Hidden on tablets', value: 'o-not-tablet' },
      { label: 'Tablets only', value: 'o-tablet-only' },
      { label: 'Phones and tablets only', value: 'o-small-only' },
      { label: 'Desktop only', value: 'o-desk-only' },
    ],
  },
  {
    id: 'website.phone_width',
    label: 'Width on phones',
    for: ['column'],
    group: 'devices',
    choices: [
      { label: 'Full width', value: '' },
      { label: 'Half width', value: 'o-phone-half' },
    ],
  },
  {
    id: 'website.tablet_width',
    label: 'Width on tablets',
    for: ['column'],
    group: 'devices',
    choices: [
      { label: 'Same as desktop', value: '' },
      { label: 'One third', value: 'o-tablet-third' },
      { label: 'Half width', value: 'o-tablet-half' },
      { label: 'Full width', value: 'o-tablet-whole' },
    ],
  },
  {
    id: 'website.phone_order',
    label: 'Order on phones',
    for: ['column'],
    group: 'devices',
    choices: [
      { label: 'Default order', value: '' },
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
      { label: 'Same as desktop', value: '' },
      { label: 'Default order', value: 'o-tablet-plain' },
      { label: 'First', value: 'o-tablet-first' },
      { label: 'Last', value: 'o-tablet-last' },
    ],
  },
  {
    id: 'website.wide_order',
    label: 'Order on desktop',
    for: ['column'],
    group: 'devices',
    choices: [
      { label: 'Default order', value: '' },
      { label: 'First', value: 'o-wide-first' },
      { label: 'Last', value: 'o-wide-last' },
    ],
  },
];
