// What other parts may import; README.md says what the part is for.

export type {
  AccessScope,
  ContextChanges,
  Ctx,
  Identity,
  OwnedContext,
  RequestAttributes,
  SessionView,
} from './context.ts';
export type { ContextOptions } from './context-options.ts';
export { type ContextInternals, INTERNALS, internals, type RowReader } from './internals.ts';
export type { RatedCall, RateLimiter, RateVerdict, SignInTry } from './rate-limiter.ts';
export {
  type RequestAttribute,
  type ResolvableRequest,
  requestAttribute,
  requestAttributes,
} from './request-attributes.ts';
export type { Cookies, Host, RequestView } from './request-view.ts';
export { fieldErrors, friendlyErrors } from './schema-errors.ts';
export type { Tracker } from './tracker.ts';
export { type BuildInputs, buildInputs, values } from './values.ts';
export { codecOf, neverKept, transactionOf } from './writing.ts';
