import { createHash } from 'node:crypto';
import { flowOf, textsOfPatch, textsOfTemplate, withoutIndentation } from '@pergola/pages';
import { type AnyNode, isTag, isText } from 'domhandler';
import Handlebars from 'handlebars';
import { parseDocument } from 'htmlparser2';
import { conditions, untouched } from './tree.ts';

/**
 * Returns the first difference between two sources of a template that readers of the page or translators would notice, or undefined.
 * Renders each sixteen times with the same choices for conditions and loops and compares the HTML; values, partials and helpers appear as
 * words. Whitespace counts where it is visible.
 */
export function firstDifference(before: string, after: string, isPatch: boolean): string | undefined {
  const [a, b] = [before, after].map((source) => Handlebars.parse(withoutIndentation(source)));
  const textsOf = isPatch ? textsOfPatch : textsOfTemplate;
  const [textsBefore, textsAfter] = [before, after].map((source) => textsOf(source).map(({ id }) => id));
  const different = differenceOf(textsBefore ?? [], textsAfter ?? []);
  for (let round = 0; round < 16 && a && b && !different; round++) {
    const difference = differenceOf(new Play(round).pages(a), new Play(round).pages(b));
    if (difference) return difference;
  }
  return different;
}

function differenceOf(before: readonly string[], after: readonly string[]): string | undefined {
  const mismatch = before.findIndex((part, index) => part !== after[index]);
  if (mismatch < 0 && before.length === after.length) return undefined;
  const place = mismatch < 0 ? before.length : mismatch;
  const excerpt = (parts: readonly string[]): string => parts.slice(Math.max(0, place - 4), place + 3).join('');
  return `${JSON.stringify(excerpt(before))} became ${JSON.stringify(excerpt(after))}`;
}

/** One run through a template. Content shown elsewhere (in `{{#*inline}}` and `{{#> layout}}`) counts as a separate page. */
class Play {
  readonly #pages: string[] = [];
  readonly #conditions: string[] = [];
  readonly #round: number;
  #choices = 0;

  constructor(round: number) {
    this.#round = round;
  }

  pages(program: hbs.AST.Program): string[] {
    this.#page(program);
    return [...this.#conditions, ...this.#pages.flatMap((html) => tokensOf(html))];
  }

  /**
   * The surroundings of a page are unknown, so they are treated as words. A page always ends with a line break, unless its last block
   * removes it.
   */
  #page(program: hbs.AST.Program, end = ''): void {
    this.#pages.push(`x${this.#show(program)}${end}`);
  }

  #show(program: hbs.AST.Program | undefined): string {
    return (program?.body ?? []).map((statement) => this.#statement(statement)).join('');
  }

  #statement(statement: Statement): string {
    const { type, program, inverse, value, ...expression } = statement;
    if (type === 'ContentStatement') return String(value);
    if (type === 'CommentStatement') {
      this.#conditions.push(String(value).replace(/\s+/g, ' '));
      return '';
    }
    const word = `${type.slice(0, 4)}${hash(JSON.stringify(expression, withoutPlaces)).toString('hex').slice(0, 8)}`;
    const name = expression.path?.original ?? '';
    if (!program) return name === 'csrf' ? '<input type="hidden">' : word;
    this.#conditions.push(word);
    if (type === 'DecoratorBlock' || type === 'PartialBlockStatement' || name === 'at') {
      this.#page(program, type === 'DecoratorBlock' ? 'x' : '');
      return type === 'PartialBlockStatement' ? word : name === 'at' ? '<hr>' : '';
    }
    const times = this.#choose() % (conditions.has(name) ? 2 : 3);
    return times === 0 ? this.#show(inverse) : this.#show(program).repeat(times);
  }

  /** The first two runs take no branch or every branch; the others choose by hash. */
  #choose(): number {
    if (this.#round < 2) return this.#round;
    this.#choices++;
    return hash(`${this.#round} ${this.#choices}`)[0] ?? 0;
  }
}

interface Statement extends hbs.AST.Statement {
  readonly value?: unknown;
  readonly program?: hbs.AST.Program;
  readonly inverse?: hbs.AST.Program;
  readonly path?: { readonly original?: string };
}

function hash(text: string): Buffer {
  return createHash('md5').update(text).digest();
}

function withoutPlaces(key: string, value: unknown): unknown {
  return ['loc', 'strip', 'openStrip', 'closeStrip', 'inverseStrip', 'indent', 'chained'].includes(key)
    ? undefined
    : value;
}

/** Splits HTML into tags and words, with a token for each visible space. */
function tokensOf(html: string): string[] {
  const tokens: string[] = [];
  let isSpaced = false;
  let isInLine = false;
  const show = (token: string): void => {
    if (isSpaced && isInLine) tokens.push(' ');
    tokens.push(token);
    [isSpaced, isInLine] = [false, true];
  };
  const edge = (): void => {
    [isSpaced, isInLine] = [false, false];
  };
  const visit = (node: AnyNode): void => {
    if (isText(node)) {
      for (const [run] of node.data.matchAll(/\s+|\S+/g)) {
        if (/\S/.test(run)) show(run);
        else isSpaced = true;
      }
    } else if (isTag(node)) {
      const inSvg = node.parent && isTag(node.parent) && ['svg', 'g', 'defs', 'symbol'].includes(node.parent.name);
      const flow = inSvg ? 'block' : flowOf(node.name, node.attribs);
      const pairs = Object.entries(node.attribs).map(
        ([name, value]) => ` ${name}="${name === 'class' ? value.replace(/\s+/g, ' ').trim() : value}"`,
      );
      const open = `<${node.name}${pairs.join('')}>`;
      if (flow === 'unseen') tokens.push(open);
      else if (flow === 'block') {
        edge();
        tokens.push(open);
      } else show(open);
      if (untouched.has(node.name)) for (const child of node.children) tokens.push(isText(child) ? child.data : '');
      else {
        const outer = [isSpaced, isInLine] as const;
        if (flow !== 'inline') edge();
        for (const child of node.children) visit(child);
        if (flow === 'unseen') [isSpaced, isInLine] = outer;
        else if (flow !== 'inline') edge();
      }
      if (flow === 'inline' && node.children.length > 0) show(`</${node.name}>`);
      else tokens.push(`</${node.name}>`);
      if (flow === 'boxed') isInLine = true;
    } else if ('data' in node) tokens.push(String(node.data));
  };
  for (const node of parseDocument(html, { recognizeSelfClosing: true }).childNodes) visit(node);
  return tokens;
}
