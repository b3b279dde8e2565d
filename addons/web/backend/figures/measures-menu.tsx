import { t } from 'pergola/browser';
import { useState } from 'react';
import { SelectField } from '../../kit/field.tsx';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import type { ModelInfo } from '../types.ts';
import { type Aggregate, aggregateLabel, aggregates, COUNT, measurable, measureLabel } from './measures.ts';

/** Menu that selects the measures and their aggregates. A graph has one measure. */
export function MeasuresMenu({
  info,
  measures,
  several = false,
  onChange,
}: {
  info: ModelInfo;
  measures: readonly string[];
  several?: boolean;
  onChange(measures: readonly string[]): void;
}) {
  const [aggregate, setAggregate] = useState<Aggregate>('sum');
  const options = [COUNT, ...measurable(info).map(({ name }) => `${name}:${aggregate}`)];
  const choose = (measure: string): void => {
    if (!several) {
      onChange([measure]);
      return;
    }
    const field = measure.split(':')[0];
    const otherMeasures = measures.filter((selected) => selected.split(':')[0] !== field);
    const next = measures.includes(measure) ? otherMeasures : [...otherMeasures, measure];
    if (next.length > 0) onChange(next);
  };
  return (
    <MenuButton
      label={
        <>
          <Icon name="calculator" /> {t('Measures')}
        </>
      }
      slot="measures"
      keep
    >
      {options.map((measure) => (
        <button
          key={measure}
          type="button"
          className="dropdown-item"
          aria-pressed={measures.includes(measure)}
          onClick={() => choose(measure)}
        >
          <span className="backend-tick">{measures.includes(measure) && <Icon name="check2" />}</span>
          {measureLabel(measure, info)}
        </button>
      ))}
      {options.length > 1 && (
        <>
          <hr className="dropdown-divider" />
          <SelectField
            wrap="backend-menu-form"
            className="form-select form-select-sm"
            label={t('Aggregate')}
            value={aggregate}
            onChange={setAggregate}
            choices={aggregates.map((value) => ({ value, label: aggregateLabel(value) }))}
          />
        </>
      )}
    </MenuButton>
  );
}
