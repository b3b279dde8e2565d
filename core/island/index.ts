// What other parts may import; README.md says what the part is for.

export { type Area, developerScript, escapeJson } from './head.ts';
export { clearDrafts } from './kept-build.ts';
export { assets, islandPoints } from './points.ts';
export type { IslandOptions, Wake } from './types.ts';
