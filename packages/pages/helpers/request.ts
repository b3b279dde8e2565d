import { type HelperDefinition, type HelperOptions, renderOf } from './tools.ts';

/** `{{lang}}`: the page's language as a BCP 47 tag, `fr-FR`. */
export const lang: HelperDefinition = {
  params: [0, 0],
  make: () => (options: HelperOptions) => renderOf(options).lang.replace('_', '-'),
};

/** `{{attribute "website.id"}}`: a request attribute, by name and path; empty if it doesn't exist. */
export const attribute: HelperDefinition = {
  params: [1, 1],
  make: () => (path: unknown, options: HelperOptions) => renderOf(options).attribute(String(path)) ?? '',
};
