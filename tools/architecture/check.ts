import { join } from 'node:path';
import { checkBrowser } from './browser.ts';
import { checkCode } from './code.ts';
import { checkErrors } from './errors.ts';
import { checkImports, checkManifests } from './imports.ts';
import type { Violation } from './problem.ts';
import { checkRefs } from './refs.ts';
import { readSources, type Sources } from './sources.ts';

/**
 * Checks the sources in `root` (its `core/` and `addons/`) and the addons in `more` against the rules of `docs/architecture.md`. Returns
 * every violation, sorted by file and line.
 *
 * A comment on the same or the previous line exempts a place, with a reason:
 *
 * ```ts
 * // architecture-exempt(secret-compared): a token of the template's grammar, no secret
 * if (token === next) …
 * ```
 *
 * @param folders limits the check to these folders; all by default
 */
export function checkArchitecture(
  root: string,
  more: readonly string[] = [],
  folders?: readonly string[],
): Violation[] {
  const sources = readSources(root, [join(root, 'addons'), ...more], folders);
  const violations = [
    ...sources.problems,
    ...checkManifests(sources),
    ...checkImports(sources),
    ...checkBrowser(sources),
    ...checkCode(sources),
    ...checkErrors(sources),
    ...checkRefs(sources),
  ];
  const exemptions = readExemptions(sources);
  const usedExemptions = new Set<Exemption>();
  const remaining = violations.filter((problem) => {
    const candidates = exemptions.filter(({ file, rule }) => file === problem.file && rule === problem.rule);
    const match = candidates.find(({ line }) => line === problem.line || line === problem.line - 1);
    if (match !== undefined) usedExemptions.add(match);
    return match === undefined;
  });
  const unused = exemptions.filter((exemption) => !usedExemptions.has(exemption)).map(unusedExemption);
  return [...remaining, ...unused].sort((a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line);
}

interface Exemption {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
}

function readExemptions({ checked }: Sources): Exemption[] {
  return checked
    .filter((source) => !source.isTest)
    .flatMap(({ file, lines }) =>
      lines.flatMap((text, index) => {
        // ignores examples in doc comments
        const rule = /^(?!\s*\*)(?:.*\s)?\/\/ architecture-exempt\(([a-z-]+)\): \S.{9,}$/.exec(text);
        return rule === null ? [] : [{ file, line: index + 1, rule: rule[1] ?? '' }];
      }),
    );
}

function unusedExemption({ file, line, rule }: Exemption): Violation {
  const message = `Neither this line nor the next violates the rule "${rule}".`;
  return { rule: 'exemption', file, line, message, remedy: 'Remove the comment.' };
}
