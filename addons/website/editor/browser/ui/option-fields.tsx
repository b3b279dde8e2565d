import { Check, Field, SelectField } from '@pergola/web/kit';
import { t } from 'pergola/browser';
import { useId } from 'react';
import type { OptionGroup, SnippetOption } from '../../../snippets/point.ts';
import { chosenValue, isOffered, type Part, setValue } from '../options.ts';

/** Options that apply to a part. */
export function OptionFields({ part, options }: { part: Part; options: readonly SnippetOption[] }) {
  return options
    .filter((option) => isOffered(part.element, option))
    .map((option) => <OptionField key={keyOf(option)} part={part} option={option} />);
}

function OptionField({ part, option }: { part: Part; option: SnippetOption }) {
  const current = chosenValue(part.element, option);
  const defaultChoice = current === undefined ? [{ value: '', label: t('Default') }] : [];
  const props: ChoicesProps = {
    label: option.label,
    value: current ?? '',
    choices: [...defaultChoice, ...option.choices],
    onChange: (value) => part.change((element) => setValue(element, option, value)),
  };
  if (option.look === 'swatches') return <Swatches {...props} on={part.element.className} />;
  return option.look === 'scale' ? <Scale {...props} /> : <SelectField {...props} />;
}

interface ChoicesProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  onChange(value: string): void;
}

/** Swatches for class choices, previewed `on` an element with these classes. */
function Swatches({ label, value, choices, onChange, on }: ChoicesProps & { readonly on: string }) {
  const name = useId();
  return (
    <fieldset className="mb-3 ed-swatches" data-on={on}>
      <legend className="form-label">{label}</legend>
      {choices.map((choice) => (
        <Check
          key={choice.value}
          type="radio"
          wrap=""
          className="visually-hidden"
          title={choice.label}
          name={name}
          checked={choice.value === value}
          onChange={() => onChange(choice.value)}
          label={
            <>
              <span className={`ed-swatch ${choice.value}`} aria-hidden="true">
                {t('Aa')}
              </span>
              <span className="visually-hidden">{choice.label}</span>
            </>
          }
        />
      ))}
    </fieldset>
  );
}

/** Slider for ordered choices. */
function Scale({ label, value, choices, onChange }: ChoicesProps) {
  const index = Math.max(
    choices.findIndex((choice) => choice.value === value),
    0,
  );
  return (
    <Field label={label} className="">
      {(control) => (
        <div className="ed-scale">
          <input
            {...control}
            type="range"
            min={0}
            max={choices.length - 1}
            value={index}
            aria-valuetext={choices[index]?.label}
            onChange={(event) => onChange(choices[event.target.valueAsNumber]?.value ?? '')}
          />
          <output htmlFor={control.id}>{choices[index]?.label}</output>
        </div>
      )}
    </Field>
  );
}

/** Labels of the option groups, in panel order. */
export function optionGroups(): [OptionGroup, string][] {
  return [
    ['background', t('Background')],
    ['space', t('Spacing')],
    ['layout', t('Layout')],
    ['text', t('Text')],
    ['look', t('Appearance')],
    ['devices', t('Devices')],
  ];
}

function keyOf({ label, on = '', attribute = 'class' }: SnippetOption): string {
  return `${label} ${on} ${attribute}`;
}
