import '../editor/browser/css/rich-text.css';
import '../editor/browser/css/text-tools.css';
import '../editor/browser/css/fields.css';
import '../editor/browser/css/media.css';
import { whenNear } from '../editor/browser/when-near.ts';
import { whenSeen } from '../snippets/browser/when-seen.ts';

/**
 * Turns `<textarea data-rich-text>` into the rich-text editor when the form gets the focus, or when a field with text scrolls into view,
 * since many visitors only read. Text typed earlier is kept as it is, and without JavaScript the text area stays. Also loads the editor's
 * styles (`.rich-text`) for every island that uses it.
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

/** The editor's HTML, which browsers restore after a reload, doesn't count as typed. */
function isTyped({ value, defaultValue }: HTMLTextAreaElement): boolean {
  return value !== '' && value !== defaultValue && !value.startsWith('<');
}
