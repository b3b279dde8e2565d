/**
 * The kernel's public face: everything an addon may use on the server. Browser code imports `#core/browser`, tests `#core/testing`.
 *
 * The parts, in the order an addon meets them: the addon itself, models, rights, data, routes, pages, services, jobs and mail, errors.
 */

export { z } from 'zod';
export { type DataSet, data, type Migration, type MigrationTools, migration, ref } from './addon/data.ts';
export { type Declared, type PublicMethod, publicMethod, type TrackedChange } from './addon/define.ts';
export type { Plan, PlanItem, PlannedAddon, PlanTopic, SwitchAction } from './addon/plan.ts';
export {
  type AccessList,
  access,
  type GroupDefinition,
  group,
  type RecordRule,
  type Rights,
  rule,
} from './addon/security.ts';
export { type Setting, setting } from './addon/settings.ts';
export type { AddonStatus } from './addon/status.ts';
export { type RunningSwitch, type SwitchDesk, switchDesk } from './addon/switch-desk.ts';
export type { PastSwitch } from './addon/switch-log.ts';
export { type MenuDefinition, menu, type ViewDefinition, view } from './addon/views.ts';
export {
  type AccessExplanation,
  explainAccess,
  type ModelRights,
  type Operation,
  operations,
  type RuleRights,
  rightsMatrix,
} from './admin/access.ts';
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
export { Semaphore } from './base/semaphore.ts';
export { type Memory, memory } from './cache/index.ts';
export type { Ctx, Facts, Identity, SessionView } from './context/context.ts';
export { type FactDefinition, fact, type ResolvableRequest } from './context/facts.ts';
export type { RatedCall, SignInTry } from './context/rate-limiter.ts';
export type { RequestView } from './context/request-view.ts';
export type { FileRef, FileStore, ImageLimits } from './files/types.ts';
export {
  type Address,
  type AddressResolver,
  addValues,
  anonymousIdentity,
  type CspSource,
  callRate,
  endSessions,
  escapeHtml,
  extendRoute,
  type FallbackDefinition,
  type FormInput,
  giveBackSignIn,
  type HttpInput,
  type IdentityProvider,
  type InvalidForm,
  identityOf,
  listSessions,
  networkOf,
  type PageExtras,
  type PageInput,
  pathsIn,
  type RateLimit,
  type RecordParam,
  type Reply,
  type RouteDefinition,
  type RouteExtension,
  type RpcInput,
  record,
  redirect,
  reply,
  route,
  routes,
  type SessionSummary,
  safePath,
  takeRate,
  takeSignIn,
  type Upload,
} from './http/index.ts';
export { mondayOf, plusDays } from './i18n/days.ts';
export { fold, slugify } from './i18n/fold.ts';
export { aroundAmount, type CurrencyFormat, createFormats, type Formats } from './i18n/format.ts';
export { choiceText, errorFields, errorText, ownText } from './i18n/own-text.ts';
export { type JobDefinition, type JobQueue, type JobRun, job } from './jobs/define.ts';
export type { AddonDefinition } from './kernel/addon.ts';
export { defineAddon } from './kernel/addon.ts';
export { type ContributionPoint, type Contributions, contributionPoint, listPoint } from './kernel/point.ts';
export { type Sentence, sentence } from './kernel/sentence.ts';
export { extendService, type ServiceClass, service } from './kernel/service.ts';
export { isEmailAddress, type MailDefinition, type MailQueue, mail, type Recipient } from './mail/define.ts';
export { keepMail } from './mail/outbox.ts';
export { MailRefused, type MailTransport, type OutgoingMail, openMailTransport } from './mail/transport.ts';
export { type DecimalInput, decimal, type ExactDecimal } from './model/decimal.ts';
export { describeModel, type FieldDescription, type ModelDescription, mayUseModel } from './model/describe.ts';
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
export type { Now } from './model/now.ts';
export { models } from './model/points.ts';
export { keepExternalId, recordByExternalId } from './model/record-names.ts';
export { callModel, callWrites, type ModelCall, modelCallSchema, prepareModelCall } from './model/rpc/index.ts';
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
export {
  type BlockDefinition,
  block,
  type FragmentDefinition,
  fragment,
  type TourDefinition,
  type TourStep,
  type TourTrouble,
  tour,
} from './page/define.ts';
export type { RenderingRule } from './page/rendering.ts';
export { sanitizeHtml } from './page/sanitize.ts';
export { xmlText } from './page/xml.ts';
