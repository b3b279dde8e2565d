import { didYouMean, type Problem } from '@pergola/core';
import Handlebars from 'handlebars';
import { type Mustache, maskMustaches, SourceError } from '../source/mustaches.ts';
import { lineAt } from '../source/source.ts';

const positions = ['before', 'after', 'inside', 'prepend', 'replace', 'attributes', 'remove'] as const;
export type Position = (typeof positions)[number];

/** One `{{#at …}}…{{/at}}` of a patch file. */
export interface Change {
  readonly addon: string;
  /** Relative to the addon's folder. */
  readonly file: string;
  readonly line: number;
  /** The template to change. */
  readonly target: string;
  readonly selector: string;
  readonly position: Position;
  /** Content to insert, as Handlebars source. */
  readonly content: string;
  /** First line of the content. */
  readonly contentLine: number;
}

/** Selectors that read text, which differs from language to language. */
const textual = /:i?contains\(|\[\s*(title|alt|placeholder|aria-label|label)\s*[~|^$*]?=/;

export interface PatchFile {
  readonly addon: string;
  readonly target: string;
  readonly file: string;
  readonly source: string;
}

/** Parses a patch file into its changes in order, and its problems. */
export function readPatchFile(patch: PatchFile): { changes: Change[]; problems: Problem[] } {
  const { addon, file, source } = patch;
  const problems: Problem[] = [];
  const changes: Change[] = [];
  const report = (offset: number, message: string, remedy?: string): void => {
    problems.push({ addon, file, line: lineAt(source, offset), message, remedy });
  };
  try {
    for (const { open, close } of atBlocks(source, report)) {
      const change = readChange(patch, open, close, report);
      if (change) changes.push(change);
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    report(error.offset, `${error.message}.`, 'Close it.');
  }
  return { changes, problems };
}

type Report = (offset: number, message: string, remedy?: string) => void;

/** Top-level blocks of a patch file, all of which have to be `{{#at}}`. */
function atBlocks(source: string, report: Report): { open: Mustache; close: Mustache }[] {
  const blocks: { open: Mustache; close: Mustache }[] = [];
  const stack: Mustache[] = [];
  let outside = 0;
  const checkBetween = (end: number): void => {
    const text = source.slice(outside, end).search(/\S/);
    if (text >= 0)
      report(
        outside + text,
        'This stands outside of every {{#at}}.',
        'Put it into a block that says where it belongs.',
      );
  };
  for (const mustache of maskMustaches(source).mustaches) {
    const { kind, start, end } = mustache;
    if (stack.length === 0) checkBetween(start);
    if (kind === 'open') {
      if (stack.length > 0 && mustache.name === 'at')
        report(start, '{{#at}} stands inside another one.', 'Write them one after the other.');
      stack.push(mustache);
    } else if (kind === 'close') {
      const open = stack.pop();
      if (!open) report(start, `${source.slice(start, end)} closes nothing.`);
      else if (stack.length === 0 && open.name === 'at') blocks.push({ open, close: mustache });
      else if (stack.length === 0)
        report(open.start, `${source.slice(open.start, open.end)} stands outside of every {{#at}}.`);
    } else if (stack.length === 0 && kind !== 'comment')
      report(start, `${source.slice(start, end)} stands outside of every {{#at}}.`);
    else if (kind === 'else' && stack.length === 1) report(start, '{{#at}} has no {{else}}.');
    if (stack.length === 0) outside = end;
  }
  const [unclosed] = stack;
  if (unclosed)
    report(unclosed.start, `${source.slice(unclosed.start, unclosed.end)} is not closed.`, 'Write {{/at}}.');
  else checkBetween(source.length);
  return blocks;
}

function readChange(patch: PatchFile, open: Mustache, close: Mustache, report: Report): Change | undefined {
  const { addon, target, file, source } = patch;
  const say = (message: string, remedy?: string): undefined => {
    report(open.start, message, remedy);
    return undefined;
  };
  const call = readCall(source.slice(open.start, open.end));
  if (!call)
    return say(
      '{{#at}} takes a selector and a position, both written out, and nothing else.',
      'Write {{#at "selector" "position"}}.',
    );
  const { selector, position } = call;
  const validPosition = positions.find((name) => name === position);
  if (!validPosition)
    return say(
      `There is no position "${position}".`,
      didYouMean(position, positions) || `Positions are ${positions.join(', ')}.`,
    );
  if (textual.test(selector)) {
    return say(
      `"${selector}" selects by a text that is another one in every language.`,
      'Select by data-slot, id, class or name.',
    );
  }
  const { content, start } = contentBetween(source, open, close);
  const wantsContent = validPosition !== 'remove';
  if (wantsContent !== (content.trim() !== '')) {
    return say(
      wantsContent ? `"${validPosition}" has nothing to put there.` : `"${validPosition}" takes no content.`,
      wantsContent ? 'To take a node away, use "remove".' : undefined,
    );
  }
  const [line, contentLine] = [lineAt(source, open.start), lineAt(source, start)];
  return { addon, file, line, target, selector, position: validPosition, content, contentLine };
}

interface AtCall {
  readonly selector: string;
  readonly position: string;
}

function readCall(mustache: string): AtCall | undefined {
  let program: hbs.AST.Program;
  try {
    program = Handlebars.parse(`${mustache}{{/at}}`);
  } catch {
    return undefined;
  }
  const [block] = program.body;
  if (block?.type !== 'BlockStatement' || !('params' in block) || !Array.isArray(block.params)) return undefined;
  const [selector, position, ...more] = block.params.map(literal);
  const hasOptions = 'hash' in block && block.hash !== undefined;
  if (typeof selector !== 'string' || typeof position !== 'string' || more.length > 0 || hasOptions) return undefined;
  return { selector, position };
}

function literal(node: unknown): unknown {
  return typeof node === 'object' && node !== null && 'value' in node ? node.value : undefined;
}

/** Content of a block; a tag alone on its line is removed with the line break, as in Handlebars. */
function contentBetween(source: string, open: Mustache, close: Mustache): { content: string; start: number } {
  const lead = /^[ \t]*\r?\n/.exec(source.slice(open.end, close.start))?.[0] ?? '';
  const start = open.end + lead.length;
  const isAlone = /^[ \t]*(\r?\n|$)/.test(source.slice(close.end));
  const body = source.slice(start, close.start);
  return { content: isAlone ? body.replace(/(^|\n)[ \t]+$/, '$1') : body, start };
}
