import { choiceOption, type HelperDefinition, type HelperOptions, markup, renderOf } from './tools.ts';

/** `{{assets}}`: asset tags for a page's head; `area="web"` for the backend. */
export const assets: HelperDefinition = {
  params: [0, 0],
  options: ['area'],
  markup: true,
  make: () => (options: HelperOptions) =>
    markup(renderOf(options).assets(choiceOption(options, 'area', ['public', 'web']) ?? 'public')),
};

/**
 * `{{stylesheet "forum.pages"}}`: loads `styles/pages.page.scss` of the forum addon here, in the head or before the content that needs it.
 */
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

/** `(object name="value")`: named values, for islands and blocks. */
export const object: HelperDefinition = {
  params: [0, 0],
  options: 'any',
  make: () => (options: HelperOptions) => ({ ...options.hash }),
};
