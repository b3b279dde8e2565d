import { background } from './options/background.ts';
import { devices } from './options/devices.ts';
import { buttons, pictures, tables } from './options/elements.ts';
import { layout, space } from './options/layout.ts';
import { figures, look } from './options/look.ts';
import { selected, text } from './options/text.ts';
import type { BlockOption } from './point.ts';

/** Options of page parts regardless of their snippet. Classes are defined in `styles/options.page.scss`. */
export const ownOptions: readonly BlockOption[] = [
  ...background,
  ...space,
  ...layout,
  ...text,
  ...selected,
  ...look,
  ...pictures,
  ...buttons,
  ...tables,
  ...figures,
  ...devices,
];

/** Classes of these options, and the background class; other classes that start with `o-` are removed from pages. */
export const optionClasses: ReadonlySet<string> = new Set([
  'o-behind',
  'o-inside',
  ...ownOptions.flatMap(({ choices }) => choices.flatMap(({ value }) => value.split(' '))),
]);
