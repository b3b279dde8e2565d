import { type AstNode, argumentsOf, identifier, nodes, textOf, unwrap } from '../syntax-tree.ts';
import { errors } from '../texts/scan-code.ts';

/** A `{name}` placeholder in a text without a matching value. */
export interface Unfilled {
  readonly node: AstNode;
  readonly name: string;
  /** Names of the values that exist. */
  readonly given: readonly string[];
}

type Constants = ReadonlyMap<string, AstNode>;

/**
 * Finds placeholders without a value: `t(ctx, 'At most {most}', { max })`, and the same in errors and their fields. Skips calls whose
 * values aren't written inline: a text may also be marked for translation, `mark('…')`, and get its values later.
 *
 * @param tsx whether the file contains components, whose `t` translates
 */
export function unfilledNames(node: AstNode, constants: Constants, tsx: boolean): Unfilled[] {
  const args = argumentsOf(node);
  const [first, second] = args;
  if (node.type === 'NewExpression') {
    const error = identifier(node.callee) ?? '';
    if (!errors.has(error)) return [];
    const details = unwrap(second);
    // A FieldProblem may get its values where it is caught.
    if (second === undefined) return error === 'FieldProblem' ? [] : unfilledIn([first], [], [], constants);
    if (details?.type !== 'ObjectExpression' || !hasOnlyNames(details)) return [];
    if (error === 'FieldProblem') return unfilledIn([first], [details], [], constants);
    const fields = unwrap(member(details, 'fields'));
    const texts = [first, ...nodes(fields?.properties).map(({ value }) => value)];
    return unfilledIn(texts, [member(details, 'params')], [], constants);
  }
  if (node.type !== 'CallExpression') return [];
  const callee = unwrap(node.callee);
  const name = identifier(callee) ?? identifier(callee?.property);
  const isMark = name === 't' && callee?.type === 'Identifier' && !tsx && second === undefined;
  if (isMark) return [];
  // On the server the first argument is the context.
  const [text, pluralText, third, fourth] = writtenTexts(first, constants).length > 0 ? args : args.slice(1);
  if (name === 't' || name === 'sentence') return unfilledIn([text], [pluralText, third], [], constants);
  return name === 'plural' ? unfilledIn([text, pluralText], [fourth], ['n'], constants) : [];
}

function unfilledIn(
  texts: readonly unknown[],
  values: readonly unknown[],
  always: readonly string[],
  constants: Constants,
): Unfilled[] {
  const namesByObject = values.map(namesOf);
  if (namesByObject.includes(null)) return [];
  const knownNames = [...always, ...namesByObject.flatMap((names) => names ?? [])];
  return texts
    .flatMap((text) => writtenTexts(text, constants))
    .flatMap((node) => {
      const text = (textOf(node) ?? '').split('\u0004').at(-1) ?? '';
      const names = [...text.matchAll(/\{([A-Za-z_]\w*)\}/g)].map(([, inner = '']) => inner);
      return names
        .filter((inner) => !knownNames.includes(inner))
        .map((inner) => ({ node, name: inner, given: knownNames }));
    });
}

/** Property names of an object literal; empty without an object, null if it also spreads other objects. */
function namesOf(values: unknown): readonly string[] | null {
  const node = unwrap(values);
  if (!node) return [];
  return node.type === 'ObjectExpression' && hasOnlyNames(node)
    ? nodes(node.properties).map((property) => nameOf(property) ?? '')
    : null;
}

function hasOnlyNames({ properties }: AstNode): boolean {
  return nodes(properties).every((property) => nameOf(property) !== undefined);
}

/** The name in `name: value`, `'name': value` or `name`. */
function nameOf(property: AstNode): string | undefined {
  return identifier(property) ?? identifier(property.key) ?? textOf(property.key) ?? undefined;
}

function member(object: AstNode, name: string): unknown {
  const property = nodes(object.properties).find((candidate) => nameOf(candidate) === name);
  return property?.type === 'Identifier' ? property : property?.value;
}

/** String literals that an expression can evaluate to: both branches of a condition, or the value of a constant. */
function writtenTexts(value: unknown, constants: Constants): AstNode[] {
  const node = unwrap(value);
  if (!node) return [];
  if (node.type === 'ConditionalExpression')
    return [...writtenTexts(node.consequent, constants), ...writtenTexts(node.alternate, constants)];
  const name = identifier(node);
  if (name !== undefined) return writtenTexts(constants.get(name), new Map());
  return textOf(node) === null ? [] : [node];
}
