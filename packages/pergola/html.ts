/** Functions for pasted and typed HTML, on the server and in browsers. */
export { declarationsOf, isHidden } from '@pergola/content/inline-style';
export { tablesAsLines } from '@pergola/content/table-lines';
