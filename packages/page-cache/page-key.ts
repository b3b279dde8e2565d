import type { PageQuestion } from './types.ts';

/** What a page is kept under: everything its content may depend on that no table tells. Two questions with one key get one page. */
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

/** Groups as part of a key, in any order the same. */
export function groupKey(groups: ReadonlySet<string>): string {
  return [...groups].sort().join(' ');
}
