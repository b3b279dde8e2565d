import type { PageQuestion } from './types.ts';

/** Cache key of a page: everything its content may depend on apart from tables. Questions with the same key get the same page. */
export function pageKey(question: PageQuestion): string {
  return JSON.stringify([
    question.generation.number,
    question.origin,
    question.visitedPath,
    question.path,
    question.query,
    question.lang,
    question.timezone,
    question.attributes,
    question.session,
    groupKey(question.groups),
  ]);
}

/** Groups as part of a key, independent of their order. */
export function groupKey(groups: ReadonlySet<string>): string {
  return [...groups].sort().join(' ');
}
