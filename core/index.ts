/**
 * The kernel's public face: everything an addon may use on the server. Browser code imports `#core/browser`, tests `#core/testing`.
 *
 * The parts, in the order an addon meets them: the addon itself, models, rights, data, routes, pages, services, jobs and mail, errors.
 */

export { z } from 'zod';
export {
  type AccessExplanation,
  explainAccess,
  type ModelRights,
  type Operation,
  operations,
  type RuleRights,
  rightsMatrix,
} from './admin/access.ts';
export { describeModel, type FieldDescription, type ModelDescription, mayUseModel } from './admin/describe.ts';
export { type SystemHealth, systemHealth } from './admin/health.ts';
export { deleteDeadJobs, type JobState, jobStates, listJobs, type QueuedJob, retryJobs } from './admin/jobs.ts';
export {
  listOutbox,
  type MailState,
  mailStates,
  type OutboxMail,
  type OutboxQuery,
  readOutboxMail,
  retryMails,
} from './admin/outbox.ts';
export { endSessionsByNumber, listAllSessions, type OpenSession } from './admin/sessions.ts';
export { changeSettings, enabledSettings, type ShownSetting } from './admin/settings.ts';
export {
  exportCatalog,
  type ImportedCatalog,
  importCatalog,
  type TranslationCoverage,
  translationCoverage,
} from './admin/translations.ts';
export { type MenuDefinition, menu, type ViewDefinition, view } from './admin/views.ts';
export { addonManager } from './app/addon-manager.ts';
export type { AddonCommand, CommandIo } from './app/commands.ts';
export { UsageError } from './app/commands.ts';
export {
  browserTexts,
  type EnabledMenu,
  type EnabledModel,
  type EnabledRoute,
  enabledAddons,
  enabledBlocks,
  enabledMenus,
  enabledModels,
  enabledRoutes,
  enabledTours,
  hasLanguages,
  ownerOfPath,
  publicTemplates,
  routeFits,
} from './app/enabled.ts';
export { anonymousIdentity, identityOf } from './app/identity.ts';
export { app } from './app/values.ts';
export type { Config } from './base/config.ts';
export { signText, timingSafeEqualText, verifyText } from './base/crypto.ts';
export {
  BrokenAddons,
  Conflict,
  describeProblem,
  type ErrorDetails,
  InvalidInput,
  NotAllowed,
  NotFound,
  PergolaError,
  type Problem,
  TooLarge,
  TooMany,
  Unauthenticated,
  Unavailable,
  WrongCode,
} from './base/errors.ts';
export type { Now } from './base/now.ts';
export { sanitizeHtml } from './base/sanitize.ts';
export { Semaphore } from './base/semaphore.ts';
export { type Memory, memory } from './cache/live-value.ts';
export type { Ctx, Facts, Identity, SessionView } from './context/context.ts';
export type { IdentityProvider } from './context/identity.ts';
export type { FileRef, FileStore, ImageLimits } from './files/types.ts';
export { isPrivateNetwork, networkOf } from './http/hosts-address.ts';
export type { RatedCall, SignInTry } from './http/kernel-face.ts';
export { pathsIn } from './http/params.ts';
export { routes } from './http/points.ts';
export { giveBackSignIn, takeRate, takeSignIn } from './http/rate-limit-ctx.ts';
export { callRate } from './http/rates.ts';
export { escapeHtml } from './http/render.ts';
export {
  addValues,
  extendRoute,
  type FormInput,
  type HttpInput,
  type InvalidForm,
  type PageExtras,
  type PageInput,
  type RateLimit,
  type RecordParam,
  type Reply,
  type RequestView,
  type RouteDefinition,
  type RouteExtension,
  type RpcInput,
  record,
  redirect,
  reply,
  route,
  type Upload,
} from './http/route.ts';
export { safePath } from './http/safe-path.ts';
export type { CspSource } from './http/security-headers-sources.ts';
export {
  endSessions,
  listSessions,
  type SessionSummary,
} from './http/session-admin.ts';
export { momentAt, mondayOf, plusDays } from './i18n/days.ts';
export { fold, slugify } from './i18n/fold.ts';
export { aroundAmount, type CurrencyFormat, createFormats, type Formats } from './i18n/format.ts';
export { choiceText, errorFields, errorText, ownText } from './i18n/own-text.ts';
export type { Declared } from './install/declared.ts';
export { type JobDefinition, type JobQueue, type JobRun, job } from './jobs/define.ts';
export type { AddonDefinition } from './kernel/addon.ts';
export { defineAddon } from './kernel/addon.ts';
export type { AddonManager, RunningSwitch } from './kernel/manager.ts';
export type { Plan, PlanItem, PlannedAddon, SwitchAction } from './kernel/plan.ts';
export { type ContributionPoint, type Contributions, contributionPoint, listPoint } from './kernel/point.ts';
export { type Sentence, sentence } from './kernel/sentence.ts';
export { extendService, type ServiceClass, service } from './kernel/service.ts';
export type { AddonStatus } from './kernel/status.ts';
export type { PastSwitch } from './kernel/storage.ts';
export { isEmailAddress, type MailDefinition, type MailQueue, mail, type Recipient } from './mail/define.ts';
export { keepMail } from './mail/outbox.ts';
export { MailRefused, type MailTransport, type OutgoingMail, openMailTransport } from './mail/transport.ts';
export {
  type AccessList,
  access,
  type GroupDefinition,
  group,
  type RecordRule,
  type Rights,
  rule,
} from './model/access/define.ts';
export { type DataSet, data, type Migration, type MigrationTools, migration, ref } from './model/data/define.ts';
export { type DecimalInput, decimal, type ExactDecimal } from './model/decimal.ts';
export {
  type AnyField,
  type Decimal,
  type Field,
  type FieldOptions,
  type Fields,
  type FieldType,
  f,
  humanize,
  type Id,
  type Ids,
  type Minor,
} from './model/fields.ts';
export { META, type RowMeta } from './model/meta.ts';
export { extend, type ModelOptions, mixin, model, via } from './model/model.ts';
export { type CurrencyUnits, fromMinor, roundMinor, toMinor } from './model/money.ts';
export { models } from './model/points.ts';
export { keepExternalId, recordByExternalId } from './model/record-names.ts';
export { callModel, callWrites, type ModelCall, modelCallSchema, prepareModelCall } from './model/rpc/index.ts';
export { type PublicMethod, publicMethod } from './model/rpc/public-method.ts';
export type {
  AnyModel,
  Asked,
  BaseFields,
  Commands,
  CountOptions,
  Domain,
  FieldsOf,
  FindOptions,
  GroupOptions,
  GroupRow,
  Model,
  ModelName,
  ModelRef,
  Models,
  Operator,
  RawDomain,
  Row,
  Select,
  Values,
} from './model/types.ts';
export { linkedBy } from './model/write/commands.ts';
export type { TrackedChange } from './model/write/tracked.ts';
export {
  type Address,
  type AddressResolver,
  type BlockDefinition,
  block,
  type FactDefinition,
  type FallbackDefinition,
  type FragmentDefinition,
  fact,
  fragment,
  type ResolvableRequest,
  type TourDefinition,
  type TourStep,
  type TourTrouble,
  tour,
} from './page/define.ts';
export type { RenderingRule } from './page/rendering.ts';
export { xmlText } from './page/xml.ts';
export { type Setting, setting } from './settings/define.ts';
