import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Expression, type ObjectExpression, type Program, parseSync } from 'oxc-parser';
import type { Problem } from '../base/index.ts';
import type { Manifest } from './addon.ts';

/** Members that are read without running an addon. */
export const manifestMembers = [
  'name',
  'title',
  'summary',
  'version',
  'category',
  'icon',
  'depends',
  'permanent',
  'auto',
] as const satisfies readonly (keyof Manifest)[];

/** The manifest as written in an addon's definition; its values aren't checked yet. */
export interface WrittenManifest {
  readonly values: Readonly<Partial<Record<(typeof manifestMembers)[number], unknown>>>;
  /** Why it can't be read, or only in part. */
  readonly faults: readonly Pick<Problem, 'line' | 'message' | 'remedy'>[];
}

type Value = Expression | Program['body'][number] | null | undefined;

/**
 * Reads the manifest from the text of an addon's definition. Runs none of its code, so only fixed values can be read: the loaded definition
 * is compared with them.
 *
 * @param folder folder of the addon
 * @param file `addon.ts` or `addon.js`
 */
export function readManifest(folder: string, file: string): WrittenManifest {
  const source = readFileSync(join(folder, file), 'utf8');
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length;
  const { program, errors } = parseSync(file, source, { sourceType: 'module' });
  const [error] = errors;
  if (error) {
    const [label] = error.labels;
    const message = `cannot be loaded: ${error.message}`;
    return { values: {}, faults: [{ message, ...(label ? { line: lineAt(label.start) } : {}) }] };
  }
  const exported = defaultExport(program);
  const remedy = 'Write `export default defineAddon({ name, title, … })`.';
  if (!exported) return { values: {}, faults: [{ message: 'exports no addon.', remedy }] };
  const definition = objectIn(exported, program);
  if (!definition) {
    const message = 'has a definition that can’t be read without running it.';
    return { values: {}, faults: [{ line: lineAt(exported.start), message, remedy }] };
  }
  const values: Record<string, unknown> = {};
  const faults: WrittenManifest['faults'][number][] = [];
  for (const property of definition.properties) {
    const key = property.type === 'Property' ? keyOf(property) : undefined;
    const member = manifestMembers.find((name) => name === key);
    if (!member || property.type !== 'Property') continue;
    const value = literal(property.value);
    if (value !== undefined) values[member] = value;
    else
      faults.push({
        line: lineAt(property.start),
        message: `\`${member}\` can’t be read without running the code.`,
        remedy: 'Write its value there, without variables and calls.',
      });
  }
  return { values, faults };
}

function defaultExport({ body }: Program): Expression | null {
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') return statement.declaration as Expression;
    if (statement.type !== 'ExportNamedDeclaration' || statement.source) continue;
    for (const { exported, local } of statement.specifiers)
      if ('name' in exported && exported.name === 'default') return local as Expression;
  }
  return null;
}

/** The object that an expression stands for, also as a constant of the file, or as what a function such as `defineAddon` is given. */
function objectIn(expression: Value, program: Program, depth = 0): ObjectExpression | null {
  const inner = unwrapped(expression);
  if (!inner || depth > 4) return null;
  if (inner.type === 'ObjectExpression') return inner;
  if (inner.type === 'CallExpression') return objectIn(inner.arguments[0] as Value, program, depth + 1);
  return inner.type === 'Identifier' ? objectIn(initialValue(inner.name, program), program, depth + 1) : null;
}

function initialValue(name: string, { body }: Program): Value {
  const declarations = body.flatMap((statement) =>
    statement.type === 'VariableDeclaration' ? statement.declarations : [],
  );
  return declarations.find(({ id }) => id.type === 'Identifier' && id.name === name)?.init;
}

function unwrapped(expression: Value): Value {
  const isWrapper =
    expression?.type === 'TSAsExpression' ||
    expression?.type === 'TSSatisfiesExpression' ||
    expression?.type === 'ParenthesizedExpression';
  return isWrapper ? unwrapped(expression.expression) : expression;
}

function keyOf({ key, computed }: Extract<ObjectExpression['properties'][number], { type: 'Property' }>): unknown {
  if (key.type === 'Literal') return key.value;
  return key.type === 'Identifier' && !computed ? key.name : undefined;
}

/** Value of a literal or a list of literals; undefined for anything else. */
function literal(expression: Value): unknown {
  const inner = unwrapped(expression);
  if (inner?.type === 'Literal') return inner.value ?? undefined;
  if (inner?.type === 'TemplateLiteral')
    return inner.expressions.length === 0 ? inner.quasis[0]?.value.cooked : undefined;
  if (inner?.type !== 'ArrayExpression') return undefined;
  const values = inner.elements.map((element) => literal(element as Value));
  return values.includes(undefined) ? undefined : values;
}
