import { parseSync } from '@swc/core';
import { type AstNode, argumentsOf, identifier, isNode, nodes, spanOf, textOf, unwrap } from '../syntax-tree.ts';

/**
 * Rewrites a module so that the classes of models, mixins and extensions have named types. Otherwise the compiler would write out each type
 * with all methods and fields below it, which exceeds its limit.
 *
 * ```ts
 * class Book extends model('library.book', { … }, { mixins: [Seo] }) {}
 * export const LentPartner = extend(Partner, { … }, (Base) => class extends Base { … });
 * // becomes
 * class Book extends BookBase {}
 * export const LentPartner: ModelRef<LentPartnerMethods> = extend(…);
 * const BookFields = { … };
 * const BookBase: ReturnType<typeof model<'library.book', typeof BookFields, readonly [typeof Seo]>> = model('library.book', BookFields, {
 * mixins: [Seo] });
 * declare const LentPartnerBase: …;
 * class LentPartnerMethods extends LentPartnerBase { … }
 * ```
 *
 * Only the types are valid, not the code: the result is for emitting declarations.
 */
export function named(source: string): string {
  const bytes = Buffer.from(source);
  const program: unknown = parseSync(source, { syntax: 'typescript', tsx: false, target: 'es2024' });
  if (!isNode(program)) return source;
  const text = (node: AstNode): string => textBetween(...spanOf(node));
  const textBetween = (start: number, end: number): string => bytes.subarray(start, end).toString();
  const parts: Buffer[] = [];
  // Appended, so that doc comments stay with their classes.
  const added: string[] = [];
  let position = 0;
  const replace = (start: number, end: number, replacement: string): void => {
    parts.push(bytes.subarray(position, start), Buffer.from(replacement));
    position = end;
  };
  for (const statement of nodes(program.body)) {
    const model = modelIn(statement);
    if (model) {
      const { call, className, name, fields, mixins, furtherArguments } = model;
      const type = `ReturnType<typeof model<${text(name)}, typeof ${className}Fields, ${listOf(mixins, text)}>>`;
      const callArguments = [`${className}Fields`, ...furtherArguments.map(text)].join(', ');
      replace(...spanOf(call), `${className}Base`);
      added.push(
        `const ${className}Fields = ${text(fields)} as const;`,
        `const ${className}Base: ${type} = model(${text(name)}, ${callArguments});`,
      );
    }
    for (const { constant, callee, first, fields, body, mixins } of layersIn(statement)) {
      const name = identifier(constant) ?? '';
      const [, end] = spanOf(constant);
      replace(end, end, `: import('pergola').ModelRef<${name}Methods>`);
      const baseType = callee === 'mixin' ? text(first) : `RecordBelow<typeof ${text(first)}>`;
      const parameters = [baseType, `typeof ${name}Fields`, ...(callee === 'mixin' ? [] : [listOf(mixins, text)])];
      const extension = `NonNullable<Parameters<typeof ${callee}<${parameters.join(', ')}>>[2]>`;
      added.push(
        `const ${name}Fields = ${text(fields)} as const;`,
        `declare const ${name}Base: Parameters<${extension}>[0];`,
        `class ${name}Methods extends ${name}Base ${body ? textBetween(...body) : '{}'}`,
      );
      if (callee === 'extend') added.push(recordType);
    }
  }
  return `${Buffer.concat([...parts, bytes.subarray(position)])}\n${[...new Set(added)].join('\n')}\n`;
}

const recordType = "type RecordBelow<R> = R extends import('pergola').ModelRef<infer I> ? I : never;";

function listOf(mixins: readonly AstNode[], text: (node: AstNode) => string): string {
  return `readonly [${mixins.map((mixin) => `typeof ${text(mixin)}`).join(', ')}]`;
}

interface ModelCall {
  readonly call: AstNode;
  readonly className: string;
  readonly name: AstNode;
  readonly fields: AstNode;
  readonly mixins: readonly AstNode[];
  /** Arguments after the fields. */
  readonly furtherArguments: readonly AstNode[];
}

/** The call of `model` that a class extends, if its name and fields are written inline. */
function modelIn(statement: AstNode): ModelCall | null {
  const declaration = isNode(statement.declaration) ? statement.declaration : statement;
  if (declaration.type !== 'ClassDeclaration') return null;
  const call = unwrap(declaration.superClass);
  const className = identifier(declaration.identifier);
  if (!className || call?.type !== 'CallExpression' || identifier(call.callee) !== 'model') return null;
  const [name, fields, ...furtherArguments] = argumentsOf(call).map(unwrap);
  if (!name || textOf(name) === null || fields?.type !== 'ObjectExpression') return null;
  return {
    call,
    className,
    name,
    fields,
    mixins: mixinsOf(furtherArguments[0]),
    furtherArguments: furtherArguments.flatMap((argument) => argument ?? []),
  };
}

/** A mixin or extension held by a module constant. */
interface Layer {
  readonly constant: AstNode;
  readonly callee: 'extend' | 'mixin';
  /** The extended model, or the mixin's name. */
  readonly first: AstNode;
  readonly fields: AstNode;
  /** Start and end of the body of the class with its methods; null without methods. */
  readonly body: readonly [number, number] | null;
  readonly mixins: readonly AstNode[];
}

/** Calls of `extend` and `mixin` whose fields and methods are written inline. */
function* layersIn(statement: AstNode): Generator<Layer> {
  const declaration = isNode(statement.declaration) ? statement.declaration : statement;
  if (declaration.type !== 'VariableDeclaration') return;
  for (const { id, init } of nodes(declaration.declarations)) {
    const call = unwrap(init);
    if (call?.type !== 'CallExpression' || !isNode(id) || isNode(id.typeAnnotation)) continue;
    const callee = identifier(call.callee);
    const [first, fields, methods, options] = argumentsOf(call).map(unwrap);
    if ((callee !== 'extend' && callee !== 'mixin') || !identifier(id)) continue;
    if (!first || fields?.type !== 'ObjectExpression') continue;
    const body = methods && identifier(methods) !== 'undefined' ? classBody(methods) : null;
    if (body === undefined) continue;
    yield { constant: id, callee, first, fields, body, mixins: mixinsOf(options) };
  }
}

/** Span of the class body in `(Base) => class extends Base { … }`; undefined for anything else. */
function classBody(methods: AstNode): readonly [number, number] | undefined {
  const classNode = methods.type === 'ArrowFunctionExpression' ? unwrap(methods.body) : undefined;
  const base = unwrap(classNode?.superClass);
  if (classNode?.type !== 'ClassExpression' || !base) return undefined;
  return [spanOf(base)[1], spanOf(classNode)[1]];
}

function mixinsOf(options: AstNode | undefined): AstNode[] {
  const list = unwrap(nodes(options?.properties).find(({ key }) => identifier(key) === 'mixins')?.value);
  const elements: readonly unknown[] = Array.isArray(list?.elements) ? list.elements : [];
  return elements.flatMap((element) => {
    const mixin = isNode(element) ? element : unwrap((element as { readonly expression?: unknown } | null)?.expression);
    return mixin ?? [];
  });
}
