import type { PartKind, SnippetOption } from '../../snippets/point.ts';
import { chooseClass, chosenClass } from './dom/blocks.ts';
import { copyOf } from './dom/serialize.ts';

/** Part of the page whose options are shown: one of its elements, or a proxy for an image or link in the active text. */
export interface Part {
  /** Unique among the selected parts. */
  readonly key: string;
  readonly kind: PartKind;
  readonly element: HTMLElement;
  /** Changes the part as one step of the history. */
  change(edit: (element: HTMLElement) => void): void;
}

/** Returns whether an option applies to the part. */
export function isOffered(element: HTMLElement, option: SnippetOption): boolean {
  return (option.when === undefined || element.matches(option.when)) && targetsOf(element, option).length > 0;
}

/** Selected value; undefined if the part has a value that is not among the choices. */
export function chosenValue(element: HTMLElement, option: SnippetOption): string | undefined {
  const [target] = targetsOf(element, option);
  if (!target) return undefined;
  const values = option.choices.map(({ value }) => value);
  if (!isClass(option)) {
    const value = target.getAttribute(option.attribute ?? '') ?? '';
    return values.includes(value) ? value : undefined;
  }
  const formerly = option.choices.map((choice) => choice.formerly ?? '');
  const className = chosenClass(target, [...values, ...formerly]);
  return option.choices.find(
    ({ value, formerly: formerValue = '' }) => value === className || (className !== '' && formerValue === className),
  )?.value;
}

/** Sets the value on all targets of the option. */
export function setValue(element: HTMLElement, option: SnippetOption, value: string): void {
  const last = targetsOf(element, option).at(-1);
  const { least: min = 0 } = option.choices.find((choice) => choice.value === value) ?? {};
  for (let n = targetsOf(element, option).length; last && n < min; n++) last.after(copyOf(last));
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
