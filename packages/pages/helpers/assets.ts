import { choiceOption, type HelperDefinition, type HelperOptions, markup, renderOf } from './tools.ts';

/** `{{assets}}`: what a page's head loads; `area="web"` for the backend. */
export const assets: HelperDefinition = {
  params: [0, 0],
  options: ['area'],
  markup: true,
  make: () => (options: HelperOptions) =>
    markup(renderOf(options).assets(choiceOption(options, 'area', ['public', 'web']) ?? 'public')),
};

/** `{{stylesheet "forum.pages"}}`: loads `styles/pages.page.scss` of addon forum here, in the head or before what it is for. */
export const stylesheet: HelperDefinition = {
  params: [1, 1],
  markup: true,
  names: 'stylesheet',
  make: () => (id: unknown, options: HelperOptions) => markup(renderOf(options).stylesheet(String(id))),
};

/** `{{icon "cart"}}`: a Bootstrap icon as inline SVG, hidden from screen readers. */
export const icon: HelperDefinition = {
  params: [1, 1],
  markup: true,
  make: () => (name: unknown, options: HelperOptions) => markup(renderOf(options).icon(String(name))),
};

/** `(object name="everybody")`: values under names, for islands and blocks. */
export const object: HelperDefinition = {
  params: [0, 0],
  options: 'any',
  make: () => (options: HelperOptions) => ({ ...options.hash }),
};
