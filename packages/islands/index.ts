// Public API of the package; see README.md for its purpose.

export { type Area, developerScript, escapeJson } from './head.ts';
export { islandsPart } from './part.ts';
export { assets } from './points.ts';
export type { IslandOptions, Wake } from './types.ts';

// For tools.

export { buildAddon, buildFolder } from './build.ts';
export { BUILTIN, INDIRECT } from './build-problems.ts';
export { buildCore } from './core-build.ts';
export { defaultBuildDir } from './kept-build.ts';
export { CORE_FACE, faceOf, ISLANDS_FACE, pascalCase } from './names.ts';
export { readProps } from './props.ts';
export { sourceMapIn, sourcePlace } from './source-places.ts';
