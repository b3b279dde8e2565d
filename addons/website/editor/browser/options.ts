import type { PartKind, SnippetOption } from '../../snippets/point.ts';
import { chooseClass, chosenClass } from './dom/blocks.ts';
import { copyOf } from './dom/serialize.ts';

/** Something of the page whose options are shown: an element of it, or what stands for a picture or link in a text that is typed in. */
export interface Part {
  /** Tells it from the others that are chosen with it. */
  readonly key: string;
  readonly kind: PartKind;
  readonly element: HTMLElement;
  /** Changes it as one step of the history. */
  change(edit: (element: HTMLElement) => void): void;
}

/** Whether a part has what the option is about. */
export function isOffered(element: HTMLElement, option: SnippetOption): boolean {
  return (option.when === undefined || element.matches(option.when)) && targetsOf(element, option).length > 0;
}

/** The value that is chosen; undefined where the part has one that is not among the choices. */
export function chosenValue(element: HTMLElement, option: SnippetOption): string | undefined {
  const [target] = targetsOf(element, option);
  if (!target) return undefined;
  const values = option.choices.map(({ value }) => value);
  if (!isClass(option)) {
    const value = target.getAttribute(option.attribute ?? '') ?? '';
    return values.includes(value) ? value : undefined;
  }
  const formerly = option.choices.map((choice) => choice.formerly ?? '');
  const found = chosenClass(target, [...values, ...formerly]);
  return option.choices.find(
    ({ value, formerly: before = '' }) => value === found || (found !== '' && before === found),
  )?.value;
}

/** Gives everything the option is about the value. */
export function setValue(element: HTMLElement, option: SnippetOption, value: string): void {
  const last = targetsOf(element, option).at(-1);
  const { least = 0 } = option.choices.find((choice) => choice.value === value) ?? {};
  for (let n = targetsOf(element, option).length; last && n < least; n++) last.after(copyOf(last));
  for (const target of targetsOf(element, option)) {
    if (!isClass(option)) {
      if (value === '') target.removeAttribute(option.attribute ?? '');
      else target.setAttribute(option.attribute ?? '', value);
      continue;
    }
    const pattern = option.replaces === undefined ? null : new RegExp(option.replaces);
    const replaced = pattern ? [...target.classList].filter((name) => pattern.test(name)) : [];
    chooseClass(target, [...replaced, ...option.choices.map((choice) => choice.value)], value);
  }
}

function targetsOf(element: HTMLElement, { on }: SnippetOption): HTMLElement[] {
  return on === undefined ? [element] : [...element.querySelectorAll<HTMLElement>(on)];
}

function isClass({ attribute }: SnippetOption): boolean {
  return attribute === undefined || attribute === 'class';
}
