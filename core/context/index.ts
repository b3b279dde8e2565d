// Public exports for other parts; README.md explains the purpose of this part.

export type {
  AccessScope,
  Ctx,
  Identity,
  OwnedContext,
  RequestAttributes,
  SessionView,
} from './context.ts';
export type { ContextOptions } from './context-options.ts';
export { type ContextTools, contextTools } from './context-tools.ts';
export { Contexts, contexts } from './contexts.ts';
export { neverKept } from './never-kept.ts';
export { noSession } from './no-session.ts';
export type { ContextMembers } from './request-context.ts';
export type { Cookies, Host, RequestView } from './request-view.ts';
export type { Tracker } from './tracker.ts';
export { type RequestValues, unitOfWork, type WriteHow } from './unit-of-work.ts';
export { type BuildInputs, buildInputs, values } from './values.ts';
