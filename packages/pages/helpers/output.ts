import { escapeJson } from '@pergola/islands';
import {
  choiceOption,
  type HelperDefinition,
  type HelperOptions,
  type HelperResult,
  markup,
  renderOf,
} from './tools.ts';

/**
 * `{{html value}}`: HTML from data, sanitised, with its blocks filled. Options: `profile` page (the default), comment or mail;
 * `styles=false` if the surrounding page already has the style sheets of its building blocks.
 */
export const html: HelperDefinition = {
  params: [1, 1],
  options: ['profile', 'styles'],
  markup: true,
  make:
    ({ sanitize }) =>
    (value: unknown, options: HelperOptions) => {
      if (value === null || value === undefined || value === '') return '';
      const profile = choiceOption(options, 'profile', ['page', 'comment', 'mail']) ?? 'page';
      const clean = sanitize(String(value), profile);
      const needsStyles = profile === 'page' && options.hash.styles !== false;
      const styles = needsStyles ? renderOf(options).contentStyles(clean) : '';
      return markup(styles + (clean.includes('data-block') ? renderOf(options).fillBlocks(clean) : clean));
    },
};

/** `{{json value}}`: data for `<script type="application/json">`; in an attribute with `plain=true`. */
export const json: HelperDefinition = {
  params: [1, 1],
  options: ['plain'],
  markup: true,
  plain: 'plain',
  make:
    () =>
    (value: unknown, options: HelperOptions): HelperResult => {
      const text = JSON.stringify(value ?? null) ?? 'null';
      return options.hash.plain === true ? text : markup(escapeJson(text));
    },
};
