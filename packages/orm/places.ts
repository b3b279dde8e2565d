import type { Addon } from '@pergola/core';
import { declaredAt, namesIn, type Problem } from '@pergola/core';
import { declarationOf } from './model.ts';
import type { ModelRegistry } from './registry.ts';

/** What an addon declares of models, groups, rights and rules, by the name that problems call it. */
interface Declared {
  readonly name: string;
  readonly made: object;
}

/** These problems of models, groups, rights and rules, each with the file and line of the declaration that it is about. */
export function placeProblems(problems: readonly Problem[], addons: readonly Addon[]): Problem[] {
  return problems.map((problem) => {
    const addon = addons.find(({ name }) => name === problem.addon);
    if (!addon || problem.file !== undefined) return problem;
    const found = firstNamed(declaredBy(addon, problem.message), problem.message);
    if (!found) return problem;
    const words = namesIn(problem.message).filter((name) => name !== found.name);
    return { ...problem, ...declaredAt(found.made, addon, words) };
  });
}

/** Models for which nobody wrote an access list. Whoever means it writes an empty one. */
export function modelsWithoutAccess(registry: ModelRegistry, addons: readonly Addon[]): Problem[] {
  const found = [...registry.models.values()].filter(({ name }) => !registry.access.rights.has(name));
  const problems = found.map(({ name, addon }) => ({
    addon,
    message: `“${name}” has no access list, so nobody may read it but code that lifts rights.`,
    remedy:
      'Add `access(…)` to `access` of the addon; one without rights, `access(Model, {})`, says that it is meant so.',
  }));
  return placeProblems(problems, addons);
}

function declaredBy({ definition }: Addon, message: string): Declared[] {
  const { models = [], access = [], rules = [], groups = [] } = definition;
  if (/access list of|an access list for/.test(message)) return access.map((made) => ({ name: made.model, made }));
  const named = [...rules, ...groups].map((made) => ({ name: made.id, made }));
  return [...named, ...models.map(declarationOf).map((made) => ({ name: made?.name ?? '', made }))];
}

/** The declaration a message names first, since it is about that; of “studio.course” and “studio.course_tag” the longer. */
function firstNamed(declared: readonly Declared[], message: string): Declared | undefined {
  const named = declared.filter(({ name }) => name !== '' && message.includes(name));
  const position = ({ name }: Declared): number => message.indexOf(name);
  return named.toSorted((a, b) => position(a) - position(b) || b.name.length - a.name.length)[0];
}
