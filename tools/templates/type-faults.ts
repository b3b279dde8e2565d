import { relative } from 'node:path';
import { isInside, repository } from '@pergola/core';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { isCallExpression, isStringLiteral } from 'typescript/unstable/ast/is';
import type { Diagnostic, Project } from 'typescript/unstable/sync';
import { descendants } from './code-faults.ts';
import { isRender } from './given.ts';
import type { Fault } from './sources.ts';

/**
 * Compiler errors in a folder, each reduced to one sentence, at most one per line of code; only the errors in the project's settings if
 * there are any. Omits consequences of other problems: errors on the same line, and values for a template that uses a name without a value,
 * since then the template is wrong, not the code.
 *
 * @param knownFaults problems found by other checks
 */
export function typeFaults(
  { program, configFileName }: Project,
  folder: string,
  knownFaults: readonly Fault[],
): Fault[] {
  const lines = new Set(knownFaults.map(({ file, line }) => `${file}:${line}`));
  const wrongTemplates = new Set(knownFaults.flatMap(({ template }) => template ?? []));
  // Skips global diagnostics, for which the compiler would check all code.
  const settings = [...program.getConfigFileParsingDiagnostics(), ...program.getProgramDiagnostics()];
  if (settings.length > 0)
    return settings.map((diagnostic) => ({
      file: relative(repository, configFileName),
      line: 1,
      message: innermostReason(diagnostic),
    }));
  const files = program.getSourceFileNames().filter((file) => isInside(folder, file));
  const faults = files.flatMap((path) => {
    const source = program.getSourceFile(path);
    const diagnostics = [...program.getSyntacticDiagnostics(path), ...program.getSemanticDiagnostics(path)];
    return source ? diagnostics.flatMap((diagnostic) => faultOf(diagnostic, source, wrongTemplates) ?? []) : [];
  });
  return faults.filter(({ file, line }) => {
    const place = `${file}:${line}`;
    const isNew = !lines.has(place);
    lines.add(place);
    return isNew;
  });
}

function faultOf(diagnostic: Diagnostic, source: SourceFile, wrongTemplates: ReadonlySet<string>): Fault | null {
  const { pos } = diagnostic;
  const place = {
    file: relative(repository, source.fileName),
    line: source.getLineAndCharacterOfPosition(pos).line + 1,
  };
  const reason = innermostReason(diagnostic);
  const template = templateAt(source, pos);
  const message = template === null ? null : valueFault(template, reason);
  if (message !== null && template !== null && wrongTemplates.has(template)) return null;
  return { ...place, message: message ?? reason };
}

/** Template id of the innermost `render('…', …)` around a position. */
function templateAt(source: SourceFile, pos: number): string | null {
  let template: string | null = null;
  const isAround = (node: Node): boolean => node.getStart(source) <= pos && pos < node.getEnd();
  for (const node of descendants(source)) {
    if (!isCallExpression(node) || !isAround(node) || !isRender(node)) continue;
    const [id] = node.arguments;
    if (id && isStringLiteral(id)) template = id.text;
  }
  return template;
}

/** Describes an error in the values for a template; null for any other error. */
function valueFault(template: string, reason: string): string | null {
  const [, strange] =
    /^Object literal may only specify known properties,.*?'([^']+)' does not exist/.exec(reason) ?? [];
  if (strange !== undefined) {
    const [, suggestion] = /Did you mean to write '([^']+)'\?$/.exec(reason) ?? [];
    const remedy = suggestion === undefined ? 'Remove it, or use it in the template.' : `Did you mean “${suggestion}”?`;
    return `${template} doesn't use “${strange}”. ${remedy}`;
  }
  const [, missingName, several] =
    /^Property '([^']+)' is missing in type|is missing the following properties from type .*: (.+)$/.exec(reason) ?? [];
  const missing = missingName ?? several;
  return missing === undefined ? null : `${template} uses “${missing}”, which isn't passed here. Pass a value.`;
}

/** The innermost reason in a chain of type errors, because the outer ones don't help. */
function innermostReason({ text, messageChain = [] }: Diagnostic): string {
  const [deeper] = messageChain;
  return deeper ? innermostReason(deeper) : text;
}
