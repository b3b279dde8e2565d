import type { TourStep } from '../../../snippets/tours/point.ts';

export function actionOf({ action, element }: TourStep): 'click' | 'type' | 'select' | 'none' {
  return element === undefined ? 'none' : (action ?? 'click');
}

/** First visible element that matches the selector, or null. */
function findVisible(selector: string): HTMLElement | null {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) if (isVisible(element)) return element;
  return null;
}

function isVisible(element: HTMLElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(element).visibility !== 'hidden';
}

export function isThere(selector: string): boolean {
  return document.querySelector(selector) !== null;
}

/** Returns whether a step can start, and its target (null if it applies to the whole page). */
export function placeOf(step: TourStep): { readonly ready: boolean; readonly target: HTMLElement | null } {
  const waits =
    (step.waitFor !== undefined && !isThere(step.waitFor)) || (step.waitNot !== undefined && isThere(step.waitNot));
  const target = step.element === undefined ? null : findVisible(step.element);
  return { ready: !waits && (step.element === undefined || target !== null), target };
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function isField(element: Element): element is Field {
  return /^(input|textarea|select)$/.test(element.localName);
}

/** Text in an editable element. */
export function writtenIn(element: HTMLElement): string {
  return (isField(element) ? element.value : (element.textContent ?? '')).trim();
}

/** Performs the step's action as a user would. */
export function perform(step: TourStep, target: HTMLElement): void {
  const action = actionOf(step);
  if (action === 'click') target.click();
  else if (action === 'select' && target instanceof HTMLSelectElement) choose(target, step.text ?? '');
  else if (action === 'type') type(target, step.text ?? '');
}

function choose(select: HTMLSelectElement, text: string): void {
  const option = [...select.options].find(({ value, label }) => value === text || label.trim() === text);
  setValue(select, option?.value ?? select.value);
}

function type(element: HTMLElement, text: string): void {
  element.focus();
  if (isField(element)) {
    setValue(element, text);
  } else {
    // Deprecated, but the only way that every editor notices.
    document.execCommand('selectAll');
    document.execCommand('insertText', false, text);
  }
}

/** Sets the value through the prototype's setter: React overrides the property on the element. */
function setValue(field: Field, value: string): void {
  const prototype = Object.getPrototypeOf(field) as object;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));
}
