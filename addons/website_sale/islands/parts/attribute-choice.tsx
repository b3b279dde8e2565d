import { Check, SelectField } from '@pergola/website/kit';
import { t } from 'pergola/browser';
import type { Attribute } from '../choice.props.ts';

interface Props {
  readonly attribute: Attribute;
  readonly product: number;
  readonly chosen: number | undefined;
  /** Whether no variant combines this value with the other chosen values. */
  readonly isOff: (value: number) => boolean;
  readonly onChoose: (value: number) => void;
}

/** Choice of an attribute value, as a list, buttons or colour swatches. */
export function AttributeChoice({ attribute, product, chosen: chosenValue, isOff, onChoose }: Props) {
  const { id, name, type, single, values } = attribute;
  const field = `attribute-${product}-${id}`;
  const isColor = type === 'color';
  if (single) {
    return (
      <p className="shop-attribute-single">
        {name}
        {t(': {value}', { value: single })}
      </p>
    );
  }
  if (type === 'select') {
    return (
      <div data-attribute_id={id}>
        <SelectField
          wrap="shop-attribute"
          className="form-select js_variant_change"
          label={name}
          name={field}
          value={String(chosenValue)}
          onChange={(value) => onChoose(Number(value))}
        >
          {values.map((value) => (
            <option key={value.id} value={value.id} className={isOff(value.id) ? 'css_not_available' : undefined}>
              {value.extra ? `${value.name} (${value.extra})` : value.name}
            </option>
          ))}
        </SelectField>
      </div>
    );
  }
  return (
    <fieldset className="shop-attribute" data-attribute_id={id}>
      <legend className="form-label">
        {name}
        {/* Hidden without scripts, because it couldn't follow the choice. */}
        <span className="shop-chosen-value" data-slot="chosen-value">
          {t(': {value}', { value: values.find((value) => value.id === chosenValue)?.name ?? '' })}
        </span>
      </legend>
      <ul className={`shop-choices${isColor ? ' shop-colours' : ''}`}>
        {values.map((value) => (
          <li key={value.id}>
            <Check
              wrap={`shop-choice${isColor ? ' css_attribute_color' : ''}${isOff(value.id) ? ' css_not_available' : ''}`}
              className="js_variant_change shop-choice-input"
              title={isColor ? value.name : undefined}
              type="radio"
              name={field}
              value={value.id}
              checked={value.id === chosenValue}
              onChange={() => onChoose(value.id)}
              label={
                <>
                  {isColor && <span className="shop-swatch" style={{ backgroundColor: value.color }} />}
                  <span className={isColor ? 'visually-hidden' : undefined}>{value.name}</span>
                  {value.extra && (
                    <>
                      {' '}
                      <span className="badge bg-body-secondary text-body badge-extra">{value.extra}</span>
                    </>
                  )}
                </>
              }
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
