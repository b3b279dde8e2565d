import { inOrder } from '../base/index.ts';
import type { Part } from './part.ts';

/**
 * Sorts parts after the parts they need.
 *
 * Needs are matched by name, so a test can replace a part.
 *
 * @throws TypeError naming every problem: duplicate names, needs that aren't listed, circular needs, two parts with the same member of
 * `ctx`.
 */
export function inNeedOrder(parts: readonly Part[]): readonly Part[] {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const problems = [...sameNames(parts), ...missingNeeds(parts, byName), ...sameMembers(parts)];
  const ordered = inOrder(
    parts,
    ({ needs = [] }) => needs.flatMap(({ name }) => byName.get(name) ?? []),
    (circle) => {
      problems.push(`Parts need each other: ${circle.map(({ name }) => name).join(' → ')}.`);
    },
  );
  if (problems.length > 0) throw new TypeError(`parts.ts does not fit:\n${problems.join('\n')}`);
  return ordered;
}

function sameNames(parts: readonly Part[]): string[] {
  return duplicates(parts.map(({ name }) => name)).map((name) => `Two parts are called "${name}".`);
}

function missingNeeds(parts: readonly Part[], byName: ReadonlyMap<string, Part>): string[] {
  return parts.flatMap(({ name, needs = [] }) =>
    needs
      .filter((need) => !byName.has(need.name))
      .map((need) => `Part "${name}" needs part "${need.name}", which is not listed.`),
  );
}

function sameMembers(parts: readonly Part[]): string[] {
  const members = parts.flatMap(({ context = {} }) => Object.keys(context));
  return duplicates(members).map((member) => {
    const owners = parts.filter(({ context = {} }) => member in context).map(({ name }) => `"${name}"`);
    return `Parts ${owners.join(' and ')} both add ctx.${member}.`;
  });
}

function duplicates(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
