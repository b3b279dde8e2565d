import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
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
import { API, type Project, type Snapshot, type Type } from 'typescript/unstable/sync';
import { repository } from '../../core/base/addon-folders.ts';
import { descendants, unreadNames, writesInReads } from './code-faults.ts';
import { anything, nothing, type Shape } from './reading.ts';
import { TypeShapes } from './shape-of-type.ts';
import type { Fault, Place } from './sources.ts';

/** A place in the code that gives values to a template. */
export interface Given extends Place {
  /** Its id, as it is written: there may be no such template. */
  readonly template: string;
  readonly values: Shape;
}

/** What the code gives to templates, as the compiler sees it. Its shapes can be asked until it is disposed. */
export class GivenValues {
  readonly given: readonly Given[];
  /** Options and query values that nothing reads, and writes where code only reads. */
  readonly faults: readonly Fault[];
  readonly #api = new API({ cwd: repository });
  readonly #snapshot: Snapshot;

  /** `configs` are the `tsconfig.json` of the projects; `isRead` says which of their files count. */
  constructor(configs: readonly string[], templates: ReadonlySet<string>, isRead: (file: string) => boolean) {
    this.#snapshot = this.#api.updateSnapshot({ openProjects: [...configs] });
    const faults: Fault[] = [];
    this.given = this.#snapshot.getProjects().flatMap((project) => {
      // What an addon outside imports of the repository is read there.
      const folder = dirname(project.configFileName);
      const reader = new ProjectReader(project, templates, faults);
      return reader.given((file) => file.startsWith(folder) && isRead(file));
    });
    this.faults = faults;
  }

  [Symbol.dispose](): void {
    this.#snapshot.dispose();
    this.#api.close();
  }
}

class ProjectReader {
  readonly #project: Project;
  readonly #templates: ReadonlySet<string>;
  readonly #shapes: TypeShapes;

  readonly #faults: Fault[];

  constructor(project: Project, templates: ReadonlySet<string>, faults: Fault[]) {
    this.#project = project;
    this.#faults = faults;
    this.#templates = templates;
    this.#shapes = new TypeShapes(project);
  }

  given(isRead: (file: string) => boolean): Given[] {
    const files = this.#project.program.getSourceFileNames().filter((file) => isRead(file) && this.#speaksOf(file));
    return files.flatMap((file) => {
      const source = this.#project.program.getSourceFile(file);
      return source ? [...this.#in(source)] : [];
    });
  }

  #speaksOf(file: string): boolean {
    const text = readFileSync(file, 'utf8');
    return (
      /\b(render(Fragment)?|block|fragment|query|route)\b/.test(text) ||
      text.match(/(?<=['"])\w+\.[\w.-]+(?=['"])/g)?.some((id) => this.#templates.has(id)) === true
    );
  }

  *#in(source: SourceFile): Generator<Given> {
    const lineOf = (node: Node): number => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const file = relative(repository, source.fileName);
    for (const node of descendants(source)) {
      for (const { node: place, message } of isCallExpression(node)
        ? [...unreadNames(node), ...writesInReads(node)]
        : [])
        this.#faults.push({ file, line: lineOf(place), message });
      for (const { templates, values } of this.#atNode(node)) {
        for (const template of templates) yield { template, values, file, line: lineOf(node) };
      }
    }
  }

  /** Templates that are named, with their values: `anything` where nobody knows them. */
  *#atNode(node: Node): Generator<{ templates: readonly string[]; values: Shape }> {
    if (isCallExpression(node)) {
      const [template, values] = node.arguments;
      if (isRender(node)) {
        const given = values ? this.#shapes.of(this.#typeAt(values)) : nothing;
        // One that is written out and not there is told of.
        const isWrong = template && isStringLiteral(template) && !this.#templates.has(template.text);
        yield { templates: isWrong ? [template.text] : this.#idsOf(template), values: given };
      } else if (template && isStringLiteral(template) && this.#takesTemplate(node))
        yield { templates: this.#idsOf(template), values: this.#ofCall(node, template) };
    } else if (isPropertyAssignment(node) && isObjectLiteralExpression(node.parent)) {
      const name = node.name.getText();
      if (name === 'template') yield { templates: this.#idsOf(node.initializer), values: this.#besides(node.parent) };
      if (name === 'publicTemplates' && isArrayLiteralExpression(node.initializer))
        yield { templates: node.initializer.elements.flatMap((one) => this.#idsOf(one)), values: anything };
    }
  }

  #takesTemplate(call: CallExpression): boolean {
    return this.#project.checker.getResolvedSignature(call)?.getParameters()[0]?.name === 'template';
  }

  /** The templates that a text, or the answer of a function, may name; none where it may be any of them. */
  #idsOf(node: Node | undefined): string[] {
    const type = this.#typeAt(node);
    const answer = type && this.#shapes.signatureOf(type);
    const texts = answer ? this.#project.checker.getReturnTypeOfSignature(answer) : type;
    const types = texts?.isUnionType() ? (texts.getTypes() ?? []) : texts ? [texts] : [];
    const ids = types.flatMap((one) => (one.isStringLiteralType() ? [String(one.value)] : []));
    return ids.length < this.#templates.size ? ids.filter((id) => this.#templates.has(id)) : [];
  }

  /** What stands beside `template: …` in an object, or is given to the call that takes the object. */
  #besides(list: ObjectLiteralExpression): Shape {
    const values = this.#property(list, 'values');
    if (values) return this.#shapes.of(values);
    const load = this.#property(list, 'load');
    if (load) return this.#shapes.answerOf(load);
    return isCallExpression(list.parent) ? this.#ofCall(list.parent, list) : anything;
  }

  /** A call that names a template in one of its arguments: what it makes says in `$` what the template gets, or the next argument is asked for it. */
  #ofCall(call: CallExpression, argument: Expression): Shape {
    const made = this.#typeAt(call);
    const said = made && this.#project.checker.getPropertyOfType(made, '$');
    if (said) return this.#shapes.of(this.#project.checker.getTypeOfSymbol(said));
    const next = this.#typeAt(call.arguments[call.arguments.indexOf(argument) + 1]);
    return next && this.#shapes.signatureOf(next) ? this.#shapes.answerOf(next) : anything;
  }

  #property(list: ObjectLiteralExpression, name: string): Type | undefined {
    for (const one of list.properties) {
      const isIt = (isPropertyAssignment(one) || isShorthandPropertyAssignment(one)) && one.name.getText() === name;
      if (isIt) return this.#typeAt(isPropertyAssignment(one) ? one.initializer : one.name);
    }
    return undefined;
  }

  #typeAt(node: Node | undefined): Type | undefined {
    return node && this.#project.checker.getTypeAtLocation(node);
  }
}

/** `render(…)`, `input.renderFragment(…)`. */
function isRender({ expression }: CallExpression): boolean {
  const name = isPropertyAccessExpression(expression) ? expression.name : expression;
  return isIdentifier(name) && (name.text === 'render' || name.text === 'renderFragment');
}
