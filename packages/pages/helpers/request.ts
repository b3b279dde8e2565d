import { type HelperDefinition, type HelperOptions, renderOf } from './tools.ts';

/** `{{lang}}`: the page's language as HTML names it, `fr-FR`. */
export const lang: HelperDefinition = {
  params: [0, 0],
  make: () => (options: HelperOptions) => renderOf(options).lang.replace('_', '-'),
};

/** `{{attribute "website.id"}}`: something the request is about, by name and path; empty when there is no such request attribute. */
export const attribute: HelperDefinition = {
  params: [1, 1],
  make: () => (path: unknown, options: HelperOptions) => renderOf(options).attribute(String(path)) ?? '',
};
