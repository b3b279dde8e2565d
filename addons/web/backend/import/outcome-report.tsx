import { plural, t } from 'pergola/browser';
import { Link } from 'react-router';
import { formatNumber } from '../lib/format.ts';
import type { ImportOutcome } from '../types.ts';

/** Result of an import or a test run, with the rejected rows. */
export function OutcomeReport({
  outcome,
  list,
  onWithout,
}: {
  outcome: ImportOutcome;
  list: string;
  onWithout(): void;
}) {
  const { created, updated, faulty, errors, questions, kept: isKept, total } = outcome;
  const counts = { created: formatNumber(created), updated: formatNumber(updated) };
  return (
    <section data-slot="outcome" aria-label={t('Result')}>
      <p className={`alert ${faulty > 0 ? 'alert-warning' : 'alert-success'}`} role="status">
        {isKept
          ? t('Imported: {created} created, {updated} updated.', counts)
          : faulty === 0
            ? t(
                'No errors found: {created} records to create, {updated} to update. Nothing has been saved yet.',
                counts,
              )
            : t('{n} of {total} lines have errors. Nothing was saved.', {
                n: formatNumber(faulty),
                total: formatNumber(total),
              })}
      </p>
      {questions.map(({ text }) => (
        <p key={text} className="alert alert-warning" data-slot="question">
          {text}
        </p>
      ))}
      {isKept && (
        <Link className="btn btn-primary mb-3" to={list}>
          {t('Open the list')}
        </Link>
      )}
      {errors.length > 0 && (
        <>
          <h2 className="h5">{isKept ? t('Skipped lines') : t('Lines with errors')}</h2>
          <div className="table-responsive">
            <table className="table table-sm" data-slot="faults">
              <thead>
                <tr>
                  <th scope="col">{t('Line')}</th>
                  <th scope="col">{t('Column')}</th>
                  <th scope="col">{t('Problem')}</th>
                </tr>
              </thead>
              <tbody>
                {errors.map(({ line, column, message }) => (
                  <tr key={`${line} ${column} ${message}`}>
                    <td>{line}</td>
                    <td>{column}</td>
                    <td className="text-break">{message}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {!isKept && faulty < total && (
            <button type="button" className="btn btn-outline-secondary" data-slot="without" onClick={onWithout}>
              {plural('Import the remaining line', 'Import the remaining {n} lines', total - faulty)}
            </button>
          )}
        </>
      )}
    </section>
  );
}
