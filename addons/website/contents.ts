import type { AddonDefinition } from 'pergola/kernel';

/** What one part of the addon brings, under the names of the addon's definition. */
export type Contents = Omit<AddonDefinition, 'name' | 'title' | 'summary' | 'version'>;

/** The contents of all parts of the addon as one: lists behind each other, in the order of the parts. */
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
