import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { notify, pageLanguage, rpc, t } from '#core/browser';
import { listAddress } from '../lib/addresses.ts';
import { formatNumber } from '../lib/format.ts';
import { keys, useModel } from '../lib/queries.ts';
import { menuLine, menuOfModel, useStart } from '../lib/start.tsx';
import { useTrouble } from '../lib/trouble.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import type { ImportOutcome, ImportPreview, ModelInfo } from '../types.ts';
import { FilePicker } from './file-picker.tsx';
import { MappingTable } from './mapping-table.tsx';
import { OutcomeReport } from './outcome-report.tsx';

/** A file that was chosen, as calls take it. */
interface Chosen {
  readonly name: string;
  /** base64 */
  readonly content: string;
}

/** How the file is to be read. */
interface Options {
  readonly dayFirst: boolean;
  /** The decimal sign of numbers like 1,250 in columns that don't tell; null: they are refused. */
  readonly decimal: '.' | ',' | null;
  readonly makeMissing: boolean;
}

/** Reads records from a file: choose it, say what its columns mean, try it, then keep it. */
export function ImportScreen() {
  const { model = '' } = useParams();
  const info = useModel(model);
  const { menus } = useStart();
  const [query] = useSearchParams();
  const menu = menuLine(menus, query.get('menu')).at(-1) ?? menuOfModel(menus, model);
  const label = menu?.model === model ? menu.label : info.label;
  const list = listAddress(model, menu?.id ?? null);
  return (
    <div className="backend-import" data-slot="import">
      <div className="backend-head px-0">
        <Crumbs
          between={menu?.model === model ? [] : [{ label, to: list }]}
          here={t('Import: {name}', { name: label })}
        />
      </div>
      <Steps info={info} list={list} />
    </div>
  );
}

function Steps({ info, list }: { info: ModelInfo; list: string }) {
  const [file, setFile] = useState<Chosen | null>(null);
  const [mapping, setMapping] = useState<readonly string[]>([]);
  const [options, setOptions] = useState<Options>({
    dayFirst: !pageLanguage().startsWith('en-US'),
    decimal: null,
    makeMissing: false,
  });
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null);
  const report = useTrouble();
  const client = useQueryClient();
  const navigate = useNavigate();
  const read = useMutation({
    mutationFn: (chosen: Chosen) =>
      rpc<ImportPreview>('/web/backend/import/read', { model: info.name, file: chosen.content }),
    onSuccess: (preview, chosen) => {
      setFile(chosen);
      setMapping(preview.mapping);
      setOutcome(null);
    },
    onError: report,
  });
  const run = useMutation({
    mutationFn: (about: { dryRun: boolean; skipFaulty: boolean }) =>
      rpc<ImportOutcome>('/web/backend/import/run', {
        model: info.name,
        file: file?.content ?? '',
        mapping,
        ...options,
        ...about,
      }),
    onSuccess: async (found) => {
      setOutcome(found);
      if (!found.kept) return;
      await client.invalidateQueries({ queryKey: keys.records(info.name) });
      notify(t('Imported: {n}.', { n: formatNumber(found.created + found.updated) }));
      if (found.faulty === 0) void navigate(list);
    },
    onError: report,
  });
  const preview = read.data;
  const again = (): void => {
    setFile(null);
    setOutcome(null);
    read.reset();
  };
  if (!file || !preview) return <FilePicker isPending={read.isPending} onFile={(chosen) => read.mutate(chosen)} />;
  const isUsable = mapping.some((id) => id !== '');
  const missing = preview.targets.filter(({ id, required }) => required && !mapping.includes(id));
  const isMatched = mapping.includes('id') || mapping.includes('.id');
  return (
    <>
      <p className="d-flex flex-wrap align-items-center gap-3">
        <strong>{file.name}</strong>
        <span>{preview.count === 1 ? t('1 line') : t('{n} lines', { n: formatNumber(preview.count) })}</span>
        <button type="button" className="btn btn-sm btn-outline-secondary" onClick={again}>
          {t('Another file')}
        </button>
      </p>
      <MappingTable
        preview={preview}
        mapping={mapping}
        onChange={(next) => {
          setMapping(next);
          setOutcome(null);
        }}
      />
      {missing.length > 0 && !isMatched && (
        <p className="alert alert-warning py-2">
          {t('New records need: {fields}', { fields: missing.map(({ label }) => label).join(', ') })}
        </p>
      )}
      <OptionBoxes options={options} onChange={setOptions} />
      <div className="d-flex flex-wrap gap-2 my-3">
        <button
          type="button"
          className="btn btn-outline-primary"
          data-slot="try"
          disabled={!isUsable || run.isPending}
          onClick={() => run.mutate({ dryRun: true, skipFaulty: false })}
        >
          {t('Try it')}
        </button>
        <button
          type="button"
          className="btn btn-primary"
          data-slot="run"
          disabled={!isUsable || run.isPending}
          onClick={() => run.mutate({ dryRun: false, skipFaulty: false })}
        >
          {preview.count === 1 ? t('Import 1 line') : t('Import {n} lines', { n: formatNumber(preview.count) })}
        </button>
      </div>
      {run.isPending && (
        <p role="status" className="text-body-secondary">
          {t('The lines are being read …')}
        </p>
      )}
      {outcome && !run.isPending && (
        <OutcomeReport
          outcome={outcome}
          list={list}
          onWithout={() => run.mutate({ dryRun: false, skipFaulty: true })}
        />
      )}
    </>
  );
}

function OptionBoxes({ options, onChange }: { options: Options; onChange(options: Options): void }) {
  return (
    <fieldset>
      <legend className="visually-hidden">{t('How the file is read')}</legend>
      <div className="d-flex flex-wrap align-items-center gap-3">
        <label className="d-flex align-items-center gap-2">
          {t('Dates like 03/04/2026 are')}
          <select
            className="form-select form-select-sm w-auto"
            value={options.dayFirst ? 'day' : 'month'}
            onChange={(event) => onChange({ ...options, dayFirst: event.target.value === 'day' })}
          >
            <option value="day">{t('3 April')}</option>
            <option value="month">{t('4 March')}</option>
          </select>
        </label>
        <label className="d-flex align-items-center gap-2">
          {t('Numbers like 1,250 are')}
          <select
            className="form-select form-select-sm w-auto"
            value={options.decimal ?? ''}
            onChange={({ target }) =>
              onChange({ ...options, decimal: target.value === '.' || target.value === ',' ? target.value : null })
            }
          >
            <option value="">{t('As in the rest of the column')}</option>
            <option value=".">{formatNumber(1250, { useGrouping: false })}</option>
            <option value=",">{formatNumber(1.25)}</option>
          </select>
        </label>
        <div className="form-check">
          <input
            id="import-make"
            type="checkbox"
            className="form-check-input"
            checked={options.makeMissing}
            onChange={(event) => onChange({ ...options, makeMissing: event.target.checked })}
          />
          <label className="form-check-label" htmlFor="import-make">
            {t('Make records that are named and not there yet')}
          </label>
        </div>
      </div>
    </fieldset>
  );
}
