import { Check } from '@pergola/web/kit';
import { useId } from 'react';
import type { Schemes } from '../colours.ts';
import type { Choice } from './calls.ts';

interface Props<T extends string> {
  readonly legend: string;
  readonly value: T;
  readonly choices: readonly (Choice & { readonly id: T })[];
  /** Colours shown next to the label. */
  swatchOf?(id: T): Schemes | null;
  onChange(id: T): void;
}

/** Single choice as a row of buttons. */
export function Radios<T extends string>({ legend, value, choices, swatchOf, onChange }: Props<T>) {
  const name = useId();
  return (
    <fieldset className="look-field">
      <legend>{legend}</legend>
      <div className="look-choices">
        {choices.map(({ id, label }) => {
          const colours = swatchOf?.(id);
          return (
            <Check
              key={id}
              wrap="look-choice"
              className=""
              type="radio"
              name={name}
              value={id}
              checked={id === value}
              onChange={() => onChange(id)}
              label={
                <>
                  {colours && <Swatches {...colours} />}
                  <span>{label}</span>
                </>
              }
            />
          );
        })}
      </div>
    </fieldset>
  );
}

function Swatches({ light, dark }: Schemes) {
  const colours = [light.background, light.primary, light.strong, dark.background, dark.primary];
  return (
    <svg className="look-swatches" viewBox="0 0 60 12" aria-hidden="true">
      {colours.map((fill, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fixed positions
        <rect key={index} x={index * 12} width="12" height="12" fill={fill} />
      ))}
    </svg>
  );
}
