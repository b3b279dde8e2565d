/**
 * The core's face in the browser: what islands, behaviours and an addon's `browser.ts` may use. On the server islands get the same
 * names from `core/island/server-face.ts`.
 */
export { confirmDialog, notify } from './browser/dialogs.ts';
export { emit, on, reducedMotion } from './browser/dom.ts';
export { csrfField, csrfToken, formatNumber, pageLanguage, parseNumber, ready, t, url } from './browser/page.ts';
export { pageSession } from './browser/page-data.ts';
export type { NumberInput } from './browser/parse-number.ts';
export { postForm, RpcError, rpc, sendForm } from './browser/rpc.ts';
