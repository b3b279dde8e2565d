import { t } from 'pergola/browser';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Picture } from '../../kit/picture.tsx';
import { widgetFor } from '../fields/registry.tsx';
import { recordAddress } from '../lib/addresses.ts';
import type { WireRecord } from '../lib/calls.ts';
import { isEmpty, isNamed } from '../lib/format.ts';
import type { RecordsProps } from '../list/records-screen.tsx';
import type { FieldInfo, KanbanView, ModelInfo } from '../types.ts';

/** Props of a screen of cards. */
export type KanbanProps = RecordsProps & { readonly view: KanbanView };

/** Returns the fields of cards in the format of list columns. */
export function cardColumns({ title, image, lines }: KanbanView) {
  return [title, ...(image ? [image] : []), ...lines].map((field) => ({ field, width: null }));
}

/** A record as a card with its image, title and some fields. The title links to the record. */
export function Card({
  record,
  info,
  view,
  menu,
  tools,
  heading: Heading = 'h3',
}: {
  record: WireRecord;
  info: ModelInfo;
  view: KanbanView;
  menu: string | null;
  tools?: ReactNode;
  /** One level below the heading above the cards. */
  heading?: 'h2' | 'h3';
}) {
  const picture = view.image && record[view.image] ? view.image : null;
  const stamp = typeof record.write_date === 'string' ? `&unique=${encodeURIComponent(record.write_date)}` : '';
  const value = record[view.title];
  const title = isNamed(value) ? value[1] : String(value || record.display_name || `#${record.id}`);
  return (
    <article className="backend-card" data-id={record.id}>
      {picture && (
        <Picture
          src={`/web/binary/image?model=${info.name}&field=${picture}&id=${record.id}&resize=128,128${stamp}`}
          alt=""
          width={56}
          height={56}
        />
      )}
      <div className="backend-card-text">
        <Heading>
          <Link to={recordAddress(info.name, record.id, menu)}>{title}</Link>
        </Heading>
        {view.lines.map((name) => {
          const field = info.fields[name];
          if (!field || isEmpty(record[name], field)) return null;
          const { Show } = widgetFor(field);
          return (
            <p key={name}>
              {wantsName(field) && (
                <>
                  <span className="text-body-secondary">{t('{field}:', { field: field.label })}</span>{' '}
                </>
              )}
              {isNamed(record[name]) ? (
                record[name][1]
              ) : (
                <Show value={record[name]} field={field} record={record} model={info.name} />
              )}
            </p>
          );
        })}
      </div>
      {tools}
    </article>
  );
}

/** Whether a value needs its field's name to make sense, such as a count or a yes/no value. */
function wantsName({ kind, currencyField }: FieldInfo): boolean {
  return kind === 'boolean' || ((kind === 'integer' || kind === 'float' || kind === 'decimal') && !currencyField);
}
