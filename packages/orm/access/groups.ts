import type { Addon } from '@pergola/core';
import { didYouMean, type Problem, reachable, wayBack } from '@pergola/core';
import type { GroupDefinition } from './define.ts';

/** Groups by id, with everything they imply (themselves included). */
export type Groups = ReadonlyMap<string, OwnedGroup & { readonly all: ReadonlySet<string> }>;

interface OwnedGroup extends GroupDefinition {
  readonly addon: string;
}

/**
 * The groups of these addons by id, each with everything it implies. Problems: an id twice, an implied group that is not there, groups that imply
 * each other in a circle.
 */
export function buildGroups(addons: readonly Addon[]): { groups: Groups; problems: Problem[] } {
  const owned = new Map<string, OwnedGroup>();
  const problems: Problem[] = [];
  for (const { name: addon, definition } of addons) {
    for (const group of definition.groups ?? []) {
      if (!owned.has(group.id)) owned.set(group.id, { ...group, addon });
    }
  }
  for (const group of [...owned.values()]) problems.push(...joinOthers(group, owned));
  for (const group of owned.values()) problems.push(...problemsOf(group, owned));
  const implied = (id: string) => owned.get(id)?.implies ?? [];
  const groups = new Map([...owned].map(([id, group]) => [id, { ...group, all: reachable([id], implied) }]));
  return { groups, problems };
}

/** Writes down with the groups named in `impliedBy` that they imply this one. */
function joinOthers(group: OwnedGroup, owned: Map<string, OwnedGroup>): Problem[] {
  return (group.impliedBy ?? []).flatMap((id): Problem[] => {
    const other = owned.get(id);
    if (!other) {
      return [
        {
          addon: group.addon,
          message: `group "${group.id}" is to be implied by "${id}", which is not there.`,
          remedy: didYouMean(id, owned.keys()) || 'List the addon that brings it in `depends`.',
        },
      ];
    }
    owned.set(id, { ...other, implies: [...other.implies, group.id] });
    return [];
  });
}

function problemsOf(group: OwnedGroup, owned: ReadonlyMap<string, OwnedGroup>): Problem[] {
  const unknown = group.implies
    .filter((id) => !owned.has(id))
    .map((id) => ({
      addon: group.addon,
      message: `group "${group.id}" implies "${id}", which is not there.`,
      remedy: didYouMean(id, owned.keys()) || 'List the addon that brings it in `depends`.',
    }));
  if (!wayBack(group.id, (id) => owned.get(id)?.implies ?? [])) return unknown;
  return [
    ...unknown,
    { addon: group.addon, message: `group "${group.id}" implies itself, through others or directly.` },
  ];
}
