import { fromLocalInput, localInput, momentOf, wireMoment } from '#addons/web/browser';
import { pageLanguage } from '#core/browser';

/** The zone in which the user sees moments, as the backend has it; the browser's own where the page does not say. */
function userZone(): string {
  return (
    document.querySelector<HTMLElement>('[data-editor-bar]')?.dataset.timezone ||
    Intl.DateTimeFormat().resolvedOptions().timeZone
  );
}

/** A moment (ISO text or milliseconds) as people read it. */
export function momentText(moment: string | number, dateStyle: 'medium' | 'long' = 'medium'): string {
  return new Date(moment).toLocaleString(pageLanguage(), { dateStyle, timeStyle: 'short', timeZone: userZone() });
}

/** ISO text of a moment as `<input type="datetime-local">` takes it. */
export function inputMoment(iso: string | null): string {
  return iso === null ? '' : localInput(wireMoment(new Date(iso)), userZone());
}

/** What was typed into such an input as ISO text; null for nothing. */
export function momentOfInput(text: string): string | null {
  return momentOf(fromLocalInput(text, userZone()))?.toISOString() ?? null;
}
