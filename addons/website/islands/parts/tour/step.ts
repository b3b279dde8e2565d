import type { TourStep } from '../../../snippets/tours/point.ts';

export function actionOf({ action, element }: TourStep): 'click' | 'type' | 'select' | 'none' {
  return element === undefined ? 'none' : (action ?? 'click');
}

/** The first element of the selector that can be seen, or null. */
function findVisible(selector: string): HTMLElement | null {
  for (const found of document.querySelectorAll<HTMLElement>(selector)) if (isVisible(found)) return found;
  return null;
}

function isVisible(element: HTMLElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(element).visibility !== 'hidden';
}

export function isThere(selector: string): boolean {
  return document.querySelector(selector) !== null;
}

/** Whether a step can begin, and what it is about (null for a step that is about the whole page). */
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

/** What is written in an element that can be typed in. */
export function writtenIn(element: HTMLElement): string {
  return (isField(element) ? element.value : (element.textContent ?? '')).trim();
}

/** Does what the step asks for, as a person would. */
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
    // The only way in which every editor takes notice; deprecated, and there is no other.
    document.execCommand('selectAll');
    document.execCommand('insertText', false, text);
  }
}

/** As if somebody had written it: past React, which watches the property of the element itself. */
function setValue(field: Field, value: string): void {
  const prototype = Object.getPrototypeOf(field) as object;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));
}
