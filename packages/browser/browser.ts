/**
 * Browser API of the core for islands, behaviours and an addon's `browser.ts`. On the server, islands get the same names from
 * `packages/islands/server-face.ts`.
 */
export { confirmDialog, notify } from './dialogs.ts';
export { emit, on, reducedMotion } from './dom.ts';
export {
  csrfField,
  csrfToken,
  formatNumber,
  pageLanguage,
  parseNumber,
  plural,
  pluralOf,
  ready,
  t,
  tOf,
  url,
} from './page.ts';
export { pageSession } from './page-data.ts';
export type { NumberInput } from './parse-number.ts';
export { isPlainClick } from './plain-click.ts';
export type { CallAddress, CallAt, CallResult, Wire } from './rpc.ts';
export { openStream, postForm, RpcError, request, rpc, sendForm } from './rpc.ts';
