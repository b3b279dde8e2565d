/**
 * What browser code of other addons may use of website. Every page that uses one of these loads this file: what is large is reached through
 * a function that imports it when it is called.
 */
export { type HiddenForm, submitHiddenForm } from './snippets/browser/hidden-form.ts';
export { PromptClosed, type PromptOptions, prompt } from './snippets/browser/prompt.ts';
export { reloadPage } from './snippets/browser/scroll-hash.ts';
