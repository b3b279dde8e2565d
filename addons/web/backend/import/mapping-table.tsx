import { t } from 'pergola/browser';
import { Icon } from '../lib/icon.tsx';
import type { ImportColumn, ImportPreview } from '../types.ts';

/** First rows as they will be stored. The header selects each column's field and format. */
export function MappingTable({
  preview,
  mapping,
  answers,
  onMap,
  onAnswer,
}: {
  preview: ImportPreview;
  mapping: readonly string[];
  answers: readonly (string | null)[];
  onMap(column: number, id: string): void;
  onAnswer(column: number, answer: string | null): void;
}) {
  const { headers, sample, problems, columns, targets } = preview;
  const nameOf = (index: number): string => headers[index] || t('Column {n}', { n: index + 1 });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: makes the scrollable area reachable by keyboard
    <section className="table-responsive mb-3" tabIndex={0} aria-label={t('Columns in the file')}>
      <table className="table table-sm backend-import-table">
        <thead>
          <tr>
            {headers.map((header, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move
              <th key={index} scope="col">
                {header || nameOf(index)}
              </th>
            ))}
          </tr>
          <tr>
            {headers.map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move
              <th key={index}>
                <select
                  className={`form-select form-select-sm${mapping[index] ? '' : ' text-body-secondary'}`}
                  aria-label={t('Import “{name}” as', { name: nameOf(index) })}
                  value={mapping[index] ?? ''}
                  onChange={(event) => onMap(index, event.target.value)}
                >
                  <option value="">{t('Skip')}</option>
                  {targets.map(({ id, label }) => (
                    <option key={id} value={id} disabled={mapping.includes(id) && mapping[index] !== id}>
                      {label}
                    </option>
                  ))}
                </select>
              </th>
            ))}
          </tr>
          {columns.some(({ kind, value, question }) => kind !== null && (value !== null || question !== null)) && (
            <tr>
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move
                <th key={index} className="fw-normal">
                  <WritingBox
                    column={column}
                    name={nameOf(index)}
                    answer={answers[index] ?? column.value}
                    onAnswer={(answer) => onAnswer(index, answer)}
                  />
                </th>
              ))}
            </tr>
          )}
        </thead>
        <tbody>
          {sample.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows don't move
            <tr key={line}>
              {row.map((cell, index) => (
                <PreviewCell
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move
                  key={index}
                  text={cell}
                  problem={problems[line]?.[index] ?? null}
                  isRead={mapping[index] !== ''}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function PreviewCell({ text, problem, isRead }: { text: string; problem: string | null; isRead: boolean }) {
  if (problem === null) return <td className={isRead ? '' : 'text-body-secondary'}>{text}</td>;
  return (
    <td className="text-danger-emphasis" title={problem}>
      <Icon name="exclamation-triangle" className="me-1" />
      {text}
      <span className="visually-hidden"> {problem}</span>
    </td>
  );
}

/** Format of a column; asks a question if its cells are ambiguous. */
function WritingBox({
  column: { kind, value, question },
  name,
  answer,
  onAnswer,
}: {
  column: ImportColumn;
  name: string;
  answer: string | null;
  onAnswer(answer: string | null): void;
}) {
  if (question === null)
    return value === null ? null : <span className="text-body-secondary">{writings()[value]}</span>;
  const isOpen = answer === null;
  return (
    <select
      className={`form-select form-select-sm${isOpen ? ' is-invalid' : ''}`}
      aria-label={
        kind === 'date'
          ? t('Dates like {example} in “{name}”', { example: question.example, name })
          : t('Numbers like {example} in “{name}”', { example: question.example, name })
      }
      aria-invalid={isOpen}
      data-slot="question"
      value={answer ?? ''}
      onChange={(event) => onAnswer(event.target.value || null)}
    >
      {value === null && <option value="">{t('{example} means …', { example: question.example })}</option>}
      {question.choices.map(({ value: choice, label }) => (
        <option key={choice} value={choice}>
          {t('{example} = {meaning}', { example: question.example, meaning: label })}
        </option>
      ))}
    </select>
  );
}

function writings(): Readonly<Record<string, string>> {
  return {
    '.': t('Decimal point'),
    ',': t('Decimal comma'),
    day: t('Day before month'),
    month: t('Month before day'),
  };
}
