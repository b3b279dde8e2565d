/** HTML that people paste and type, read alike on the server and in browsers. */
export { declarationsOf, isHidden } from './base/inline-style.ts';
export { tablesAsLines } from './base/table-lines.ts';
