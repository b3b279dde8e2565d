// What other parts may import; README.md says what the part is for.

export { addonFolders, addonRoots, listAddonFolders, repository, resolveAlias } from './addon-folders.ts';
export { type BuildMemory, lastingMemory, shortMemory } from './build-memory.ts';
export { type Config, loopbackName } from './config.ts';
export { acceptedEncodings, compressed, type Encoding, isCompressible } from './content-encoding.ts';
export { signText, timingSafeEqualText, verifyText } from './crypto.ts';
export { declaredAt, declaredHere, lineNaming, namesIn } from './declared-at.ts';
export { diskFull, isDiskFull } from './disk-full.ts';
export { closest, didYouMean, editDistance } from './edit-distance.ts';
export {
  BrokenAddons,
  Conflict,
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
export { escapeHtml } from './escape-html.ts';
export { fold, slugify } from './fold.ts';
export { inOrder, reachable, wayBack } from './graph.ts';
export { iconFolder, iconNames } from './icon-names.ts';
export type { Id, Ids } from './id.ts';
export { createLog, type Log } from './log.ts';
export { type CacheSize, cacheSizes, namedCache, roughBytes } from './named-cache.ts';
export { hasLetter, plainLines, singleLine, withoutControls } from './names.ts';
export { CLOCK_TOLERANCE_MS, isRecent, Now } from './now.ts';
export { firstName } from './person-name.ts';
export { closeDataFolder, ownFile, ownFolder } from './private-folder.ts';
export { escapeAttribute, isSitePath, safeUrl } from './safe-url.ts';
export { createSanitizer, type SanitizeProfile, sanitizeHtml } from './sanitize.ts';
export { seal, unseal } from './seal.ts';
export { Semaphore } from './semaphore.ts';
export {
  authorCall,
  type CodeFolder,
  MAX_FRAMES,
  ownStack,
  placesIn,
  problemIn,
  stackAbove,
  withSources,
} from './stack-places.ts';
export { atOnce, createPause, inSlices } from './time-slices.ts';
export { looksLikeHtml } from './typed-html.ts';
export { correctWords, hasWords, wordsOf } from './words.ts';
