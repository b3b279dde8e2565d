import type { AddonDefinition } from 'pergola/kernel';

/** Part of the addon's definition. */
export type Contents = Omit<AddonDefinition, 'name' | 'title' | 'summary' | 'version'>;

/** Merges the contents of all parts of the addon; lists are concatenated in the order of the parts. */
export function together(...parts: readonly Contents[]): Contents {
  return parts.reduce<Contents>((all, part) => merged(all, part), {});
}

function merged<T extends object>(base: T, addition: object): T {
  const all: Record<string, unknown> = { ...(base as Record<string, unknown>) };
  for (const [name, value] of Object.entries(addition)) {
    const existing = all[name];
    if (Array.isArray(existing) && Array.isArray(value)) all[name] = [...existing, ...value];
    else all[name] = typeof existing === 'object' && existing !== null ? merged(existing, value) : value;
  }
  return all as T;
}
