/** HTML that people paste and type, read alike on the server and in browsers. */
export { declarationsOf, isHidden } from '@pergola/content/inline-style';
export { tablesAsLines } from '@pergola/content/table-lines';
