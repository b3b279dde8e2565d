import type { BlockOption } from '../point.ts';
import { visibleAreas } from './background.ts';

export const pictures: readonly BlockOption[] = [
  {
    id: 'website.corners',
    label: 'Corners',
    for: ['picture'],
    group: 'look',
    choices: [
      { label: 'Default', value: '' },
      { label: 'Square', value: 'rounded-0' },
      { label: 'Rounded', value: 'rounded' },
      { label: 'Fully rounded', value: 'rounded-circle' },
    ],
  },
  {
    id: 'website.picture_size',
    label: 'Size',
    for: ['picture'],
    group: 'look',
    choices: [
      { label: 'Original', value: '' },
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
      { label: 'Original', value: '' },
      { label: 'picture\u0004Square', value: 'o-crop-square' },
      { label: '4 : 3', value: 'o-crop-4-3' },
      { label: '16 : 9', value: 'o-crop-16-9' },
      { label: '21 : 9', value: 'o-crop-21-9' },
      { label: '3:4, portrait', value: 'o-crop-3-4' },
    ],
  },
  {
    id: 'website.crop_place',
    label: 'Visible area',
    for: ['picture'],
    group: 'look',
    when: '[class*="o-crop-"], .s_cover, .card-img-top',
    choices: visibleAreas,
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
      { label: 'More saturated', value: 'o-filter-vivid' },
      { label: 'Blur', value: 'o-filter-blur' },
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
      { label: 'White border', value: 'o-frame-print' },
    ],
  },
];

export const buttons: readonly BlockOption[] = [
  {
    id: 'website.button_style',
    label: 'Style',
    for: ['button'],
    group: 'look',
    replaces: '^btn-(outline-)?(success|danger|light|dark)$',
    choices: [
      { label: 'Link', value: '' },
      { label: 'Button', value: 'btn btn-primary' },
      { label: 'Outlined button', value: 'btn btn-outline-primary' },
      { label: 'Text button', value: 'btn btn-outline-secondary' },
      { label: 'Tinted button', value: 'btn o-button-soft' },
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
      { label: 'Default', value: '' },
      { label: 'Square', value: 'rounded-0' },
      { label: 'Fully rounded', value: 'rounded-pill' },
    ],
  },
  {
    id: 'website.button_width',
    label: 'Width',
    for: ['button'],
    group: 'look',
    when: '.btn',
    choices: [
      { label: 'Fit text', value: '' },
      { label: 'Full', value: 'w-100' },
    ],
  },
];

export const tables: readonly BlockOption[] = [
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
