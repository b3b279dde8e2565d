import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import { reachable } from '@pergola/core';
import { BUILTIN, INDIRECT } from '@pergola/islands';
import type { Import } from './parse.ts';
import type { Violation } from './problem.ts';
import { isProps, type Source, type Sources, target } from './sources.ts';

/**
 * Browser code includes every file it imports by value, directly or indirectly. None of them may import server code, and props schemas only
 * by type (a schema turns an island of 0.2 KB into one of 92 KB). Violations are reported at the browser file's import that leads there.
 */
export function checkBrowser(sources: Sources): Violation[] {
  const browser = sources.checked.filter(({ isBrowser }) => isBrowser);
  const starts = browser.map((source): Chain => ({ source, files: [nameOf(source)], first: null }));
  const seen = new Set(browser);
  const problems = new Map<string, Violation>();
  for (const chain of reachable(starts, (way) => [...nextOf(way, sources, seen)])) {
    for (const imported of valueImports(chain.source)) {
      const problem = forbidden(chain, imported);
      const place = `${problem?.file}:${problem?.line}`;
      // One import that leads to several violations is one mistake.
      if (problem !== null && !(problems.has(place) && chain.first !== null)) problems.set(place, problem);
    }
  }
  return [...problems.values()];
}

/** The import chain from browser code to a file. */
interface Chain {
  readonly source: Source;
  /** Paths from the browser file on, relative to their addon. */
  readonly files: readonly string[];
  /** Import in the browser file that starts the chain; null for the browser file itself. */
  readonly first: { readonly file: string; readonly line: number } | null;
}

function* nextOf({ source, files, first }: Chain, sources: Sources, seen: Set<Source>): Generator<Chain> {
  for (const { specifier, line } of valueImports(source)) {
    const next = specifier.startsWith('.') ? sources.files.get(target(source, specifier)) : undefined;
    if (next === undefined || isProps(specifier) || seen.has(next)) continue;
    seen.add(next);
    yield { source: next, files: [...files, nameOf(next)], first: first ?? { file: source.file, line } };
  }
}

function nameOf({ addon, file, path }: Source): string {
  return addon === null ? file : relative(addon.folder, path);
}

function valueImports({ facts }: Source): Import[] {
  return facts.imports.filter(({ typeOnly }) => !typeOnly);
}

function forbidden({ source, files, first }: Chain, { specifier, line }: Import): Violation | null {
  const place = first ?? { file: source.file, line };
  const way = [...files, specifier].join(' → ');
  if (specifier.startsWith('.') && isProps(specifier)) {
    return {
      rule: 'props-imported-by-value',
      ...place,
      message: `Browser code imports a props schema by value, which sends all of zod to every visitor: ${way}.`,
      remedy: 'Write `import type { … }`, with `type` before the braces.',
    };
  }
  const isServerFace = /^(pergola(\/(?!(browser|zones|islands|html)$).+)?|@pergola\/[^/]+)$/.test(specifier);
  if (!isServerFace && !isBuiltin(specifier)) return null;
  return {
    rule: 'browser-imports-server',
    ...place,
    message: `Browser code imports server-only code: ${way}.`,
    remedy: remedyFor(specifier, isServerFace, first !== null),
  };
}

function remedyFor(specifier: string, isServerFace: boolean, isIndirect: boolean): string {
  if (isIndirect) return INDIRECT;
  return isServerFace
    ? `Import from ${/^pergola($|\/)/.test(specifier) ? 'pergola' : specifier}/browser, or write \`import type\` if only types are needed.`
    : BUILTIN;
}
