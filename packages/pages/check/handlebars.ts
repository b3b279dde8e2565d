import { didYouMean, iconNames } from '@pergola/core';
import Handlebars from 'handlebars';
import type { HelperRule, HelperRules } from '../helpers/rules.ts';
import { type Mustache, maskMustaches } from '../source/mustaches.ts';
import type { Fault } from './fault.ts';
import type { WrittenValues } from './written-values.ts';

/** A reference to something that has to exist elsewhere. */
interface Named {
  readonly kind: 'island' | 'fragment' | 'block' | 'group' | 'stylesheet';
  readonly id: string;
  readonly offset: number;
  /** Values passed to an island or block, if the template lists their names. */
  readonly values?: WrittenValues;
}

/** A `{{> name}}`; `fallback` if it has a body to show when the partial doesn't exist. */
export interface PartialCall {
  readonly name: string;
  readonly offset: number;
  readonly fallback: boolean;
}

export interface HandlebarsReport {
  /** Whether Handlebars can parse it. */
  readonly readable: boolean;
  readonly faults: readonly Fault[];
  readonly partials: readonly PartialCall[];
  /** Parts that `{{#*inline "name"}}` defines. */
  readonly inlines: readonly string[];
  readonly named: readonly Named[];
  /** Texts in `{{t "…"}}` and `{{plural n "…" "…"}}`. */
  readonly calls: readonly TextCall[];
}

export interface TextCall {
  /** `option` is an argument of a partial: `{{> card title="Newest"}}`. */
  readonly helper: 't' | 'plural' | 'option';
  readonly id: string;
  readonly plural?: string;
  /** From the first quote of the first text to after the last quote of the last. */
  readonly start: number;
  readonly end: number;
}

/** Arguments of partials, and of objects passed to islands, whose values are shown to people. */
const textOptions: ReadonlySet<string> = new Set([
  'title',
  'subtitle',
  'heading',
  'label',
  'text',
  'lead',
  'description',
  'summary',
  'caption',
  'placeholder',
  'alt',
  'message',
]);

/**
 * Parses a source like Handlebars and reports problems that would otherwise only appear when rendering: unknown helpers, wrong calls,
 * computed names. `patch` allows `{{> @old}}`.
 */
export function checkHandlebars(source: string, helpers: HelperRules, patch = false): HandlebarsReport {
  let program: hbs.AST.Program;
  try {
    program = Handlebars.parse(source);
  } catch (error) {
    return { readable: false, faults: [syntaxFault(source, error)], partials: [], inlines: [], named: [], calls: [] };
  }
  const checker = new Checker(source, helpers, patch);
  checker.accept(program);
  return checker;
}

function syntaxFault(source: string, error: unknown): Fault {
  const text = error instanceof Error ? error.message : String(error);
  const unclosed = /got 'EOF'/.test(text) ? lastUnclosed(source) : undefined;
  if (unclosed) {
    const snippet = source.slice(unclosed.start, unclosed.end);
    return { offset: unclosed.start, message: `${snippet} is not closed.`, remedy: 'Write its end.' };
  }
  const line = Number(/(?:on line |- )(\d+)/.exec(text)?.[1] ?? 1);
  const [, excerpt = '', ...rest] = text.split('\n');
  const got = /got '(.*)'/.exec(rest.join(' '))?.[1];
  const problem = got ? `unexpected ${got} in "${excerpt.replace(/^\.\.\./, '…').trim()}"` : text;
  const offset = offsetOf(lineStarts(source), { line, column: 0 });
  return { offset, message: `Handlebars cannot read this: ${problem}.`, remedy: 'Mend the mustache.' };
}

function lastUnclosed(source: string): Mustache | undefined {
  const open: Mustache[] = [];
  for (const mustache of maskMustaches(source).mustaches) {
    if (mustache.kind === 'open') open.push(mustache);
    else if (mustache.kind === 'close') open.pop();
  }
  return open.at(-1);
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let index = source.indexOf('\n'); index >= 0; index = source.indexOf('\n', index + 1)) starts.push(index + 1);
  return starts;
}

function offsetOf(starts: readonly number[], { line, column }: hbs.AST.Position): number {
  return (starts[line - 1] ?? 0) + column;
}

type HelperCall = hbs.AST.MustacheStatement | hbs.AST.SubExpression | hbs.AST.BlockStatement;

class Checker extends Handlebars.Visitor implements HandlebarsReport {
  readonly readable = true;
  readonly faults: Fault[] = [];
  readonly partials: PartialCall[] = [];
  readonly inlines: string[] = [];
  readonly named: Named[] = [];
  readonly calls: TextCall[] = [];
  readonly #starts: readonly number[];
  readonly #helpers: HelperRules;
  readonly #patch: boolean;

  constructor(source: string, helpers: HelperRules, patch: boolean) {
    super();
    this.#starts = lineStarts(source);
    this.#helpers = helpers;
    this.#patch = patch;
  }

  override MustacheStatement(node: hbs.AST.MustacheStatement): void {
    this.#call(node, 'value');
    super.MustacheStatement(node);
  }

  override SubExpression(node: hbs.AST.SubExpression): void {
    this.#call(node, 'value');
    super.SubExpression(node);
  }

  override BlockStatement(node: hbs.AST.BlockStatement): void {
    this.#call(node, 'block');
    super.BlockStatement(node);
  }

  override PartialStatement(node: hbs.AST.PartialStatement): void {
    this.#partial(node, false);
    super.PartialStatement(node);
  }

  override PartialBlockStatement(node: hbs.AST.PartialBlockStatement): void {
    this.#partial(node, true);
    super.PartialBlockStatement(node);
  }

  override DecoratorBlock(node: hbs.AST.DecoratorBlock): void {
    const [param] = node.params;
    const name = param?.type === 'StringLiteral' && 'value' in param ? String(param.value) : undefined;
    if (node.path.original !== 'inline' || name === undefined) {
      this.#fault(node, `{{#*${node.path.original}}} is not known.`, 'Write {{#*inline "name"}}…{{/inline}}.');
    } else if (name.includes('.')) {
      this.#fault(node, `The part "${name}" is named like a template.`, 'Name parts without a dot.');
    } else this.inlines.push(name);
    super.DecoratorBlock(node);
  }

  #fault(node: hbs.AST.Node, message: string, remedy?: string): void {
    this.faults.push({ offset: this.#offset(node), message, remedy: remedy || undefined });
  }

  #offset(node: hbs.AST.Node): number {
    return offsetOf(this.#starts, node.loc.start);
  }

  #call(node: HelperCall, form: 'value' | 'block'): void {
    const { path, params, hash } = node;
    if (path.type !== 'PathExpression' || !('parts' in path)) {
      if (form === 'block' || params.length > 0)
        this.#fault(node, 'This is no helper.', 'A call begins with the name of a helper.');
      return;
    }
    const isCall =
      params.length > 0 || (hash?.pairs.length ?? 0) > 0 || form === 'block' || node.type === 'SubExpression';
    const simple = path.parts.length === 1 && path.depth === 0 && !path.data;
    const rule = simple || isCall ? this.#helpers.get(path.original) : undefined;
    if (rule) this.#checkCall(node, path.original, rule, form);
    else if (isCall) {
      const suggestion = didYouMean(path.original, this.#helpers.keys());
      const plainBlock = form === 'block' && params.length === 0;
      const remedy = plainBlock ? 'Write {{#if …}}, {{#each …}} or {{#with …}}.' : suggestion;
      this.#fault(node, `There is no helper "${path.original}".`, remedy);
    }
  }

  #checkCall(node: HelperCall, name: string, rule: HelperRule, form: 'value' | 'block'): void {
    const [min, max] = rule.params;
    const count = node.params.length;
    if (form === 'block' && rule.block === undefined)
      this.#fault(node, `{{#${name}}} is not a block.`, `Write {{${name} …}}.`);
    if (form === 'value' && rule.block === 'always')
      this.#fault(node, `{{${name}}} is a block.`, `Write {{#${name} …}}…{{/${name}}}.`);
    if (count < min || count > max) {
      const expected =
        min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? `${min} or more` : `${min} to ${max}`;
      const isValue = count === 0 && form === 'value' && node.type === 'MustacheStatement';
      const remedy = isValue ? `To print a value of that name, write {{this.${name}}}.` : undefined;
      this.#fault(node, `{{${name}}} takes ${expected} value(s) and is given ${count}.`, remedy);
    }
    for (const { key } of node.hash?.pairs ?? []) {
      if (rule.options === 'any' || rule.options?.includes(key)) continue;
      this.#fault(node, `{{${name}}} has no option "${key}".`, didYouMean(key, rule.options ?? []));
    }
    if (name === 'object' && node.type === 'MustacheStatement') {
      this.#fault(
        node,
        '{{object}} makes values to be handed on, and prints nothing that can be read.',
        'Write (object …) where a helper takes it, or {{this.object}} for a value of that name.',
      );
    }
    if (rule.names) this.#collectNames(node, name, rule.names);
    if (name === 'icon') this.#checkIcon(node);
    if (name === 't' || name === 'plural') this.#collectText(node, name);
    if (name === 'object') this.#collectOptions(node.hash);
  }

  #collectNames(node: HelperCall, helper: string, kind: Named['kind']): void {
    const text = literal(node.params[0]);
    if (text === undefined) {
      if (node.params.length > 0)
        this.#fault(node, `{{${helper}}} names its ${kind} by a value.`, `Write the id: {{${helper} "addon.name"}}.`);
      return;
    }
    const values = kind === 'island' || kind === 'block' ? valuesOf(node, kind) : undefined;
    for (const id of kind === 'group' ? text.split(',') : [text])
      this.named.push({ kind, id: id.trim(), offset: this.#offset(node), values });
  }

  /** A computed icon name can't be checked here. */
  #checkIcon(node: HelperCall): void {
    const text = literal(node.params[0]);
    if (text === undefined || iconNames().has(text)) return;
    this.#fault(node, `There is no Bootstrap icon "${text}".`, didYouMean(text, iconNames()));
  }

  #collectText(node: HelperCall, helper: 't' | 'plural'): void {
    const texts = helper === 't' ? node.params.slice(0, 1) : node.params.slice(1, 3);
    const [first, last] = [texts[0], texts.at(-1)];
    const [id, plural] = [literal(first), literal(texts[1])];
    if (!first || !last || id === undefined) {
      if (helper === 'plural')
        this.#fault(node, '{{plural}} takes its texts written out.', 'Write {{plural n "one answer" "{n} answers"}}.');
      return;
    }
    this.#checkNames(node, texts.map(literal), helper);
    const [start, end] = [this.#offset(first), offsetOf(this.#starts, last.loc.end)];
    this.calls.push({ helper, id, plural, start, end });
  }

  /** Each `{name}` in a text needs a value; plurals provide `n`. */
  #checkNames(node: HelperCall, texts: readonly (string | undefined)[], helper: 't' | 'plural'): void {
    const givenNames = [...(node.hash?.pairs ?? []).map(({ key }) => key), ...(helper === 'plural' ? ['n'] : [])];
    const placeholders = texts.flatMap((text = '') =>
      [...text.matchAll(/\{([A-Za-z_]\w*)\}/g)].map(([, name = '']) => name),
    );
    for (const name of new Set(placeholders).difference(new Set(givenNames))) {
      const remedy = didYouMean(name, givenNames) || `Write {{${helper} … ${name}=…}}.`;
      this.#fault(node, `{{${helper}}} has no value for “{${name}}” of its text.`, remedy);
    }
  }

  #collectOptions(hash: hbs.AST.Hash | undefined): void {
    for (const { key, value } of hash?.pairs ?? []) {
      const id = textOptions.has(key) ? literal(value) : undefined;
      if (id === undefined || !/\p{L}/u.test(id)) continue;
      this.calls.push({ helper: 'option', id, start: this.#offset(value), end: offsetOf(this.#starts, value.loc.end) });
    }
  }

  /** An argument named like a helper without parameters would never be printed: `{{object}}` calls the helper. */
  #checkPartialOptions({ name, hash }: hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement): void {
    const partialName = 'original' in name ? String(name.original) : '…';
    for (const pair of hash?.pairs ?? []) {
      const rule = this.#helpers.get(pair.key);
      if (!rule || rule.params[0] > 0 || rule.block === 'always') continue;
      this.#fault(
        pair,
        `{{> ${partialName}}} is given "${pair.key}", which is the name of a helper: {{${pair.key}}} in it would call that and not print the value.`,
        'Give the value another name.',
      );
    }
  }

  #partial(node: hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement, fallback: boolean): void {
    this.#collectOptions(node.hash);
    this.#checkPartialOptions(node);
    if (node.name.type === 'SubExpression') {
      this.#fault(
        node,
        'The name of a partial is worked out from data.',
        'Write the name, with {{#if}} or {{#eq}} around it.',
      );
      return;
    }
    const name = 'original' in node.name ? String(node.name.original) : '';
    if (name === '@partial-block') return;
    if (name === '@old' && this.#patch) return;
    if (name.startsWith('@'))
      this.#fault(
        node,
        `{{> ${name}}} means nothing here.`,
        name === '@old' ? 'It stands for the old node in a patch that replaces.' : undefined,
      );
    else this.partials.push({ name, offset: this.#offset(node), fallback: fallback && !name.includes('.') });
  }
}

/** Values of `{{island "id" (object name=…)}}` and `{{block "id" name=…}}`; undefined if they come from a value of the page. */
function valuesOf({ params, hash }: HelperCall, kind: 'island' | 'block'): WrittenValues | undefined {
  const [, argument] = params;
  const isObject = argument?.type === 'SubExpression' && (argument as hbs.AST.SubExpression).path.original === 'object';
  if (argument && !isObject) return undefined;
  const hashOfObject = argument ? (argument as hbs.AST.SubExpression).hash : undefined;
  const pairs = [...(hashOfObject?.pairs ?? []), ...(kind === 'block' ? (hash?.pairs ?? []) : [])];
  return pairs.map(({ key, value }) => ({ name: key, constant: constantOf(value) }));
}

function constantOf(node: hbs.AST.Expression): unknown {
  const isConstant = ['StringLiteral', 'NumberLiteral', 'BooleanLiteral', 'NullLiteral'].includes(node.type);
  if (!isConstant) return undefined;
  return node.type === 'NullLiteral' ? null : Reflect.get(node, 'value');
}

function literal(node: hbs.AST.Expression | undefined): string | undefined {
  return node?.type === 'StringLiteral' && 'value' in node ? String(node.value) : undefined;
}
