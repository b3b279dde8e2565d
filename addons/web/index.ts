/** Exports of web for other addons. */
export type { ShownChange, ShownFile, ShownMail, ThreadOf, ThreadView } from './backend/chatter/thread.ts';
export { WebUser } from './models/res-users.ts';
export { type AccountEntry, accountEntry } from './points/account-entries.ts';
export { type MenuDefinition, menu } from './points/menus.ts';
export { type PublicMethod, publicMethod } from './points/public-methods.ts';
export { linksAfter, type QuestionDefinition, question } from './points/questions.ts';
export { type ChangeReview, type ViewDefinition, view } from './points/views.ts';
export {
  type FigureDefinition,
  type FirstStep,
  figure,
  firstStep,
  type WidgetContent,
  type WidgetDefinition,
  widget,
} from './points/widgets.ts';
export { rootPage } from './routes/home.ts';
export type { undoJust, writeQuestions } from './routes/records-rpc.ts';
export { requireOwnPassword } from './services/accounts.ts';
export { listOutbox } from './services/admin/outbox.ts';
export { toCsv } from './services/backend/export-files.ts';
export { dayOrderIn } from './services/backend/import/columns.ts';
export { type DateReading, readDate, readTime } from './services/backend/import/dates.ts';
export { FileReader, type Sheet } from './services/backend/import/read-file.ts';
export { sourceLabels } from './services/backend/import/source-labels.ts';
export {
  delimiters,
  encodings,
  isError as isCellError,
  type SourceChoice,
  textOf as textOfCell,
} from './services/backend/import/table.ts';
export { MAX_PICTURE_BYTES, type PublicPicture, pictureReply, publicPictures } from './services/images.ts';
export { CONFIRM, isProved, noteProof } from './services/proof.ts';
export { callModel } from './services/rpc/call.ts';
export { completeSignIn, landing, type PendingSignIn, pendingSignIn, signIn } from './services/sign-in.ts';
export { signupSetting } from './settings.ts';
