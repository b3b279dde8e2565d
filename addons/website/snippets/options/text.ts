import type { BlockOption } from '../point.ts';

export const text: readonly BlockOption[] = [
  {
    id: 'website.align',
    label: 'Text',
    for: ['section', 'column', 'block'],
    group: 'text',
    replaces: '^text-(start|center|end)$',
    choices: [
      { label: 'Default', value: '' },
      { label: 'Left', value: 'o-align-start', formerly: 'text-start' },
      { label: 'Centred', value: 'o-align-center', formerly: 'text-center' },
      { label: 'Right', value: 'o-align-end', formerly: 'text-end' },
    ],
  },
  {
    id: 'website.letters',
    label: 'Text size',
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

export const selected: readonly BlockOption[] = [
  {
    id: 'website.ink',
    label: 'Text colour',
    for: ['text'],
    group: 'text',
    choices: [
      { label: 'Colour', value: '' },
      { label: 'Main colour', value: 'o-ink-main' },
      { label: 'Muted', value: 'o-ink-quiet' },
      { label: 'Green', value: 'o-ink-success' },
      { label: 'Red', value: 'o-ink-danger' },
      { label: 'Highlighted', value: 'o-ink-marked' },
      { label: 'On main colour', value: 'o-ink-badge' },
    ],
  },
  {
    id: 'website.text_size',
    label: 'Text size',
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
