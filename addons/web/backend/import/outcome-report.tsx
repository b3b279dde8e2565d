import { t } from 'pergola/browser';
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
    <section data-slot="outcome" aria-label={t('What came of it')}>
      <p className={`alert ${faulty > 0 ? 'alert-warning' : 'alert-success'}`} role="status">
        {isKept
          ? t('Imported: {created} new, {updated} changed.', counts)
          : faulty === 0
            ? t('All lines fit: {created} would be new, {updated} would be changed. Nothing was kept yet.', counts)
            : t('{n} of {total} lines do not fit. Nothing was kept.', {
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
          {t('To the list')}
        </Link>
      )}
      {errors.length > 0 && (
        <>
          <h2 className="h5">{isKept ? t('Lines that were left out') : t('Lines that do not fit')}</h2>
          <div className="table-responsive">
            <table className="table table-sm" data-slot="faults">
              <thead>
                <tr>
                  <th scope="col">{t('Line')}</th>
                  <th scope="col">{t('Column')}</th>
                  <th scope="col">{t('What is wrong')}</th>
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
              {total - faulty === 1
                ? t('Import the other line')
                : t('Import the other {n} lines', { n: formatNumber(total - faulty) })}
            </button>
          )}
        </>
      )}
    </section>
  );
}
