import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { plural, t } from 'pergola/browser';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { Dialog } from '../../kit/dialog.tsx';
import { listAddress } from '../lib/addresses.ts';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type ImportedCatalog, type LanguageCoverage, settingsCalls } from './calls.ts';
import { CardTable } from './parts.tsx';

/** Translation progress of the site's texts, with export and import of translation files. */
export function TranslationsScreen() {
  const { data } = useSuspenseQuery({ queryKey: ['languages'], queryFn: () => settingsCalls.languages({}) });
  const active = data.filter((language) => language.active);
  const [selectedCode, setSelectedCode] = useState(
    active.find(({ isSource }) => !isSource)?.code ?? active[0]?.code ?? '',
  );
  const language = active.find(({ code }) => code === selectedCode);
  return (
    <>
      <Crumbs current={t('Translations')} />
      <div className="settings-tools">
        <fieldset className="apps-states" aria-label={t('Language')}>
          {active.map(({ code, name, isSource, addons }) => (
            <button
              key={code}
              type="button"
              className={`btn btn-sm btn-outline-secondary${code === selectedCode ? ' active' : ''}`}
              aria-pressed={code === selectedCode}
              onClick={() => setSelectedCode(code)}
            >
              {name} {!isSource && <span className="apps-count">{percentText(addons)}</span>}
            </button>
          ))}
        </fieldset>
        <Link className="btn btn-sm btn-outline-secondary" to={listAddress('res.lang')}>
          <Icon name="globe" /> {t('Languages of the site')}
        </Link>
      </div>
      {language && <Coverage language={language} />}
    </>
  );
}

function percentText(addons: LanguageCoverage['addons']): string {
  const total = addons.reduce((sum, addon) => sum + addon.total, 0);
  const missing = addons.reduce((sum, addon) => sum + addon.missing, 0);
  return formatNumber(total === 0 ? 1 : Math.floor(((total - missing) / total) * 1000) / 1000, {
    style: 'percent',
    maximumFractionDigits: 1,
  });
}

function Coverage({ language }: { language: LanguageCoverage }) {
  const { code, isSource, addons } = language;
  const [imported, setImported] = useState<ImportedCatalog | null>(null);
  const texts = addons.filter(({ total }) => total > 0);
  return (
    <>
      {isSource && <p>{t('The texts are written in this language. Import a file to replace them with your own.')}</p>}
      <CardTable label={t('Texts by app')} head={[t('App'), t('Texts'), t('Not translated'), t('Actions')]}>
        {texts.map(({ addon, title, total, missing }) => (
          <tr key={addon}>
            <td data-label={t('App')}>
              {title} <small className="text-body-secondary">{addon}</small>
            </td>
            <td data-label={t('Texts')}>{formatNumber(total)}</td>
            <td data-label={t('Not translated')}>
              {isSource ? '–' : missing === 0 ? t('none') : <strong>{formatNumber(missing)}</strong>}
            </td>
            <td className="settings-acts">
              <a
                className="btn btn-sm btn-outline-secondary"
                href={`/web/backend/languages/${code}/${addon}.po`}
                download
                aria-label={t('{action}: {name}', { action: t('Export'), name: title })}
              >
                <Icon name="download" /> {t('Export')}
              </a>{' '}
              <ImportButton lang={code} addon={addon} title={title} onDone={setImported} />
            </td>
          </tr>
        ))}
      </CardTable>
      {imported && <ImportedDialog result={imported} onClose={() => setImported(null)} />}
    </>
  );
}

function ImportButton({
  lang,
  addon,
  title,
  onDone,
}: {
  lang: string;
  addon: string;
  title: string;
  onDone(result: ImportedCatalog): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  const bringIn = useMutation({
    mutationFn: async (file: File) => settingsCalls.importCatalog({ addon, lang, source: await file.text() }),
    onSuccess: (result) => {
      onDone(result);
      // New texts are counted only once they are served.
      setTimeout(() => void client.invalidateQueries({ queryKey: ['languages'] }), 2_000);
    },
  });
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".po,text/x-gettext-translation"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) bringIn.mutate(file);
        }}
      />
      <button
        type="button"
        className="btn btn-sm btn-outline-secondary"
        disabled={bringIn.isPending}
        onClick={() => input.current?.click()}
        aria-label={t('{action}: {name}', { action: t('Import'), name: title })}
      >
        <Icon name="upload" /> {t('Import')}
      </button>
    </>
  );
}

function ImportedDialog({ result, onClose }: { result: ImportedCatalog; onClose(): void }) {
  const { translated, total, unknown, problems } = result;
  return (
    <Dialog
      title={t('Translations imported')}
      onClose={onClose}
      slot="imported"
      foot={
        <button type="button" className="btn btn-primary" onClick={onClose}>
          {t('Close')}
        </button>
      }
    >
      <p>
        {t('{n} of {total} texts are now translated. Pages will be updated shortly.', {
          n: formatNumber(translated),
          total: formatNumber(total),
        })}
      </p>
      {problems.length > 0 && (
        <>
          <p className="fw-semibold mb-1">{t('Skipped because of errors:')}</p>
          <ul className="apps-problems">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </>
      )}
      {unknown.length > 0 && (
        <details>
          <summary>
            {plural(
              '{n} text in the file doesn’t belong to this app',
              '{n} texts in the file don’t belong to this app',
              unknown.length,
            )}
          </summary>
          <ul className="apps-problems">
            {unknown.slice(0, 100).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </Dialog>
  );
}
