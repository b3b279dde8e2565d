import { parseSync } from '@swc/core';
import {
  type AstNode,
  argumentsOf,
  identifier,
  isNode,
  isObject,
  nodes,
  nodesIn,
  textOf,
  unwrap,
} from '../syntax-tree.ts';

/** Source text of a TypeScript file, which can add imports and list elements where a person would. */
export class EditedSource {
  #bytes: Buffer;

  constructor(source: string) {
    this.#bytes = Buffer.from(source);
  }

  get text(): string {
    return this.#bytes.toString();
  }

  /**
   * Adds an element to a list in the object passed to `defineAddon`, creating the list if necessary.
   *
   * @returns false if the file doesn't call `defineAddon` with an object
   */
  addToAddon(list: string, element: string): boolean {
    const object = this.#addonObject();
    if (!object) return false;
    const property = nodes(object.properties).find((candidate) => nameOf(candidate) === list);
    if (property?.type === 'Identifier') this.#insert(endOf(property), `: [...${list}, ${element}]`);
    else if (property) this.#append(property.value, element);
    else
      this.#insert(
        endOfProperty(nodes(object.properties).at(-1)),
        `, ${list}: ${element.startsWith('...') ? element.slice(3) : `[${element}]`}`,
      );
    return true;
  }

  /** Adds an element to an exported list, `export const lists = […]`; returns false if the file has no such export. */
  addToExport(list: string, element: string): boolean {
    const declarator = this.#nodes().find(({ type, id }) => type === 'VariableDeclarator' && identifier(id) === list);
    if (!declarator) return false;
    this.#append(unwrap(declarator.init), element);
    return true;
  }

  /** String elements of a list in the object passed to `defineAddon`. */
  textsOf(list: string): string[] {
    const property = nodes(this.#addonObject()?.properties).find((candidate) => nameOf(candidate) === list);
    const value = unwrap(property?.value);
    return elementsOf(value).flatMap((element) => textOf(element) ?? []);
  }

  /** String value of a property in the object passed to `defineAddon`, such as the version. */
  textOf(property: string): string | null {
    return textOf(nodes(this.#addonObject()?.properties).find((candidate) => nameOf(candidate) === property)?.value);
  }

  /** Replaces the string value of a property in the object passed to `defineAddon`. */
  setText(property: string, text: string): void {
    const value = nodes(this.#addonObject()?.properties).find((candidate) => nameOf(candidate) === property)?.value;
    if (isNode(value)) this.#replace(startOf(value), endOf(value), `'${text}'`);
  }

  /**
   * Imports a name unless it is already imported from there.
   *
   * @returns false if the file uses the name for something else
   */
  addImport(name: string, from: string): boolean {
    const imports = this.#body().filter(({ type }) => type === 'ImportDeclaration');
    const owner = imports.find(({ specifiers }) => nodes(specifiers).some(({ local }) => identifier(local) === name));
    if (owner) return textOf(owner.source) === from;
    const declared = this.#nodes().some(({ type, id, identifier: className }) =>
      type === 'VariableDeclarator'
        ? identifier(id) === name
        : type === 'ClassDeclaration' && identifier(className) === name,
    );
    if (declared) return false;
    const existingImport = imports.find(({ source, typeOnly }) => textOf(source) === from && typeOnly !== true);
    const last = nodes(existingImport?.specifiers).at(-1);
    if (last?.type === 'ImportSpecifier') this.#insert(endOf(last), `, ${name}`);
    else {
      const end = endOf(imports.at(-1));
      this.#insert(end, `${end ? '\n' : ''}import { ${name} } from '${from}';${end ? '' : '\n'}`);
    }
    return true;
  }

  /** Appends statements. */
  addStatements(text: string): void {
    this.#bytes = Buffer.concat([this.#bytes, Buffer.from(`\n${text}`)]);
  }

  /** Fields of the file's first model: their names, and the function of `f` that creates each. */
  modelFields(): { readonly name: string; readonly kind: string }[] {
    const call = this.#nodes().find(({ type, callee }) => type === 'CallExpression' && identifier(callee) === 'model');
    const fields = call ? unwrap(argumentsOf(call)[1]) : undefined;
    return nodes(fields?.properties).flatMap((property) => {
      const value = unwrap(property.value);
      const name = nameOf(property);
      const kind = isNode(value?.callee) ? identifier(value.callee.property) : undefined;
      return name && kind ? [{ name, kind }] : [];
    });
  }

  #program(): AstNode {
    const program: unknown = parseSync(this.text, { syntax: 'typescript', tsx: true, target: 'es2024' });
    if (!isNode(program)) throw new Error('swc parsed no program.');
    return program;
  }

  #body(): AstNode[] {
    return nodes(this.#program().body);
  }

  #nodes(): AstNode[] {
    return [...nodesIn(this.#program())];
  }

  #addonObject(): AstNode | undefined {
    const call = this.#nodes().find(
      ({ type, callee }) => type === 'CallExpression' && identifier(callee) === 'defineAddon',
    );
    const object = call ? unwrap(argumentsOf(call)[0]) : undefined;
    return object?.type === 'ObjectExpression' ? object : undefined;
  }

  #append(list: unknown, element: string): void {
    if (!isNode(list)) return;
    const array = unwrap(list);
    const last = elementsOf(array).at(-1);
    if (array?.type !== 'ArrayExpression') {
      const text = this.#bytes.subarray(startOf(list), endOf(list)).toString();
      this.#replace(startOf(list), endOf(list), `[...${/^\w+$/.test(text) ? text : `(${text})`}, ${element}]`);
    } else if (last) this.#insert(endOf(last), `, ${element}`);
    else this.#replace(startOf(array), endOf(array), `[${element}]`);
  }

  #insert(offset: number, text: string): void {
    this.#replace(offset, offset, text);
  }

  #replace(start: number, end: number, text: string): void {
    this.#bytes = Buffer.concat([this.#bytes.subarray(0, start), Buffer.from(text), this.#bytes.subarray(end)]);
  }
}

function nameOf(property: AstNode): string | undefined {
  return property.type === 'Identifier'
    ? identifier(property)
    : (identifier(property.key) ?? textOf(property.key) ?? undefined);
}

function elementsOf(array: AstNode | undefined): AstNode[] {
  if (array?.type !== 'ArrayExpression' || !Array.isArray(array.elements)) return [];
  return array.elements.flatMap((element: unknown) =>
    isObject(element) && isNode(element.expression) ? [element.expression] : [],
  );
}

/** swc gives no span for a property with a value. */
function endOfProperty(property: AstNode | undefined): number {
  return endOf(isNode(property?.value) ? property.value : property);
}

/** Byte offset of a node; swc offsets start at 1. */
function startOf(node: AstNode | undefined): number {
  return isObject(node?.span) ? Number(node.span.start) - 1 : 0;
}

function endOf(node: AstNode | undefined): number {
  return isObject(node?.span) ? Number(node.span.end) - 1 : 0;
}
