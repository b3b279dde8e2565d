import { sentence } from '@pergola/core';
import type { Node } from 'oxc-parser';
import { constantText, initialValue, memberKey } from '../constants.ts';
import { isCall, unwrapped } from '../syntax.ts';
import type { Rule, RuleInput } from './rule.ts';

/** Functions that change the object in their first argument. */
const changers =
  /^global:(Object\.(assign|defineProperty|defineProperties|setPrototypeOf)|Reflect\.(set|defineProperty|setPrototypeOf|deleteProperty))$/;

/** Changes of objects that are not the addon's own: built-in prototypes, globals, and exports of other modules. */
export const prototypes: Rule = (node, input) => {
  if (node.type === 'AssignmentExpression') changed(node.left, node, input);
  else if (node.type === 'UpdateExpression') changed(node.argument, node, input);
  else if (node.type === 'UnaryExpression' && node.operator === 'delete') changed(node.argument, node, input);
  else if (isCall(node) && input.origins.some(node.callee, (origin) => changers.test(origin)))
    report(node.arguments[0] as Node | undefined, node, input);
  // A key for `JSON.parse` and careless merging.
  else if (node.type === 'Literal' && typeof node.value === 'string' && /["']__proto__["']\s*:/.test(node.value))
    input.report(node, 'code', sentence('Changes the prototypes of other objects'), 'high');
  else if (node.type === 'Property' && node.computed && constantText(input.code, node.key as Node) === '__proto__')
    input.report(node, 'code', sentence('Changes the prototypes of other objects'), 'high');
};

function changed(target: Node, node: Node, input: RuleInput): void {
  const inner = unwrapped(target);
  if (inner.type === 'ArrayPattern' || inner.type === 'ObjectPattern') return;
  if (inner.type !== 'MemberExpression') {
    // An assignment to a global without declaration: `fetch = …`
    if (inner.type === 'Identifier' && !input.code.declarationOf(inner))
      input.report(node, 'code', sentence('Replaces the global {name}', { name: inner.name }), 'high');
    return;
  }
  const key = memberKey(input.code, inner);
  if (
    input.code.runsOn !== 'browser' &&
    input.origins.some(inner.object, (origin) => origin === 'global:') &&
    !isOfPage(inner.object)
  ) {
    input.report(node, 'code', sentence('Replaces the global {name}', { name: key ?? '…' }), 'high');
    return;
  }
  if (key === '__proto__') input.report(node, 'code', sentence('Changes the prototypes of other objects'), 'high');
  report(inner.object, node, input);
}

/** Reports a change of an object if it isn't the addon's own. */
function report(object: Node | undefined, node: Node, input: RuleInput): void {
  if (!object) return;
  const { code, origins } = input;
  for (const origin of origins.of(object)) {
    if (isOfPage(object)) continue;
    const [, name = ''] = /^global:([^.]*)/.exec(origin) ?? [];
    // Islands also name globals that only browsers have.
    const isGlobal =
      origin.startsWith('global:') &&
      (name === '' || name in globalThis) &&
      !/^global:(process\.(env|exitCode)|module|exports)(\.|$)/.test(origin);
    if (isGlobal) {
      if (code.runsOn !== 'browser')
        input.report(
          node,
          'code',
          sentence('Changes {object} for the whole server', { object: nameOf(origin) }),
          'high',
        );
      return;
    }
    const isOthers =
      /^node:/.test(origin) || (/#/.test(origin) && !/^(\.|\/)/.test(origin) && /#.*(\.prototype|$)/.test(origin));
    if (isOthers && code.runsOn === 'server') {
      input.report(node, 'code', sentence('Changes {object} for the whole server', { object: nameOf(origin) }), 'high');
      return;
    }
  }
  const way = chain(object, input);
  if (
    way.some((part) => ['__proto__', 'getPrototypeOf'].includes(part)) ||
    /constructor\.prototype/.test(way.join('.'))
  )
    input.report(node, 'code', sentence('Changes the prototypes of other objects'), 'high');
}

/** Whether an object is reached through `window` or `document`, which the server doesn't have. */
function isOfPage(object: Node): boolean {
  const inner = unwrapped(object);
  if (inner.type === 'MemberExpression') return isOfPage(inner.object);
  return inner.type === 'Identifier' && ['window', 'self', 'document', 'navigator', 'location'].includes(inner.name);
}

const nameOf = (origin: string): string =>
  origin
    .replace(/^global:$/, 'globals')
    .replace(/^global:/, '')
    .replace(/^ctx:.*/, 'the context')
    .replace('#', ' ');

/** Names on the way to an object: `['x', 'constructor', 'prototype']`. */
function chain(object: Node, input: RuleInput): readonly string[] {
  const { code, origins } = input;
  const inner = unwrapped(object);
  if (inner.type === 'MemberExpression') {
    const key = memberKey(code, inner);
    return [...chain(inner.object, input), key ?? ''];
  }
  if (isCall(inner))
    return origins.some(inner.callee, (origin) => /^global:(Object|Reflect)\.getPrototypeOf$/.test(origin))
      ? ['getPrototypeOf']
      : [];
  if (inner.type !== 'Identifier') return [];
  const value = initialValue(code, inner);
  return value && unwrapped(value) !== inner ? chain(value, input) : [];
}
