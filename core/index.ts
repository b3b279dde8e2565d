/**
 * Everything an addon usually needs on the server, in the order in which an addon meets it: the addon itself, models, rights, data, routes, the context,
 * services, contribution points, pages, settings, jobs and mail, errors, texts and amounts. More is behind `#core/orm`, `#core/http`, `#core/pages`,
 * `#core/mail` and `#core/kernel`; browser code imports `#core/browser`, tests `#core/testing`. `npm run docs` shows all of it, with a search.
 */

// The addon

export { z } from 'zod';
export type { AccessScope, Ctx, Identity, RequestAttributes } from './context/index.ts';
export { defineAddon } from './kernel/index.ts';

// Models

export {
  type Decimal,
  type Domain,
  extend,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  type Minor,
  type ModelRef,
  type Models,
  mixin,
  model,
  type RawDomain,
  type Row,
  type Select,
  type Values,
  via,
} from './model/index.ts';

// Rights

export { identityOf } from './http/index.ts';
export { access, group, rule } from './model/index.ts';

// Shipped records, upgrades

export { data, migration, ref } from './model/index.ts';

// Routes

export type { RequestView } from './context/index.ts';
export {
  action,
  extendRoute,
  type FormQuestion,
  type InvalidForm,
  type PageExtras,
  type PageInput,
  type Reply,
  record,
  redirect,
  reply,
  route,
  type SentForm,
} from './http/index.ts';

// Services, and points that other addons contribute to

export { app } from './app/index.ts';
export { namedCache } from './base/index.ts';
export { kept, liveValues } from './cache/index.ts';
export {
  type ContributionPoint,
  type Contributions,
  contributionPoint,
  extendService,
  listPoint,
  service,
} from './kernel/index.ts';

// Pages

export { requestAttribute } from './context/index.ts';
export { block, fragment, type TemplateName, type Templates, type TemplateValues } from './page/index.ts';

// Settings, jobs and mail

export { type JobDefinition, type JobRun, job } from './jobs/index.ts';
export {
  emailKey,
  emailSpellings,
  isEmailAddress,
  type MailDefinition,
  type MailMessage,
  mail,
  type QueuedMail,
  readableAddress,
  requireEmailAddress,
} from './mail/index.ts';
export { setting } from './settings/index.ts';

// Errors and plans

export {
  Conflict,
  InvalidInput,
  NotAllowed,
  NotFound,
  PergolaError,
  type Problem,
  TooMany,
  Unauthenticated,
  Unavailable,
} from './base/index.ts';
export { errorFields, errorText } from './i18n/index.ts';
export { sentence } from './kernel/index.ts';

// Texts, days, amounts, files

export {
  escapeHtml,
  firstName,
  fold,
  hasLetter,
  isRecent,
  looksLikeHtml,
  sanitizeHtml,
  seal,
  signText,
  singleLine,
  slugify,
  timingSafeEqualText,
  unseal,
  verifyText,
  withoutControls,
} from './base/index.ts';
export {
  cityOf,
  isRepeated,
  isSameTime,
  numberFault,
  type SpanTexts,
  spanTexts,
  timeOptions,
  zoneName,
} from './browser/index.ts';
export type { FileRef } from './files/index.ts';
export { safePath } from './http/index.ts';
export { momentAt, mondayOf, plusDays } from './i18n/index.ts';
export { type CurrencyUnits, decimal, fromMinor, toMinor } from './model/index.ts';
export { xmlText } from './page/index.ts';
