import { escapeAttribute, isSitePath, safeUrl } from '@pergola/content';
import { type HelperDefinition, type HelperOptions, markup, renderOf } from './tools.ts';

/** Replaces an unsafe address. */
const unsafeReplacement = '#';

/** `{{url "/shop" page=2 tags=tags}}`: a path in the reader's language with a query; empty values are omitted, lists repeat the name. */
export const url: HelperDefinition = {
  params: [1, 1],
  options: 'any',
  url: true,
  make: () => (path: unknown, options: HelperOptions) => {
    const base = safeUrl(path) ?? unsafeReplacement;
    const query = new URLSearchParams();
    // Handlebars passes options in reverse order
    for (const [key, value] of Object.entries(options.hash).reverse()) {
      for (const item of Array.isArray(value) ? value : [value])
        if (item !== null && item !== undefined && item !== '') query.append(key, String(item));
    }
    return link(query.size === 0 ? base : withQuery(base, query), options);
  },
};

function withQuery(base: string, query: URLSearchParams): string {
  const [path = '', anchor] = base.split('#', 2);
  const joined = `${path}${path.includes('?') ? '&' : '?'}${query}`;
  return anchor === undefined ? joined : `${joined}#${anchor}`;
}

/** `href="{{href link}}"`: an address from data, for a link or form. Paths get the reader's language; executable schemes become `#`. */
export const href: HelperDefinition = {
  params: [1, 1],
  url: true,
  make: () => (value: unknown, options: HelperOptions) => link(safeUrl(value ?? '') ?? unsafeReplacement, options),
};

/** `src="{{src picture}}"`: an address from data, for an image or file. Executable schemes become `#`. */
export const src: HelperDefinition = {
  params: [1, 1],
  url: true,
  make: () => (value: unknown) => markup(escapeAttribute(safeUrl(value ?? '') ?? unsafeReplacement)),
};

function link(address: string, options: HelperOptions) {
  return markup(escapeAttribute(isSitePath(address) ? renderOf(options).url(address) : address));
}

/**
 * Adds the reader's language to paths in templates; inserted by the compiler into `href` and `action` (see localize.ts). As a value it
 * takes the fixed start of a path, as a block the whole path, with `"/"` if it starts with a literal slash.
 */
export const localized: HelperDefinition = {
  params: [0, 1],
  block: 'either',
  url: true,
  make: () =>
    function (this: unknown, ...rest: unknown[]) {
      const options = rest.at(-1) as HelperOptions;
      if (typeof options.fn !== 'function') return markup(escapeAttribute(renderOf(options).url(String(rest[0]))));
      const content = options.fn(this); // its values are escaped already
      // a value starting with a slash would lead to another host
      const path = rest.length > 1 ? content.replace(/^[/\\]+/, '/') : content;
      return markup(isSitePath(path) ? renderOf(options).url(path) : path);
    },
};
