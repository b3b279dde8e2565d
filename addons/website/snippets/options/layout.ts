import type { BlockOption, OptionChoice } from '../point.ts';

/** Spacing scale from 0 to 6. */
const steps = (prefix: string): readonly OptionChoice[] => [
  { label: 'Default', value: '' },
  { label: 'None', value: `${prefix}-0` },
  { label: 'Very small', value: `${prefix}-1` },
  { label: 'Small', value: `${prefix}-2` },
  { label: 'Medium', value: `${prefix}-3` },
  { label: 'Large', value: `${prefix}-4` },
  { label: 'Very large', value: `${prefix}-5` },
];

const rows = ':scope > .row, :scope > [class*=container] > .row';

export const space: readonly BlockOption[] = [
  {
    id: 'website.space_above',
    label: 'Spacing above',
    for: ['section', 'column', 'block'],
    group: 'space',
    look: 'scale',
    choices: steps('o-above'),
  },
  {
    id: 'website.space_below',
    label: 'Spacing below',
    for: ['section', 'column', 'block'],
    group: 'space',
    look: 'scale',
    choices: steps('o-below'),
  },
  {
    id: 'website.gaps',
    label: 'Column gap',
    for: ['section'],
    group: 'space',
    on: rows,
    look: 'scale',
    choices: [
      { label: 'Default', value: '' },
      { label: 'None', value: 'o-gap-0' },
      { label: 'Small', value: 'o-gap-1' },
      { label: 'Medium', value: 'o-gap-2' },
      { label: 'Large', value: 'o-gap-3' },
      { label: 'Very large', value: 'o-gap-4' },
    ],
  },
];

const twelfths = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'];

export const layout: readonly BlockOption[] = [
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
      { label: 'Fit content', value: '' },
      { label: 'Half the window', value: 'o-tall-half' },
      { label: 'Full window', value: 'o-tall-full' },
    ],
  },
  {
    id: 'website.stand',
    label: 'Vertical alignment',
    for: ['section', 'column'],
    group: 'layout',
    when: '.o-tall-half, .o-tall-full, .row > *',
    choices: [
      { label: 'Default', value: '' },
      { label: 'Top', value: 'o-stand-top' },
      { label: 'Middle', value: 'o-stand-middle' },
      { label: 'Bottom', value: 'o-stand-bottom' },
    ],
  },
  {
    id: 'website.columns',
    label: 'Columns per row',
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
    label: 'Column alignment',
    for: ['section'],
    group: 'layout',
    on: rows,
    replaces: '^align-items-(start|center|end|stretch)$',
    choices: [
      { label: 'Default', value: '' },
      { label: 'Top', value: 'o-columns-start', formerly: 'align-items-start' },
      { label: 'Middle', value: 'o-columns-center', formerly: 'align-items-center' },
      { label: 'Bottom', value: 'o-columns-end', formerly: 'align-items-end' },
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
      { label: 'Equal widths', value: 'col-12 col-md' },
    ],
  },
];
