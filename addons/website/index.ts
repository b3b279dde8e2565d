/** What other addons may use of website. */
export { type Snippet, type SnippetOption, type SnippetTab, snippets } from './snippets/point.ts';
