import { readFileSync } from 'node:fs';
import ts from 'typescript-for-typedoc';

/** A declaration with its doc comment. */
export interface Declared {
  readonly name: string;
  readonly doc: string;
  /** Its type as written, or empty. */
  readonly type: string;
  readonly optional: boolean;
  /** Names of extended interfaces. */
  readonly parentNames: readonly string[];
  /** Members of an interface or object. */
  readonly members: readonly Declared[];
}

/** Top-level declarations of a file by name. */
export function declaredIn(file: string): ReadonlyMap<string, Declared> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const declarations = source.statements.flatMap((statement): Declared[] => {
    if (ts.isInterfaceDeclaration(statement)) return [asInterface(statement)];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.map((declaration) => ({
      ...plain(declaration.name.getText(), statement),
      members: objectMembers(declaration.initializer),
    }));
  });
  return new Map(declarations.map((declaration) => [declaration.name, declaration]));
}

/** Members of an interface, then the members of the interfaces it extends. */
export function membersOf(name: string, declared: ReadonlyMap<string, Declared>): readonly Declared[] {
  const declaration = declared.get(name);
  return declaration
    ? [...declaration.members, ...declaration.parentNames.flatMap((parentName) => membersOf(parentName, declared))]
    : [];
}

function plain(name: string, node: ts.Node): Declared {
  return { name, doc: docOf(node), type: '', optional: false, parentNames: [], members: [] };
}

function asInterface(node: ts.InterfaceDeclaration): Declared {
  const members = node.members.filter(ts.isPropertySignature).map((member) => ({
    ...plain(member.name.getText(), member),
    type: (member.type?.getText() ?? '').replace(/\s+/g, ' '),
    optional: member.questionToken !== undefined,
  }));
  const parentNames = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(({ expression }) => expression.getText()),
  );
  return { ...plain(node.name.text, node), parentNames, members };
}

/** For a function in an object, the type is taken from its options parameter. */
function objectMembers(node: ts.Expression | undefined): Declared[] {
  const object = node && ts.isCallExpression(node) ? node.arguments[0] : node;
  if (!object || !ts.isObjectLiteralExpression(object)) return [];
  return object.properties.filter(ts.isPropertyAssignment).map((property) => ({
    ...plain(property.name.getText(), property),
    type: ts.isArrowFunction(property.initializer) ? optionsOf(property.initializer) : '',
  }));
}

function optionsOf({ parameters, typeParameters = [] as never }: ts.ArrowFunction): string {
  const options = parameters.find(({ name }) => ['options', 'spec'].includes(name.getText()))?.type?.getText() ?? '';
  const constraint = typeParameters.find(({ name }) => name.text === options)?.constraint?.getText();
  return (constraint ?? options).replace(/\s+/g, ' ');
}

function docOf(node: ts.Node): string {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return ts.getTextOfJSDocComment(docs.at(-1)?.comment) ?? '';
}
