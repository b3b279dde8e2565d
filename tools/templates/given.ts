import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { didYouMean, isInside, repository } from '@pergola/core';
import type { ModelRegistry } from '@pergola/orm';
import type { CallExpression, Expression, Node, ObjectLiteralExpression, SourceFile } from 'typescript/unstable/ast';
import {
  isArrayLiteralExpression,
  isCallExpression,
  isIdentifier,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import type { Project, Type } from 'typescript/unstable/sync';
import { type CodeFault, descendants, unreadNames } from './code-faults.ts';
import { FieldFaults } from './field-faults.ts';
import { emptyShape, type Shape, unknownShape } from './reading.ts';
import { TypeShapes } from './shape-of-type.ts';
import type { Fault, Place } from './sources.ts';
import { WritesInReads } from './writes.ts';

/** A place in the code that passes values to a template. */
export interface Given extends Place {
  /** Template id as written, which may not exist. */
  readonly template: string;
  readonly values: Shape;
}

/** Values that code passes to templates, according to the compiler. */
export class GivenValues {
  readonly given: readonly Given[];
  /** Unread options and query values, writes in read-only code, and fields that models don't have. */
  readonly faults: readonly Fault[];

  /**
   * @param folders reads the code in these folders, except tests; by default each project's folder
   * @param reportFolders reports only problems in these folders; by default in all that are read
   * @param models models for checking field names, or null to skip that
   */
  constructor(
    projects: readonly Project[],
    templates: ReadonlySet<string>,
    models: ModelRegistry | null,
    folders?: readonly string[],
    reportFolders?: readonly string[],
  ) {
    const faults: Fault[] = [];
    this.given = projects.flatMap((project) => {
      // Files imported from the repository by an outside addon are read with the repository.
      const readFolders = folders ?? [dirname(project.configFileName)];
      const reader = new ProjectReader(project, templates, faults, models);
      return reader.given(
        (file) => readFolders.some((folder) => isInside(folder, file) && isRead(relative(folder, file))),
        (file) => reportFolders?.some((folder) => isInside(folder, file)) ?? true,
      );
    });
    this.faults = faults;
  }
}

/** Whether to read a file, given relative to its folder. */
function isRead(file: string): boolean {
  return !/(^|\/)(node_modules|tests|fixtures|bench|dist)\//.test(file);
}

class ProjectReader {
  readonly #project: Project;
  readonly #templates: ReadonlySet<string>;
  readonly #shapes: TypeShapes;

  readonly #faults: Fault[];

  readonly #fields: FieldFaults | null;
  readonly #writes: WritesInReads;

  constructor(project: Project, templates: ReadonlySet<string>, faults: Fault[], models: ModelRegistry | null) {
    this.#project = project;
    this.#faults = faults;
    this.#templates = templates;
    this.#shapes = new TypeShapes(project);
    this.#writes = new WritesInReads(project);
    this.#fields = models && new FieldFaults(project, models);
  }

  given(isRead: (file: string) => boolean, isAsked: (file: string) => boolean): Given[] {
    const files = this.#project.program.getSourceFileNames().filter((file) => isRead(file) && this.#speaksOf(file));
    return files.flatMap((file) => {
      const source = this.#project.program.getSourceFile(file);
      return source ? [...this.#in(source, isAsked(file))] : [];
    });
  }

  #speaksOf(file: string): boolean {
    const text = readFileSync(file, 'utf8');
    return (
      /\b(render(Fragment)?|block|fragment|query|route|modelNamed|find|first|search|count|group|create|write)\b/.test(
        text,
      ) || text.match(/(?<=['"])\w+\.[\w.-]+(?=['"])/g)?.some((id) => this.#templates.has(id)) === true
    );
  }

  *#in(source: SourceFile, isAsked: boolean): Generator<Given> {
    const lineOf = (node: Node): number => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const file = relative(repository, source.fileName);
    for (const node of descendants(source)) {
      const faults =
        isAsked && isCallExpression(node)
          ? [
              ...unreadNames(node),
              ...this.#writes.in(node),
              ...(this.#fields?.in(node) ?? []),
              ...this.#unfilledSubject(node),
              ...this.#promisesGiven(node),
            ]
          : [];
      for (const { node: place, message } of faults) this.#faults.push({ file, line: lineOf(place), message });
      for (const { templates, values } of this.#atNode(node)) {
        for (const template of templates) yield { template, values, file, line: lineOf(node) };
      }
    }
  }

  /** Promises passed as template values without `await`: pages would show “[object Promise]”. */
  #promisesGiven(call: CallExpression): CodeFault[] {
    const values = call.arguments[1];
    if (!values || !isRender(call)) return [];
    const type = this.#typeAt(values);
    if (!type) return [];
    const { checker } = this.#project;
    return checker.getPropertiesOfType(type).flatMap((property) => {
      const valueType = checker.getTypeOfSymbol(property);
      if (!valueType || !this.#shapes.isPromise(valueType)) return [];
      const assignment = isObjectLiteralExpression(values)
        ? values.properties.find(
            (entry) =>
              (isPropertyAssignment(entry) || isShorthandPropertyAssignment(entry)) &&
              entry.name.getText() === property.name,
          )
        : undefined;
      return [
        { node: assignment ?? values, message: `The value “${property.name}” is a promise. Put await before it.` },
      ];
    });
  }

  /** Placeholders in a mail's subject without a value: `mail<{ event: string }>('…', { subject: 'Soon: {evnet}', … })`. */
  #unfilledSubject(call: CallExpression): CodeFault[] {
    const definition = call.arguments[1];
    if (!isIdentifier(call.expression) || call.expression.text !== 'mail' || !definition) return [];
    const subject = isObjectLiteralExpression(definition)
      ? definition.properties.filter(isPropertyAssignment).find(({ name }) => name.getText() === 'subject')?.initializer
      : undefined;
    if (!subject || !isStringLiteral(subject)) return [];
    const values = this.#ofCall(call, definition);
    return [...subject.text.matchAll(/\{(\w+)\}/g)]
      .map(([, name = '']) => name)
      .filter((name) => !values.get(name))
      .map((name) => {
        const message = `Readers see “{${name}}” unchanged in the subject: the mail has no value with that name.`;
        return { node: subject, message: `${message} ${didYouMean(name, values.names())}`.trim() };
      });
  }

  /** Templates named at a node with their values: `unknownShape` if unknown. */
  *#atNode(node: Node): Generator<{ templates: readonly string[]; values: Shape }> {
    if (isCallExpression(node)) {
      const [template, values] = node.arguments;
      if (isRender(node)) {
        const shape = values ? this.#shapes.of(this.#typeAt(values)) : emptyShape;
        // Keeps a literal id that doesn't exist, so that it is reported.
        const isWrong = template && isStringLiteral(template) && !this.#templates.has(template.text);
        yield { templates: isWrong ? [template.text] : this.#idsOf(template), values: shape };
      } else if (template && isStringLiteral(template) && this.#takesTemplate(node))
        yield { templates: this.#idsOf(template), values: this.#ofCall(node, template) };
    } else if (isPropertyAssignment(node) && isObjectLiteralExpression(node.parent)) {
      const name = node.name.getText();
      if (name === 'template')
        yield { templates: this.#idsOf(node.initializer), values: this.#valuesNextTo(node.parent) };
      if (name === 'publicTemplates' && isArrayLiteralExpression(node.initializer))
        yield { templates: node.initializer.elements.flatMap((element) => this.#idsOf(element)), values: unknownShape };
    }
  }

  #takesTemplate(call: CallExpression): boolean {
    return this.#project.checker.getResolvedSignature(call)?.getParameters()[0]?.name === 'template';
  }

  /** Templates that a string type, or a function's result, can name; empty if it could be any. */
  #idsOf(node: Node | undefined): string[] {
    const type = this.#typeAt(node);
    const signature = type && this.#shapes.signatureOf(type);
    const texts = signature ? this.#project.checker.getReturnTypeOfSignature(signature) : type;
    const types = texts?.isUnionType() ? (texts.getTypes() ?? []) : texts ? [texts] : [];
    const ids = types.flatMap((member) => (member.isStringLiteralType() ? [String(member.value)] : []));
    return ids.length < this.#templates.size ? ids.filter((id) => this.#templates.has(id)) : [];
  }

  /** Values next to `template: …` in an object, or passed to the call that receives the object. */
  #valuesNextTo(list: ObjectLiteralExpression): Shape {
    const values = this.#property(list, 'values');
    if (values) return this.#shapes.of(values);
    const load = this.#property(list, 'load');
    if (load) return this.#shapes.resultOf(load);
    return isCallExpression(list.parent) ? this.#ofCall(list.parent, list) : unknownShape;
  }

  /**
   * Values of a call that names a template in an argument: the type of `$` in its result, or the result of the function in the next
   * argument.
   */
  #ofCall(call: CallExpression, argument: Expression): Shape {
    const resultType = this.#typeAt(call);
    const marker = resultType && this.#project.checker.getPropertyOfType(resultType, '$');
    if (marker) return this.#shapes.of(this.#project.checker.getTypeOfSymbol(marker));
    const next = this.#typeAt(call.arguments[call.arguments.indexOf(argument) + 1]);
    return next && this.#shapes.signatureOf(next) ? this.#shapes.resultOf(next) : unknownShape;
  }

  #property(list: ObjectLiteralExpression, name: string): Type | undefined {
    for (const property of list.properties) {
      const isIt =
        (isPropertyAssignment(property) || isShorthandPropertyAssignment(property)) && property.name.getText() === name;
      if (isIt) return this.#typeAt(isPropertyAssignment(property) ? property.initializer : property.name);
    }
    return undefined;
  }

  #typeAt(node: Node | undefined): Type | undefined {
    return node && this.#project.checker.getTypeAtLocation(node);
  }
}

/** Whether this is `render(…)` or `input.renderFragment(…)`. */
export function isRender({ expression }: CallExpression): boolean {
  const name = isPropertyAccessExpression(expression) ? expression.name : expression;
  return isIdentifier(name) && (name.text === 'render' || name.text === 'renderFragment');
}
