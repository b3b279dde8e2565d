import type { Addon } from '@pergola/core';
import { didYouMean, type Problem, reachable, wayBack } from '@pergola/core';
import type { GroupDefinition } from './define.ts';

/** Groups by id, with every group they imply, including themselves. */
export type Groups = ReadonlyMap<string, OwnedGroup & { readonly all: ReadonlySet<string> }>;

interface OwnedGroup extends GroupDefinition {
  readonly addon: string;
}

/**
 * Returns the addons' groups by id, each with every group it implies. Reports duplicate ids, missing implied groups, and groups that imply
 * each other in a circle.
 */
export function buildGroups(addons: readonly Addon[]): { groups: Groups; problems: Problem[] } {
  const groupsById = new Map<string, OwnedGroup>();
  const problems: Problem[] = [];
  for (const { name: addon, definition } of addons) {
    for (const group of definition.groups ?? []) {
      if (!groupsById.has(group.id)) groupsById.set(group.id, { ...group, addon });
    }
  }
  for (const group of [...groupsById.values()]) problems.push(...joinOthers(group, groupsById));
  for (const group of groupsById.values()) problems.push(...problemsOf(group, groupsById));
  const implied = (id: string) => groupsById.get(id)?.implies ?? [];
  const groups = new Map([...groupsById].map(([id, group]) => [id, { ...group, all: reachable([id], implied) }]));
  return { groups, problems };
}

/** Adds the group to `implies` of the groups named in its `impliedBy`. */
function joinOthers(group: OwnedGroup, groupsById: Map<string, OwnedGroup>): Problem[] {
  return (group.impliedBy ?? []).flatMap((id): Problem[] => {
    const implying = groupsById.get(id);
    if (!implying) {
      return [
        {
          addon: group.addon,
          message: `group "${group.id}" is to be implied by "${id}", which is not there.`,
          remedy: didYouMean(id, groupsById.keys()) || 'List the addon that brings it in `depends`.',
        },
      ];
    }
    groupsById.set(id, { ...implying, implies: [...implying.implies, group.id] });
    return [];
  });
}

function problemsOf(group: OwnedGroup, groupsById: ReadonlyMap<string, OwnedGroup>): Problem[] {
  const unknown = group.implies
    .filter((id) => !groupsById.has(id))
    .map((id) => ({
      addon: group.addon,
      message: `group "${group.id}" implies "${id}", which is not there.`,
      remedy: didYouMean(id, groupsById.keys()) || 'List the addon that brings it in `depends`.',
    }));
  if (!wayBack(group.id, (id) => groupsById.get(id)?.implies ?? [])) return unknown;
  return [
    ...unknown,
    { addon: group.addon, message: `group "${group.id}" implies itself, through others or directly.` },
  ];
}
