import type { Addon } from '@pergola/core';
import { declaredAt, namesIn, type Problem } from '@pergola/core';
import { declarationOf } from './model.ts';
import type { ModelRegistry } from './registry.ts';

/** A model, group, access list or rule declared by an addon, with the name that problems use for it. */
interface Declared {
  readonly name: string;
  readonly declaration: object;
}

/** Adds the file and line of the declaration to problems with models, groups, rights and rules. */
export function placeProblems(problems: readonly Problem[], addons: readonly Addon[]): Problem[] {
  return problems.map((problem) => {
    const addon = addons.find(({ name }) => name === problem.addon);
    if (!addon || problem.file !== undefined) return problem;
    const declared = firstNamed(declaredBy(addon, problem.message), problem.message);
    if (!declared) return problem;
    const words = namesIn(problem.message).filter((name) => name !== declared.name);
    return { ...problem, ...declaredAt(declared.declaration, addon, words) };
  });
}

/** Returns a problem for each model without an access list; an empty list states that this is intended. */
export function modelsWithoutAccess(registry: ModelRegistry, addons: readonly Addon[]): Problem[] {
  const closedModels = [...registry.models.values()].filter(({ name }) => !registry.access.rights.has(name));
  const problems = closedModels.map(({ name, addon }) => ({
    addon,
    message: `“${name}” has no access list, so nobody may read it but code that lifts rights.`,
    remedy:
      'Add `access(…)` to `access` of the addon; one without rights, `access(Model, {})`, says that it is meant so.',
  }));
  return placeProblems(problems, addons);
}

function declaredBy({ definition }: Addon, message: string): Declared[] {
  const { models = [], access = [], rules = [], groups = [] } = definition;
  if (/access list of|an access list for/.test(message))
    return access.map((list) => ({ name: list.model, declaration: list }));
  const rulesAndGroups = [...rules, ...groups].map((declaration) => ({ name: declaration.id, declaration }));
  return [
    ...rulesAndGroups,
    ...models.map(declarationOf).map((model) => ({ name: model?.name ?? '', declaration: model })),
  ];
}

/**
 * Returns the declaration mentioned first in a message, which is the one it is about; of “studio.course” and “studio.course_tag” the
 * longer.
 */
function firstNamed(declared: readonly Declared[], message: string): Declared | undefined {
  const mentioned = declared.filter(({ name }) => name !== '' && message.includes(name));
  const position = ({ name }: Declared): number => message.indexOf(name);
  return mentioned.toSorted((a, b) => position(a) - position(b) || b.name.length - a.name.length)[0];
}
