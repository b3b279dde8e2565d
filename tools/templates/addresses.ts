import { parseSync } from '@swc/core';
import Handlebars from 'handlebars';
import {
  type AstNode,
  argumentsOf,
  identifier,
  lineAt,
  nodes,
  nodesIn,
  spanOf,
  textOf,
  unwrap,
} from '../syntax-tree.ts';

/** Stands for parts of a URL known only at run time. */
export const UNKNOWN = '\0';

/** HTTP method used for a URL; null if unknown. */
type Method = 'GET' | 'POST' | null;

/** A URL of this site written in code or in a template. */
export interface WrittenAddress {
  readonly line: number;
  /** Path and query, with {@link UNKNOWN} for values. */
  readonly text: string;
  readonly method: Method;
  /** Whether other code may append to it. */
  readonly isBeginning: boolean;
  /** Whether it is used as written, so that no one fills in a parameter such as `:plot`. */
  readonly isFinal?: boolean;
}

/** Functions that take a URL as their first argument, with the method they use. */
const askers: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['rpc', 'POST'],
  ['useAction', 'POST'],
  ['postForm', 'POST'],
  ['sendForm', 'POST'],
  ['sendBeacon', 'POST'],
  ['redirect', 'GET'],
  ['useEvents', 'GET'],
  ['openStream', 'GET'],
  ['navigate', 'GET'],
  ['assign', 'GET'],
  ['request', null],
  ['fetch', null],
  ['url', null],
]);
/** Uses of the URL as written. */
const finalAskers = new Set('redirect navigate assign fetch url'.split(' '));
/** Properties of objects, JSX and partials that hold a URL. */
const holders = new Set('call url href path action formAction src to back page thumbnail button_url'.split(' '));
/** Names of constants and functions whose value is a URL. */
const addressName = /(path|url|href|address|link)$/i;

/** Finds URLs in attributes, helpers and arguments of a template. */
export function addressesInTemplate(source: string): WrittenAddress[] {
  const helpers = new HelperAddresses();
  try {
    helpers.accept(Handlebars.parse(source));
  } catch {
    // The build reports invalid templates.
  }
  return [...addressesInMarkup(source, 1), ...helpers.addresses];
}

/** URLs in attributes of HTML that starts at this line. */
function addressesInMarkup(html: string, firstLine: number): WrittenAddress[] {
  const attribute = /\s(href|action|formaction|src|poster)="(\/(?:[^"{]|\{\{.*?\}\}|\{(?!\{))*)"/gs;
  return [...html.matchAll(attribute)].map(({ 1: name, 2: value = '', index }) => {
    const tag = html.slice(html.lastIndexOf('<', index), html.indexOf('>', index));
    const isPost = name === 'formaction' ? null : name === 'action' && /\smethod="post"/i.test(tag);
    return {
      line: firstLine + html.slice(0, index + 1).split('\n').length - 1,
      text: value.replace(/\{\{.*?\}\}/gs, UNKNOWN),
      method: isPost === null ? null : isPost ? 'POST' : 'GET',
      isBeginning: false,
      isFinal: true,
    };
  });
}

class HelperAddresses extends Handlebars.Visitor {
  readonly addresses: WrittenAddress[] = [];

  override MustacheStatement(node: hbs.AST.MustacheStatement): void {
    this.#call(node);
    super.MustacheStatement(node);
  }

  override SubExpression(node: hbs.AST.SubExpression): void {
    this.#call(node);
    super.SubExpression(node);
  }

  override Hash(hash: hbs.AST.Hash): void {
    for (const { key, value } of hash.pairs) if (holders.has(key)) this.#add(value);
    super.Hash(hash);
  }

  #call({ path, params: [first] }: hbs.AST.MustacheStatement | hbs.AST.SubExpression): void {
    if (first && 'original' in path && /^(href|src|url)$/.test(String(path.original))) this.#add(first);
  }

  #add(value: hbs.AST.Expression): void {
    const text = textOfExpression(value);
    if (isAddress(text)) this.addresses.push({ line: value.loc.start.line, text, method: null, isBeginning: true });
  }
}

/** Text of `"/shop"` or `(concat "/shop/" id)`. */
function textOfExpression(node: hbs.AST.Expression): string {
  if (node.type === 'StringLiteral') return (node as hbs.AST.StringLiteral).value;
  if (node.type !== 'SubExpression') return UNKNOWN;
  const { path, params } = node as hbs.AST.SubExpression;
  return 'original' in path && path.original === 'concat' ? params.map(textOfExpression).join('') : UNKNOWN;
}

/** Whether a text looks like a path of this site. */
function isAddress(text: string): boolean {
  return /^\/(?:[\w.~%?#-]|$)/.test(text);
}

/** URLs in a source file. */
export interface CodeAddresses {
  /** URLs that the code requests, shows or links to. */
  readonly used: readonly WrittenAddress[];
  /** URLs in data that may belong to shipped pages. */
  readonly shipped: readonly string[];
}

/**
 * Finds the URLs in a source file.
 *
 * @param options `isData`: whether it ships records, such as pages and menus
 * @throws Error if it can't be parsed
 */
export function addressesInCode(
  source: string,
  options: { readonly tsx: boolean; readonly isData: boolean },
): CodeAddresses {
  const program: unknown = parseSync(source, { syntax: 'typescript', tsx: options.tsx, target: 'es2024' });
  const bytes = Buffer.from(source);
  const used: WrittenAddress[] = [];
  const shipped: string[] = [];
  const add = ({ node, text }: WrittenText, method: Method, isBeginning: boolean, isFinal = false): void => {
    if (isAddress(text)) used.push({ line: lineAt(bytes, spanOf(node)[0]), text, method, isBeginning, isFinal });
  };
  // Menus contain links; other records may be the pages they link to.
  const menus = options.isData ? [...nodesIn(program)].filter(isMenuData).flatMap((call) => [...nodesIn(call)]) : [];
  const inMenus = new Set(menus);
  for (const node of nodesIn(program)) {
    if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') {
      const [literal] = textsOf(node);
      if (!literal) continue;
      used.push(...addressesInMarkup(literal.text, lineAt(bytes, spanOf(node)[0])));
      if (inMenus.has(node)) add(literal, 'GET', false);
      else if (options.isData && isAddress(literal.text)) shipped.push(literal.text);
      continue;
    }
    if (options.isData) continue;
    const isWhole = node.type === 'CallExpression' || node.type === 'JSXAttribute';
    const isFinal = node.type === 'JSXAttribute' || finalAskers.has(askerIn(node));
    for (const [value, method] of valuesAt(node))
      for (const text of textsOf(value)) add(text, method, !isWhole, isFinal);
  }
  return { used, shipped };
}

/** `data(WebsiteMenu, …)` */
function isMenuData(node: AstNode): boolean {
  const [model] = argumentsOf(node);
  return node.type === 'CallExpression' && identifier(node.callee) === 'data' && /Menu$/.test(identifier(model) ?? '');
}

/** Name of the called function, or an empty text. */
function askerIn(node: AstNode): string {
  const callee = unwrap(node.callee);
  return identifier(callee) ?? identifier(callee?.property) ?? '';
}

/** Expressions in a node whose values are URLs. */
function valuesAt(node: AstNode): (readonly [value: unknown, method: Method])[] {
  switch (node.type) {
    case 'CallExpression': {
      const method = askers.get(askerIn(node));
      return method === undefined ? [] : [[argumentsOf(node)[0], method]];
    }
    case 'KeyValueProperty':
      return holders.has(identifier(node.key) ?? '') ? [[node.value, null]] : [];
    case 'JSXAttribute': {
      const { value } = node as AstNode & { readonly value?: AstNode };
      return holders.has(identifier(node.name) ?? '') ? [[value?.expression ?? value, null]] : [];
    }
    case 'VariableDeclarator':
      return addressName.test(identifier(node.id) ?? '') ? answersOf(node.init) : [];
    case 'FunctionDeclaration':
      return addressName.test(identifier(node.identifier) ?? '') ? answersOf(node) : [];
    case 'ClassMethod':
      return addressName.test(identifier(node.key) ?? '') ? answersOf(node.function) : [];
    default:
      return [];
  }
}

/** The value itself, or the results of a function. */
function answersOf(value: unknown): [value: unknown, method: Method][] {
  const body = unwrap(unwrap(value)?.body);
  if (!body) return [[value, null]];
  if (body?.type !== 'BlockStatement') return [[body, null]];
  return [...nodesIn(body)].filter(({ type }) => type === 'ReturnStatement').map(({ argument }) => [argument, null]);
}

interface WrittenText {
  readonly node: AstNode;
  readonly text: string;
}

/** Texts an expression can evaluate to, including both branches of a condition. */
function textsOf(value: unknown): WrittenText[] {
  const node = unwrap(value);
  if (!node) return [];
  if (node.type === 'ConditionalExpression') return [...textsOf(node.consequent), ...textsOf(node.alternate)];
  if (node.type === 'BinaryExpression') {
    if (node.operator === '??' || node.operator === '||') return [...textsOf(node.left), ...textsOf(node.right)];
    const [left] = node.operator === '+' ? textsOf(node.left) : [];
    const [right] = textsOf(node.right);
    return left ? [{ node: left.node, text: left.text + (right?.text ?? UNKNOWN) }] : [];
  }
  if (node.type === 'TemplateLiteral') {
    const text = nodes(node.quasis).map(({ cooked }) => String(cooked));
    return [{ node, text: text.join(UNKNOWN) }];
  }
  const text = node.type === 'StringLiteral' ? textOf(node) : null;
  return text === null ? [] : [{ node, text }];
}
