import { type HelperDefinition, type HelperOptions, renderOf } from './tools.ts';

/** `{{lang}}`: the page's language as HTML names it, `fr-FR`. */
export const lang: HelperDefinition = {
  params: [0, 0],
  make: () => (options: HelperOptions) => renderOf(options).lang.replace('_', '-'),
};

/** `{{fact "website.id"}}`: something the request is about, by name and path; empty when there is no such fact. */
export const fact: HelperDefinition = {
  params: [1, 1],
  make: () => (path: unknown, options: HelperOptions) => renderOf(options).fact(String(path)) ?? '',
};
