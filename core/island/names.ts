/** `vote-buttons` → `VoteButtons`; the last part of an island's id. */
export function pascalCase(kebab: string): string {
  return kebab.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** What browsers call the faces: keys of the import map. */
export const CORE_FACE = '@pergola/core';
export const faceOf = (addon: string): string => `@pergola/addons/${addon}`;

/** Modules shared by all islands through one build. */
export const vendorModules = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'] as const;
