/** What other addons may use of web. */
export type { ShownChange, ShownFile, ThreadOf, ThreadView } from './backend/chatter/thread.ts';
export { menu } from './points/menus.ts';
export { publicMethod } from './points/public-methods.ts';
export { view } from './points/views.ts';
export { rootPage } from './routes/home.ts';
export { listOutbox } from './services/admin/outbox.ts';
export { toCsv } from './services/backend/export-files.ts';
export { type PublicPicture, pictureReply, publicPictures } from './services/images.ts';
export { callModel } from './services/rpc/call.ts';
export { signupSetting } from './settings.ts';
