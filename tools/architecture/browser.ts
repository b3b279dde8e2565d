import { isBuiltin } from 'node:module';
import type { Import } from './parse.ts';
import type { Violation } from './problem.ts';
import { isProps, type Source, type Sources, target } from './sources.ts';

/**
 * What browser code takes along: itself and every file it imports by value, and so on. None of them may import what is for the server, and
 * props schemas only by type (a schema makes an island of 0.2 KB one of 92 KB).
 */
export function checkBrowser(sources: Sources): Violation[] {
  const problems: Violation[] = [];
  const seen = new Map<Source, string>();
  const walk = (source: Source, via: string): void => {
    if (seen.has(source)) return;
    seen.set(source, via);
    for (const imported of source.facts.imports.filter(({ typeOnly }) => !typeOnly)) {
      const problem = forbidden(source, imported, via);
      if (problem !== null) problems.push(problem);
      const next = imported.specifier.startsWith('.')
        ? sources.files.get(target(source, imported.specifier))
        : undefined;
      if (problem === null && next !== undefined) walk(next, via === '' ? source.file : via);
    }
  };
  const browser = [...sources.files.values()].filter(({ isBrowser }) => isBrowser);
  for (const source of browser) walk(source, '');
  return problems;
}

function forbidden(source: Source, { specifier, line }: Import, via: string): Violation | null {
  const place = { file: source.file, line };
  const who =
    via === '' || source.isBrowser ? 'Browser code' : `This file, which is browser code too (${via} imports it),`;
  if (specifier.startsWith('.') && isProps(specifier)) {
    const message = `${who} imports "${specifier}" by value, which takes all of zod to every visitor.`;
    return {
      rule: 'props-imported-by-value',
      ...place,
      message,
      remedy: 'Write `import type { … }`, with the word before the braces.',
    };
  }
  const isServerFace = /^#(core|core\/testing|addons\/[^/]+)$/.test(specifier);
  if (!isServerFace && !isBuiltin(specifier)) return null;
  return {
    rule: 'browser-imports-server',
    ...place,
    message: `${who} imports "${specifier}", which only the server has.`,
    remedy: isServerFace
      ? `Import from ${specifier.replace('/testing', '')}/browser, or write \`import type\` when only types are needed.`
      : 'Do without it, or move what needs it to a file that browser code does not import.',
  };
}
