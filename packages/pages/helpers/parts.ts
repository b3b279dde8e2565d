import type { Wake } from '@pergola/islands';
import {
  choiceOption,
  type HelperDefinition,
  type HelperOptions,
  helperFault,
  markup,
  placeOf,
  renderOf,
  textOption,
} from './tools.ts';

const triggers: readonly Wake[] = ['load', 'idle', 'visible', 'touch', 'media', 'return'];

/**
 * `{{island "forum.VoteButtons" props on="visible"}}`: a React component, rendered in place and hydrated as specified by `on`, by default
 * once the page is idle. As a block, `{{#island …}}<p>…</p>{{/island}}`, its content is passed as `children`.
 */
export const island: HelperDefinition = {
  params: [1, 2],
  options: ['on', 'media'],
  block: 'either',
  markup: true,
  names: 'island',
  make: () =>
    function island(this: unknown, id: unknown, ...rest: unknown[]) {
      const options = rest.at(-1) as HelperOptions;
      const props = rest.length > 1 ? rest[0] : {};
      const media = textOption(options, 'media');
      const on = choiceOption(options, 'on', triggers) ?? (media === undefined ? 'idle' : 'media');
      if ((on === 'media') !== (media !== undefined))
        throw helperFault(options, 'on="media" and media="…" belong together');
      const content = options.fn?.(this);
      return markup(renderOf(options).island(String(id), props, { on, media, content, from: placeOf(options) }));
    },
};

/** `{{fragment "web.user_menu"}}`: a visitor-specific part, filled in after the page cache. */
export const fragment: HelperDefinition = {
  params: [1, 1],
  markup: true,
  names: 'fragment',
  make: () => (id: unknown, options: HelperOptions) => markup(renderOf(options).fragment(String(id))),
};

/** `{{block "dribblo.next_match" options}}`: a block as placed by an editor; options as an object, or individually as `name=value`. */
export const block: HelperDefinition = {
  params: [1, 2],
  options: 'any',
  markup: true,
  names: 'block',
  make:
    () =>
    (id: unknown, ...rest: unknown[]) => {
      const options = rest.at(-1) as HelperOptions;
      const blockOptions = rest.length > 1 ? rest[0] : {};
      if (typeof blockOptions !== 'object') throw helperFault(options, 'its options are no object');
      return markup(renderOf(options).block(String(id), { ...blockOptions, ...options.hash }));
    },
};

/** `{{csrf}}`: the CSRF token, required in every form that is posted. */
export const csrf: HelperDefinition = {
  params: [0, 0],
  markup: true,
  make: () => (options: HelperOptions) => markup(renderOf(options).csrf()),
};
