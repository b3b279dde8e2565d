import { NumberEdit } from '../../fields/number.tsx';
import type { EditProps } from '../../fields/registry.tsx';
import { isNamed } from '../../lib/format.ts';

/** An amount with the currency it is in beside it. */
export function MoneyEdit(props: EditProps) {
  const { field, record, id } = props;
  const currency = record[field.currencyField ?? 'currency_id'];
  if (!isNamed(currency)) return <NumberEdit {...props} />;
  const described = [props.describedBy, `${id}-currency`].filter(Boolean).join(' ');
  return (
    <div className="input-group">
      <NumberEdit {...props} describedBy={described} />
      <span className="input-group-text" id={`${id}-currency`} translate="no">
        {currency[1]}
      </span>
    </div>
  );
}
