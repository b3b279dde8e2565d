import type { AddonDefinition } from 'pergola/kernel';

/** Part of the addon's definition. */
export type Contents = Omit<AddonDefinition, 'name' | 'title' | 'summary' | 'version'>;

/** Merges the contents of all parts of the addon; lists are concatenated in the order of the parts. */
export function together(...parts: readonly Contents[]): Contents {
  return parts.reduce<Contents>((all, part) => merged(all, part), {});
}

function merged<T extends object>(one: T, other: object): T {
  const all: Record<string, unknown> = { ...(one as Record<string, unknown>) };
  for (const [name, value] of Object.entries(other)) {
    const before = all[name];
    if (Array.isArray(before) && Array.isArray(value)) all[name] = [...before, ...value];
    else all[name] = typeof before === 'object' && before !== null ? merged(before, value) : value;
  }
  return all as T;
}
