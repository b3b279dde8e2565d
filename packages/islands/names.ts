/** `vote-buttons` → `VoteButtons`, the last part of an island's id. */
export function pascalCase(kebab: string): string {
  return kebab.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Names of the core's browser modules in the import map. */
export const CORE_FACE = '@pergola/core';
export const ISLANDS_FACE = '@pergola/islands';
export const faceOf = (addon: string, face: string): string => `@pergola/addons/${addon}/${face}`;

/** Modules shared by all islands through a single build, in browsers and on the server. */
export const vendorModules = {
  browser: ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'],
  server: ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/server'],
} as const;

/** File of a shared module in the core's server build: `react-dom/server` → `react-dom-server.mjs`. */
export function vendorFile(name: string): string {
  return `${name.replaceAll('/', '-')}.mjs`;
}
