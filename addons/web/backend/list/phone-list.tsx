import { t } from 'pergola/browser';
import { Link } from 'react-router';
import { Check } from '../../kit/field.tsx';
import { widgetFor } from '../fields/registry.tsx';
import { recordAddress } from '../lib/addresses.ts';
import type { WireRecord } from '../lib/calls.ts';
import { formatNumber, isEmpty } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import type { ModelInfo } from '../types.ts';
import { declaredColumn } from './columns.ts';
import { columnLabel } from './columns-menu.tsx';
import type { LinesProps } from './record-table.tsx';
import { isChosen, toggled } from './selection.ts';
import { groupTitle } from './use-records.ts';

/** Number of fields below a card's title. */
const MAX_FIELDS = 4;

/**
 * Returns the fields below a card's title: the most informative ones (summed amounts, the state), then the first columns, in list order.
 * Skips names that repeat the title.
 */
function cardFields(
  info: ModelInfo,
  columns: LinesProps['columns'],
  record: WireRecord,
  title: string,
): readonly string[] {
  const texts = new Set([title]);
  const informative = columns.flatMap(({ field }) => {
    const text = cardText(record[field], '');
    if (!info.fields[field] || isEmpty(record[field], info.fields[field]) || texts.has(text)) return [];
    if (text !== '') texts.add(text);
    return [field];
  });
  const first = informative.filter((name) => name === info.form.status || declaredColumn(info, name).total !== null);
  const selected = new Set([...first, ...informative].slice(0, MAX_FIELDS));
  return informative.filter((name) => selected.has(name));
}

/** Rows of a list on a phone: each record is a card that links to it. */
export function PhoneList(props: LinesProps) {
  const { info, lines, columns, menu, selection, setSelection, isStale, onToggle, onMore } = props;
  const inSight = lines.flatMap((line) => (line.kind === 'record' ? [line.record.id] : []));
  const [title, ...rest] = columns;
  return (
    <ul className="backend-phone-list" data-slot="phone-list">
      {lines.map((line) => {
        switch (line.kind) {
          case 'group':
            return (
              <li key={line.key}>
                <button
                  type="button"
                  className="backend-group-open"
                  aria-expanded={line.isOpen}
                  onClick={() => onToggle(line.group)}
                >
                  <Icon name={line.isOpen ? 'caret-down-fill' : 'caret-right-fill'} /> {groupTitle(line.group)}{' '}
                  <span className="backend-badge">{formatNumber(line.group.count)}</span>
                </button>
              </li>
            );
          case 'more':
            return (
              <li key={line.key}>
                <button type="button" className="btn btn-sm btn-outline-secondary" onClick={() => onMore(line.group)}>
                  {t('Show more ({n} left)', { n: formatNumber(line.group.count - line.visibleCount) })}
                </button>
              </li>
            );
          case 'wait':
            return <li key={line.key}>{t('Loading…')}</li>;
          default: {
            const { record } = line;
            const name = title ? cardText(record[title.field], record.display_name) : String(record.display_name);
            return (
              <li key={line.key} data-id={record.id} className="backend-phone-card">
                <Check
                  wrap="backend-select-box"
                  aria-label={t('Select {name}', { name })}
                  checked={isChosen(selection, record.id)}
                  aria-disabled={isStale || undefined}
                  onChange={() => setSelection(toggled(selection, record.id, inSight))}
                />
                <Link to={recordAddress(info.name, record.id, menu)} className="backend-phone-link">
                  <strong>{name}</strong>
                  {cardFields(info, rest, record, name).map((fieldName) => {
                    const field = info.fields[fieldName];
                    if (!field) return null;
                    const { Show } = widgetFor(field, declaredColumn(info, fieldName).widget);
                    // Links can't be nested.
                    const isLink = field.kind === 'many2one' || field.kind === 'char';
                    return (
                      <span key={fieldName} className="backend-phone-line">
                        <span className="text-body-secondary">{columnLabel(info, fieldName)}</span>{' '}
                        {isLink ? (
                          cardText(record[fieldName], '')
                        ) : (
                          <Show value={record[fieldName]} field={field} record={record} model={info.name} />
                        )}
                      </span>
                    );
                  })}
                </Link>
              </li>
            );
          }
        }
      })}
    </ul>
  );
}

function cardText(value: unknown, otherwise: unknown): string {
  if (Array.isArray(value) && typeof value[1] === 'string') return value[1];
  return typeof value === 'string' && value !== '' ? value : String(otherwise || '');
}
