import { Field } from '@pergola/web/kit';
import { t } from 'pergola/browser';
import type { Scheme, Schemes, Swatch } from '../colours.ts';

interface Props {
  readonly colours: Schemes;
  /** Contrast errors by colour, such as `own.light.primary`. */
  readonly faults: Readonly<Record<string, string>>;
  onChange(colours: Schemes): void;
}

/** Custom colours of the site for both colour schemes. */
export function OwnColours({ colours, faults, onChange }: Props) {
  const labels: Readonly<Record<keyof Swatch, string>> = {
    background: t('Background'),
    surface: t('Secondary background'),
    text: t('Text'),
    primary: t('Links and buttons'),
    strong: t('Highlighted sections'),
  };
  const titles: Readonly<Record<Scheme, string>> = { light: t('Light'), dark: t('Dark') };
  return (['light', 'dark'] as const).map((scheme) => (
    <fieldset key={scheme} className="look-own">
      <legend>{titles[scheme]}</legend>
      {(Object.keys(labels) as (keyof Swatch)[]).map((name) => (
        <ColourInput
          key={name}
          label={labels[name]}
          value={colours[scheme][name]}
          fault={faults[`own.${scheme}.${name}`] ?? ''}
          onChange={(value) => onChange({ ...colours, [scheme]: { ...colours[scheme], [name]: value } })}
        />
      ))}
    </fieldset>
  ));
}

interface InputProps {
  readonly label: string;
  readonly value: string;
  readonly fault: string;
  onChange(value: string): void;
}

function ColourInput({ label, value, fault, onChange }: InputProps) {
  return (
    <Field wrap="look-colour" className="" labelClass="" label={label} error={fault}>
      {(control) => (
        <>
          <input {...control} type="color" value={value} onChange={(event) => onChange(event.target.value)} />
          <code>{value}</code>
        </>
      )}
    </Field>
  );
}
