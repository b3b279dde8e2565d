/**
 * The core's face in the browser: what islands, elements and an addon's `browser.ts` may use. On the server islands get the same
 * names from `core/island/server-face.ts`.
 */
export { confirmDialog, notify } from './browser/dialogs.ts';
export { emit, on, onElement, reducedMotion } from './browser/dom.ts';
export { csrfToken, pageLanguage, ready, t } from './browser/page.ts';
export { postForm, RpcError, rpc } from './browser/rpc.ts';
