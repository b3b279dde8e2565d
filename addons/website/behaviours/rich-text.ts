import '../editor/browser/css/rich-text.css';
import '../editor/browser/css/text-tools.css';
import '../editor/browser/css/fields.css';
import '../editor/browser/css/media.css';
import { whenNear } from '../editor/browser/when-near.ts';
import { whenSeen } from '../snippets/browser/when-seen.ts';

/**
 * `<textarea data-rich-text>` of a form becomes the rich-text editor once somebody comes to the form, or it comes into sight with a text in it: many only read.
 * What was typed into it before stays as it was typed; without JavaScript it stays what it is. What the editor itself shows (`.rich-text`) has its looks from
 * here, whoever put it on the page.
 */
export default function richText(element: HTMLElement): (() => void) | undefined {
  if (!(element instanceof HTMLTextAreaElement)) return undefined;
  const begin = async (): Promise<() => void> => {
    const [{ enhanceTextArea }, { ready }] = await Promise.all([
      import('../editor/browser/enhance.tsx'),
      import('pergola/browser'),
    ]);
    await ready;
    return isTyped(element) ? () => {} : enhanceTextArea(element);
  };
  return element.value ? whenSeen(element, begin) : whenNear(element.form ?? element, begin);
}

/** The editor's own text, which browsers keep over a reload, is HTML. */
function isTyped({ value, defaultValue }: HTMLTextAreaElement): boolean {
  return value !== '' && value !== defaultValue && !value.startsWith('<');
}
