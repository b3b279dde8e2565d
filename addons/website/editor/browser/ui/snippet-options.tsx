import { t } from '#core/browser';
import type { SnippetOption } from '../../../snippets/point.ts';
import type { Drawer } from '../calls.ts';
import { chooseClass, chosenClass } from '../dom/blocks.ts';
import type { RichField } from '../fields/rich-field.ts';
import type { EditSession } from '../session.ts';
import { Choice } from './fields.tsx';

/** What the snippet a block was made from lets editors change. */
export function SnippetOptions({
  session,
  field,
  element,
  drawer,
}: {
  session: EditSession;
  field: RichField;
  element: HTMLElement;
  drawer: Drawer | null;
}) {
  const snippet = drawer?.snippets.find(({ id }) => id === element.dataset.name);
  if (!snippet || snippet.options.length === 0) return null;
  const choose = (option: SnippetOption, value: string): void => {
    field.restructure(() => {
      for (const target of targetsOf(element, option)) apply(target, option, value);
    });
    session.selectBlock(field, element);
  };
  return (
    <fieldset className="ed-options">
      <legend>{snippet.label}</legend>
      {snippet.options.map((option) => (
        <Choice
          key={option.label}
          label={t(option.label)}
          value={current(element, option)}
          choices={option.choices}
          onChange={(value) => choose(option, value)}
        />
      ))}
    </fieldset>
  );
}

function targetsOf(element: HTMLElement, { on }: SnippetOption): Element[] {
  return on === undefined ? [element] : [...element.querySelectorAll(on)];
}

function valuesOf({ choices }: SnippetOption): string[] {
  return choices.map(({ value }) => value);
}

function current(element: HTMLElement, option: SnippetOption): string {
  const [target] = targetsOf(element, option);
  if (!target) return '';
  if (isClass(option)) return chosenClass(target, valuesOf(option));
  return target.getAttribute(option.attribute ?? '') ?? '';
}

function apply(target: Element, option: SnippetOption, value: string): void {
  if (isClass(option)) chooseClass(target, valuesOf(option), value);
  else if (value === '') target.removeAttribute(option.attribute ?? '');
  else target.setAttribute(option.attribute ?? '', value);
}

function isClass({ attribute }: SnippetOption): boolean {
  return attribute === undefined || attribute === 'class';
}
