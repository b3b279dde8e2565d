/** What other parts may use of the page cache. */

export { followIdentity, followRequest, followSession } from './follow.ts';
export { HoleMarks } from './hole-marks.ts';
export { type Memory, memory } from './live-value.ts';
export { MemoryPageCache, WROTE_COOKIE } from './page-cache.ts';
export { RenderTracker } from './render-tracker.ts';
export {
  CACHE_HEADER,
  type Hole,
  type KeptPage,
  type LocatableRequest,
  type PageCache,
  type PageLocator,
  type PageParts,
  type PageQuestion,
  type RenderedPage,
} from './types.ts';
