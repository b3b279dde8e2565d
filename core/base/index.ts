// Public exports for other parts; README.md explains the purpose of this part.

export {
  ALIAS_PATTERN,
  addonFolders,
  addonRoots,
  isAlias,
  isInside,
  listAddonFolders,
  platformPackages,
  repository,
  resolveAlias,
} from './addon-folders.ts';
export { type BuildMemory, lastingMemory, shortMemory } from './build-memory.ts';
export { type Config, listVariable, loadConfig, loopbackName, type PartConfig, partConfig } from './config.ts';
export { acceptedEncodings, compressed, type Encoding, isCompressible } from './content-encoding.ts';
export { declaredAt, declaredHere, lineNaming, namesIn } from './declared-at.ts';
export { closest, didYouMean, editDistance } from './edit-distance.ts';
export {
  BrokenAddons,
  Conflict,
  ControlSignal,
  describeProblem,
  type ErrorDetails,
  explainHint,
  InvalidInput,
  isNotReady,
  NOT_READY,
  NotAllowed,
  NotFound,
  PergolaError,
  type Problem,
  rootCauses,
  showProblem,
  TooLarge,
  TooMany,
  Unauthenticated,
  Unavailable,
  WrongCode,
} from './errors.ts';
export { inOrder, reachable, shortestWay, wayBack } from './graph.ts';
export { iconFolder, iconNames } from './icon-names.ts';
export type { Id, Ids } from './id.ts';
export { createLog, type Log } from './log.ts';
export { CLOCK_TOLERANCE_MS, isRecent, Now } from './now.ts';
export { closeDataFolder, ownFile, ownFolder } from './private-folder.ts';
export { sourceLines } from './source-lines.ts';
export {
  authorCall,
  type CodeFolder,
  keepLongStacks,
  ownStack,
  placesIn,
  problemIn,
  stackAbove,
  withSources,
} from './stack-places.ts';
export { atOnce, createPause, inSlices } from './time-slices.ts';
