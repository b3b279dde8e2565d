/**
 * Everything an addon usually needs on the server, in the order in which an addon meets it: the addon itself, models, rights, data, routes, the context,
 * services, contribution points, pages, jobs and mail, errors, texts and amounts. More is behind `#core/orm`, `#core/http`, `#core/pages`, `#core/mail`,
 * `#core/kernel` and `#core/admin`; browser code imports `#core/browser`, tests `#core/testing`.
 */

// The addon

export { z } from 'zod';
export type { Ctx, Facts, Identity } from './context/context.ts';
export { defineAddon } from './kernel/addon.ts';

// Models

export { type Decimal, f, type Id, type Ids, type Minor } from './model/fields.ts';
export { extend, mixin, model, via } from './model/model.ts';
export type { Domain, FieldsOf, ModelRef, Models, RawDomain, Row, Select, Values } from './model/types.ts';

// Rights

export { identityOf } from './http/identity.ts';
export { access, group, rule } from './model/access/define.ts';
export { publicMethod } from './model/rpc/public-method.ts';

// Shipped records, upgrades

export { data, migration, ref } from './model/data/define.ts';

// Routes

export type { RequestView } from './context/request-view.ts';
export {
  extendRoute,
  type InvalidForm,
  type PageExtras,
  type PageInput,
  type Reply,
  record,
  redirect,
  reply,
  route,
} from './http/routes/route.ts';

// Services, and points that other addons contribute to

export { app } from './app/values.ts';
export { memory } from './cache/live-value.ts';
export { type ContributionPoint, type Contributions, contributionPoint, listPoint } from './kernel/point.ts';
export { extendService, service } from './kernel/service.ts';

// Pages

export { fact } from './context/facts.ts';
export { block, fragment, type TourDefinition, tour } from './page/define.ts';

// The backend

export { menu, view } from './admin/views.ts';
export { setting } from './settings/define.ts';

// Jobs and mail

export { type JobRun, job } from './jobs/define.ts';
export { isEmailAddress, mail } from './mail/define.ts';

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
} from './base/errors.ts';
export { errorFields, errorText } from './i18n/own-text.ts';
export { sentence } from './kernel/sentence.ts';

// Texts, days, amounts, files

export { signText, timingSafeEqualText, verifyText } from './base/crypto.ts';
export { sanitizeHtml } from './base/sanitize.ts';
export type { FileRef } from './files/types.ts';
export { escapeHtml } from './http/pages/render.ts';
export { safePath } from './http/security/safe-path.ts';
export { momentAt, mondayOf, plusDays } from './i18n/days.ts';
export { fold, slugify } from './i18n/fold.ts';
export { decimal } from './model/decimal.ts';
export { type CurrencyUnits, fromMinor, toMinor } from './model/money.ts';
export { xmlText } from './page/xml.ts';
