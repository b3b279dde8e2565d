// What other parts may import; README.md says what the part is for.

export { confirmDialog, notify } from './dialogs.ts';
export { emit, on, onElement, reducedMotion } from './dom.ts';
export { fillText, type TextParams, type Translation, translationOf } from './fill-text.ts';
export { csrfToken, pageLanguage, ready, t } from './page.ts';
export type { PageData } from './page-data.ts';
export { postForm, RpcError, rpc } from './rpc.ts';
