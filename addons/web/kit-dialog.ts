/** Dialogs. Separate from the kit because most pages open none. */
export { Dialog, type DialogProps, Modal } from './kit/dialog.tsx';
export { PromptDialog } from './kit/prompt-dialog.tsx';
