import type { Problem } from '@pergola/core';
import { checkMarkup } from '../check/markup.ts';
import type { HelperRules } from '../helpers/rules.ts';
import { parseSource } from '../source/source.ts';
import { applyChange, type PatchOptions } from './patch.ts';
import type { Change } from './patch-file.ts';

/** A template as shipped by an addon. */
export interface TemplateSource {
  readonly id: string;
  /** Relative to the addon's folder. */
  readonly file: string;
  readonly source: string;
}

/**
 * Applies changes to one template, each to the result of the previous ones. A change that can't be applied is reported and skipped; so is
 * one whose result browsers would parse differently (a `<div>` inside a `<p>`). `known` contains the faults of the sources themselves,
 * which aren't blamed on any change.
 */
export function inherit(
  source: string,
  changes: readonly Change[],
  helpers: HelperRules,
  knownMessages: ReadonlySet<string>,
): { source: string; problems: Problem[] } {
  const problems: Problem[] = [];
  let current = source;
  let parsed = parseSource(source);
  for (const change of changes) {
    const result = applyChange(parsed, change);
    if ('fault' in result) {
      problems.push(changeProblem(change, result.fault, result.remedy));
      continue;
    }
    if (result.source === current) continue;
    const next = parseSource(result.source);
    const broken = checkMarkup(next, helpers).find(({ message }) => !knownMessages.has(message));
    if (broken) {
      problems.push(
        changeProblem(
          change,
          `After this change, ${change.target} is no sound markup: ${broken.message}`,
          broken.remedy,
        ),
      );
      continue;
    }
    [current, parsed] = [result.source, next];
  }
  return { source: current, problems };
}

function changeProblem({ addon, file, line }: Change, message: string, remedy?: string): Problem {
  return { addon, file, line, message, remedy };
}

/**
 * The same in another language: translation doesn't change the elements, so no new faults can appear. With `owner`, what each change inserts
 * is marked as markup of its addon.
 */
export function inheritTranslated(source: string, changes: readonly Change[], owner?: string): string {
  return applyAll(source, changes, { owner });
}

/** The final source with comments naming the addon of each addition, change and removal. Skips changes that can't be applied. */
export function annotate(source: string, changes: readonly Change[]): string {
  return applyAll(source, changes, { annotate: true });
}

function applyAll(source: string, changes: readonly Change[], options: PatchOptions): string {
  return changes.reduce((current, change) => {
    const result = applyChange(parseSource(current), change, options);
    return 'fault' in result ? current : result.source;
  }, source);
}
