import { type HelperDefinition, type HelperOptions, isEmpty, renderOf } from './tools.ts';

/** As a block, renders one of its branches; as a value, returns the result: `{{#eq a b}}…{{else}}…{{/eq}}`, `{{#if (eq a b)}}`. */
function answer(context: unknown, value: unknown, options: HelperOptions): unknown {
  if (typeof options.fn !== 'function') return value;
  return isEmpty(value) ? options.inverse(context) : options.fn(context);
}

/** `{{#eq a b}}`: whether two values are equal; a number equals its text. */
export const eq: HelperDefinition = {
  params: [2, 2],
  block: 'either',
  make: () =>
    function (this: unknown, a: unknown, b: unknown, options: HelperOptions) {
      const comparable = (value: unknown): boolean => typeof value === 'number' || typeof value === 'string';
      return answer(this, a === b || (comparable(a) && comparable(b) && String(a) === String(b)), options);
    },
};

/** `{{#if (not a)}}`: whether a value is empty. */
export const not: HelperDefinition = {
  params: [1, 1],
  block: 'either',
  make: () =>
    function (this: unknown, value: unknown, options: HelperOptions) {
      return answer(this, isEmpty(value), options);
    },
};

/** `(and a b …)`: the last value if none is empty, otherwise the first empty one. */
export const and: HelperDefinition = {
  params: [2, Number.POSITIVE_INFINITY],
  block: 'either',
  make: () =>
    function (this: unknown, ...rest: unknown[]) {
      const values = rest.slice(0, -1);
      const empty = values.findIndex(isEmpty);
      return answer(this, empty < 0 ? values.at(-1) : values[empty], rest.at(-1) as HelperOptions);
    },
};

/** `(or a b …)`: the first value that isn't empty, otherwise the last. */
export const or: HelperDefinition = {
  params: [2, Number.POSITIVE_INFINITY],
  block: 'either',
  make: () =>
    function (this: unknown, ...rest: unknown[]) {
      const values = rest.slice(0, -1);
      const truthy = values.find((value) => !isEmpty(value));
      return answer(this, truthy ?? values.at(-1), rest.at(-1) as HelperOptions);
    },
};

/**
 * `{{#group "forum.moderator,base.group_system"}}…{{else}}…{{/group}}`: for members of any of the groups. Only hides content: access
 * control is up to the models.
 */
export const group: HelperDefinition = {
  params: [1, 1],
  block: 'always',
  names: 'group',
  make: () =>
    function (this: unknown, names: unknown, options: HelperOptions) {
      const { groups } = renderOf(options);
      const member = String(names)
        .split(',')
        .some((name) => groups.has(name.trim()));
      return member ? options.fn(this) : options.inverse(this);
    },
};
