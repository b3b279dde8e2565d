/**
 * The kernel's public face in the browser: what islands, elements and an addon's `browser.ts` may use. On the server islands get the same
 * names from `core/island/server-face.ts`.
 */
export {
  confirmDialog,
  csrfToken,
  emit,
  notify,
  on,
  onElement,
  pageLanguage,
  postForm,
  RpcError,
  ready,
  reducedMotion,
  rpc,
  t,
} from './browser/index.ts';
