/**
 * Everything an addon usually needs on the server, in the order in which an addon meets it: the addon itself, models, rights, data, routes, the context,
 * services, contribution points, pages, jobs and mail, errors, texts and amounts. More is behind `#core/orm`, `#core/http`, `#core/pages`, `#core/mail`,
 * `#core/kernel` and `#core/admin`; browser code imports `#core/browser`, tests `#core/testing`.
 */

// The addon

export { z } from 'zod';
export { menu, view } from './admin/index.ts';
export { app } from './app/index.ts';
export {
  Conflict,
  InvalidInput,
  NotAllowed,
  NotFound,
  PergolaError,
  type Problem,
  sanitizeHtml,
  signText,
  TooMany,
  timingSafeEqualText,
  Unauthenticated,
  Unavailable,
  verifyText,
} from './base/index.ts';
export { memory } from './cache/index.ts';
export { type Ctx, type Facts, fact, type Identity, type RequestView } from './context/index.ts';
export type { FileRef } from './files/index.ts';
export {
  escapeHtml,
  extendRoute,
  type InvalidForm,
  identityOf,
  type PageExtras,
  type PageInput,
  type Reply,
  record,
  redirect,
  reply,
  route,
  safePath,
} from './http/index.ts';
export { errorFields, errorText, fold, momentAt, mondayOf, plusDays, slugify } from './i18n/index.ts';
export { type JobRun, job } from './jobs/index.ts';
export {
  type ContributionPoint,
  type Contributions,
  contributionPoint,
  defineAddon,
  extendService,
  listPoint,
  sentence,
  service,
} from './kernel/index.ts';
export { isEmailAddress, mail } from './mail/index.ts';
export {
  access,
  type CurrencyUnits,
  type Decimal,
  type Domain,
  data,
  decimal,
  extend,
  type FieldsOf,
  f,
  fromMinor,
  group,
  type Id,
  type Ids,
  type Minor,
  type ModelRef,
  type Models,
  migration,
  mixin,
  model,
  publicMethod,
  type RawDomain,
  type Row,
  ref,
  rule,
  type Select,
  toMinor,
  type Values,
  via,
} from './model/index.ts';
export { block, fragment, type TourDefinition, tour, xmlText } from './page/index.ts';
export { setting } from './settings/index.ts';

// Models

// Rights

// Shipped records, upgrades

// Routes

// Services, and points that other addons contribute to

// Pages

// The backend

// Jobs and mail

// Errors and plans

// Texts, days, amounts, files
