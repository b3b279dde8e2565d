/** Public interface of the page cache for other packages. */

export { followIdentity, followRequest, followSession } from './follow.ts';
export { HoleMarks } from './hole-marks.ts';
export { kept } from './kept.ts';
export type { KeptPage } from './kept-page.ts';
export { LiveValue } from './live-value.ts';
export { type LiveValues, liveValues } from './live-values.ts';
export { PageCache, WROTE_COOKIE } from './page-cache.ts';
export { groupKey } from './page-key.ts';
export { pageCache, pageCachePart } from './part.ts';
export { RenderTracker } from './render-tracker.ts';
export {
  type RequestAttribute,
  type ResolvableRequest,
  requestAttribute,
  requestAttributes,
} from './request-attributes.ts';
export {
  CACHE_HEADER,
  type Hole,
  type LocatableRequest,
  type PageLocator,
  type PageParts,
  type PageQuestion,
  type RenderedPage,
} from './types.ts';
