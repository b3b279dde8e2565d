import '../editor/browser/css/rich-text.css';
import '../editor/browser/css/text-tools.css';
import '../editor/browser/css/fields.css';
import '../editor/browser/css/media.css';
import { whenNear, whenSeen } from '../snippets/browser/when-seen.ts';

/**
 * `<textarea data-rich-text>` of a form becomes the rich-text editor: one that holds a text when it comes into sight, an empty one once somebody comes near its
 * form, who is not kept from it by what others never use. What was typed into it before stays as it was typed; without JavaScript it stays what it is. What
 * the editor itself shows (`.rich-text`) has its looks from here, whoever put it on the page.
 */
export default function richText(element: HTMLElement): (() => void) | undefined {
  if (!(element instanceof HTMLTextAreaElement)) return undefined;
  const start = async (): Promise<() => void> => {
    const { enhanceTextArea } = await import('../editor/browser/enhance.tsx');
    return isTyped(element) ? () => {} : enhanceTextArea(element);
  };
  return element.value ? whenSeen(element, start) : whenNear(element.form ?? element, start);
}

/** The editor's own text, which browsers keep over a reload, is HTML. */
function isTyped({ value, defaultValue }: HTMLTextAreaElement): boolean {
  return value !== '' && value !== defaultValue && !value.startsWith('<');
}
