import { didYouMean, repository } from '@pergola/core';
import { domainFaults, isFault, type ModelRegistry, parseOrder, resolvePath } from '@pergola/orm';
import type {
  ArrayLiteralExpression,
  CallExpression,
  Expression,
  Node,
  ObjectLiteralExpression,
} from 'typescript/unstable/ast';
import {
  isArrayLiteralExpression,
  isCallExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import type { Project, Type } from 'typescript/unstable/sync';
import type { CodeFault } from './code-faults.ts';

/** Arguments of model methods that contain field names. */
const ARGUMENTS: Readonly<Record<string, readonly ('domain' | 'options' | 'values' | null)[]>> = {
  find: ['domain', 'options'],
  first: ['domain', 'options'],
  search: ['domain', 'options'],
  count: ['domain'],
  group: ['domain', 'options'],
  get: [null, 'options'],
  read: [null, 'options'],
  create: ['values'],
  write: [null, 'values'],
  copy: [null, 'values'],
};

/**
 * Finds field names in model calls that the models don't have: in domains, also across relations, and in `select`, `order`, `by` and
 * values. The compiler doesn't check paths with dots, and gives no suggestions for the rest.
 */
export class FieldFaults {
  readonly #project: Project;
  readonly #models: ModelRegistry;
  #names: ReadonlyMap<number, string> | null = null;

  constructor(project: Project, models: ModelRegistry) {
    this.#project = project;
    this.#models = models;
  }

  in(call: CallExpression): CodeFault[] {
    const { expression } = call;
    const unknown = this.#unknownModel(call);
    if (unknown) return [unknown];
    if (!isPropertyAccessExpression(expression) || !Object.hasOwn(ARGUMENTS, expression.name.text)) return [];
    const kinds = ARGUMENTS[expression.name.text] ?? [];
    const isWritten = kinds.some((kind, index) => kind !== null && isLiteral(call.arguments[index]));
    const model = isWritten ? this.#modelOf(expression.expression) : undefined;
    if (model === undefined || !this.#models.get(model)) return [];
    return kinds.flatMap((kind, index) => {
      const argument = call.arguments[index];
      if (!argument || kind === null) return [];
      if (kind === 'domain') return isArrayLiteralExpression(argument) ? this.#inDomain(model, argument) : [];
      if (kind === 'options') return isObjectLiteralExpression(argument) ? this.#inOptions(model, argument) : [];
      return listOf(argument).flatMap((values) => this.#inValues(model, values));
    });
  }

  #fieldsOf = (model: string) => this.#models.get(model)?.fields;

  #inDomain(model: string, domain: ArrayLiteralExpression): CodeFault[] {
    return domain.elements.flatMap((term): CodeFault[] => {
      if (!isArrayLiteralExpression(term)) return [];
      const [path, operator, value] = term.elements;
      if (!path || !operator || !isStringLiteral(path) || !isStringLiteral(operator)) return [];
      const [fault] = domainFaults(this.#fieldsOf, model, [[path.text, operator.text, textsOf(value)]]);
      if (!fault) return [];
      return [{ node: fault.message.includes('is never') && value ? value : path, message: sentence(fault) }];
    });
  }

  #inOptions(model: string, options: ObjectLiteralExpression): CodeFault[] {
    return options.properties.filter(isPropertyAssignment).flatMap(({ name, initializer }): CodeFault[] => {
      const option = name.getText();
      if (option === 'select') return this.#inSelect(model, initializer);
      if (option === 'order' && isStringLiteral(initializer))
        return (parseOrder(initializer.text) ?? []).flatMap(({ path }) => this.#unknown(model, path, initializer));
      if ((option !== 'by' && option !== 'aggregates') || !isArrayLiteralExpression(initializer)) return [];
      return initializer.elements
        .filter(isStringLiteral)
        .filter(({ text }) => text !== '__count')
        .flatMap((entry) => this.#unknown(model, (entry.text.split(':')[0] ?? '').split('.'), entry));
    });
  }

  #inSelect(model: string, select: Expression): CodeFault[] {
    return entriesOf(select).flatMap(({ name, node, value }): CodeFault[] => {
      const fault = this.#unknown(model, [name], node);
      const target = this.#fieldsOf(model)?.get(name)?.relation?.to;
      return fault.length > 0 || target === undefined || !value ? fault : this.#inSelect(target, value);
    });
  }

  #inValues(model: string, values: Expression): CodeFault[] {
    return entriesOf(values).flatMap(({ name, node, value }): CodeFault[] => {
      const fault = this.#unknown(model, [name], node);
      const target = this.#fieldsOf(model)?.get(name)?.relation?.to;
      if (fault.length > 0 || target === undefined || !value || !isArrayLiteralExpression(value)) return fault;
      // Commands for x2many lines: `{ create: { … } }`, `{ update: 3, values: { … } }`.
      return value.elements.flatMap((command) =>
        entriesOf(command)
          .filter((entry) => entry.name === 'create' || entry.name === 'values')
          .flatMap((entry) => (entry.value ? this.#inValues(target, entry.value) : [])),
      );
    });
  }

  #unknown(model: string, path: readonly string[], node: Node): CodeFault[] {
    const resolved = resolvePath(this.#fieldsOf, model, path);
    return isFault(resolved) ? [{ node, message: sentence(resolved) }] : [];
  }

  /** Checks `ctx.modelNamed('shop.ordr')`; names without a similar one may belong to addons that aren't installed. */
  #unknownModel({ expression, arguments: [name] }: CallExpression): CodeFault | null {
    const isNamed = isPropertyAccessExpression(expression) && expression.name.text === 'modelNamed';
    if (!isNamed || !name || !isStringLiteral(name) || this.#models.get(name.text)) return null;
    const remedy = didYouMean(name.text, this.#models.models.keys());
    return remedy === '' ? null : { node: name, message: `There is no model “${name.text}”. ${remedy}` };
  }

  /** Name of the model that an expression refers to. */
  #modelOf(receiver: Expression): string | undefined {
    if (isCallExpression(receiver) && isPropertyAccessExpression(receiver.expression)) {
      const [name] = receiver.arguments;
      if (receiver.expression.name.text === 'modelNamed' && name && isStringLiteral(name)) return name.text;
    }
    const type = this.#project.checker.getTypeAtLocation(receiver);
    return type && this.#nameOf(type);
  }

  #nameOf(type: Type): string | undefined {
    const { checker } = this.#project;
    const symbol = type.getSymbol();
    const name = symbol && this.#modelNames().get(symbol.id);
    if (name !== undefined) return name;
    if (type.isTypeParameter()) {
      const constraint = checker.getBaseConstraintOfType(type);
      return constraint && this.#nameOf(constraint);
    }
    const types = type.isIntersectionType() ? type.getTypes() : type.isClassOrInterface() ? type.getBaseTypes() : [];
    for (const part of types ?? []) {
      const modelName = this.#nameOf(part);
      if (modelName !== undefined) return modelName;
    }
    return undefined;
  }

  /** Model names by the symbols of their classes, from `interface Models` of the core. */
  #modelNames(): ReadonlyMap<number, string> {
    if (this.#names) return this.#names;
    const { checker, program } = this.#project;
    const names = new Map<number, string>();
    let declaration: Node | undefined;
    program.getSourceFile(`${repository}/packages/orm/types.ts`)?.forEachChild((node) => {
      if (isInterfaceDeclaration(node) && node.name.text === 'Models') declaration = node.name;
    });
    const symbol = declaration && checker.getSymbolAtLocation(declaration);
    for (const property of symbol ? checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)) : []) {
      const model = checker.getTypeOfSymbol(property)?.getSymbol();
      if (model) names.set(model.id, property.name);
    }
    this.#names = names;
    return names;
  }
}

interface Entry {
  readonly name: string;
  readonly node: Node;
  readonly value: Expression | undefined;
}

function entriesOf(list: Expression): Entry[] {
  if (!isObjectLiteralExpression(list)) return [];
  return list.properties.flatMap((node): Entry[] => {
    if (isShorthandPropertyAssignment(node)) return [{ name: node.name.getText(), node, value: undefined }];
    if (!isPropertyAssignment(node)) return [];
    const { name, initializer: value } = node;
    if (!isIdentifier(name) && !isStringLiteral(name)) return [];
    return [{ name: name.getText().replace(/^['"]|['"]$/g, ''), node, value }];
  });
}

function isLiteral(node: Expression | undefined): boolean {
  return node !== undefined && (isArrayLiteralExpression(node) || isObjectLiteralExpression(node));
}

function listOf(values: Expression): readonly Expression[] {
  return isArrayLiteralExpression(values) ? values.elements : [values];
}

/** String or list of strings that a field is compared with; undefined for anything else. */
function textsOf(value: Expression | undefined): unknown {
  if (!value) return undefined;
  if (isArrayLiteralExpression(value)) return value.elements.map(textsOf);
  return isStringLiteral(value) ? value.text : undefined;
}

function sentence({ message, remedy }: { readonly message: string; readonly remedy: string }): string {
  return `${message} ${remedy}`.trim();
}
