import { NumberEdit } from '../../fields/number.tsx';
import type { EditProps } from '../../fields/registry.tsx';
import { isNamed } from '../../lib/format.ts';

/** Amount input with its currency. */
export function MoneyEdit(props: EditProps) {
  const { field, record, id } = props;
  const currency = record[field.currencyField ?? 'currency_id'];
  const name = isNamed(currency) ? currency[1] : '';
  const described = [props.describedBy, name && `${id}-currency`].filter(Boolean).join(' ');
  // Keeps the same input when the currency becomes known, as the user may be typing.
  return (
    <div className="input-group">
      <NumberEdit {...props} describedBy={described || undefined} />
      {name && (
        <span className="input-group-text" id={`${id}-currency`} translate="no">
          {name}
        </span>
      )}
    </div>
  );
}
