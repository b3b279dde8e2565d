/**
 * Server API that most addons need, in the order in which an author meets it: the addon itself, models, access rights, data, routes, the
 * context, services, contribution points, pages, settings, jobs and email, errors, texts and amounts. More is in `pergola/orm`,
 * `pergola/http`, `pergola/pages`, `pergola/mail` and `pergola/kernel`; browser code imports `pergola/browser`, tests `pergola/testing`.
 * `npm run docs` shows all of it, with a search.
 */

// The addon

export type { Ctx, Identity, RequestAttributes } from '@pergola/core';
export { defineAddon } from '@pergola/core';
export { z } from 'zod';

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
} from '@pergola/orm';

// Rights

export { identityOf } from '@pergola/http';
export { access, group, rule } from '@pergola/orm';

// Shipped records, upgrades

export { data, migration, ref } from '@pergola/orm';

// Routes

export type { RequestView } from '@pergola/core';
export {
  action,
  extendRoute,
  type InvalidForm,
  type PageInput,
  type Reply,
  record,
  redirect,
  reply,
  route,
} from '@pergola/http';

// Services, and points that other addons contribute to

export { contributionPoint, extendService, listPoint, service } from '@pergola/core';
export { kept, liveValues } from '@pergola/page-cache';
export { app } from './values.ts';

// Pages

export { requestAttribute } from '@pergola/page-cache';
export { block, fragment, type TemplateName, type Templates, type TemplateValues } from '@pergola/pages';

// Settings, jobs and email

export { type JobDefinition, type JobRun, job } from '@pergola/jobs';
export { emailKey, isEmailAddress, mail, readableAddress } from '@pergola/mailer';
export { setting } from '@pergola/settings';

// Errors and plans

export {
  Conflict,
  InvalidInput,
  NotAllowed,
  NotFound,
  PergolaError,
  type Problem,
  sentence,
  TooMany,
  Unauthenticated,
  Unavailable,
} from '@pergola/core';
export { errorFields, errorText } from '@pergola/texts';

// Texts, days, amounts, files

export { currencyIn, numberFault } from '@pergola/browser';
export { escapeHtml, fold, sanitizeHtml, slugify } from '@pergola/content';
export { isRecent } from '@pergola/core';
export type { FileRef } from '@pergola/files';
export { safePath, signText, timingSafeEqualText, verifyText } from '@pergola/http';
export { type CurrencyUnits, decimal, fromMinor, seal, toMinor, unseal } from '@pergola/orm';
export { xmlText } from '@pergola/pages';
export { momentAt, mondayOf, plusDays, texts } from '@pergola/texts';
