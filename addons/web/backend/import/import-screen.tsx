import { useMutation, useQueryClient } from '@tanstack/react-query';
import { confirmDialog, plural, rpc, t } from 'pergola/browser';
import { useRef, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { Check } from '../../kit/field.tsx';
import { listAddress } from '../lib/addresses.ts';
import { newChangeKey } from '../lib/change-key.ts';
import { formatNumber } from '../lib/format.ts';
import { keys, useModel } from '../lib/queries.ts';
import { menuLine, menuOfModel, useStart } from '../lib/start.tsx';
import { useDoneMessage } from '../lib/undo.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import type { ImportOutcome, ImportPreview, ModelInfo } from '../types.ts';
import { FilePicker } from './file-picker.tsx';
import { MappingTable } from './mapping-table.tsx';
import { OutcomeReport } from './outcome-report.tsx';
import { SourceBoxes, type SourceChoice } from './source-boxes.tsx';

/** The selected file in the format of calls. */
interface Chosen {
  readonly name: string;
  /** base64 */
  readonly content: string;
}

/** User's choices: how to read the file, and what its columns mean. */
interface Choice {
  readonly file: Chosen;
  readonly source: SourceChoice;
  /** Null for the server's suggestion. */
  readonly mapping: readonly string[] | null;
  /** User's answers, by column. */
  readonly answers: readonly (string | null)[];
}

/** Converts the answer about a column to the format of calls. */
function writingOf(answer: string | null | undefined) {
  return {
    decimal: answer === '.' || answer === ',' ? answer : null,
    dayFirst: answer === 'day' ? true : answer === 'month' ? false : null,
  };
}

/** Asks the questions about the records of a file one after another. Returns false if the user cancels. */
async function confirmAll(questions: ImportOutcome['questions']): Promise<boolean> {
  for (const { text, yes } of questions)
    if (!(await confirmDialog(text, { title: yes, yes, no: t('Go back') }))) return false;
  return questions.length > 0;
}

/** Import screen: select a file, map its columns, test the import, then run it. */
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
          current={t('Import: {name}', { name: label })}
        />
      </div>
      <Steps info={info} list={list} />
    </div>
  );
}

function Steps({ info, list }: { info: ModelInfo; list: string }) {
  const [current, setCurrent] = useState<(Choice & { readonly preview: ImportPreview }) | null>(null);
  const [makeMissing, setMakeMissing] = useState(false);
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const latest = useRef<Choice | null>(null);
  const read = useMutation({
    mutationFn: ({ file, source, mapping, answers }: Choice) =>
      rpc('/web/backend/import/read', {
        model: info.name,
        file: file.content,
        source,
        ...(mapping ? { mapping } : {}),
        columns: answers.map(writingOf),
      }) as Promise<ImportPreview>,
    onSuccess: (preview, choice) => {
      // Responses may arrive out of order.
      if (choice === latest.current) setCurrent({ ...choice, preview });
    },
  });
  const change = (choice: Choice): void => {
    latest.current = choice;
    setOutcome(null);
    read.mutate(choice);
  };
  const showDone = useDoneMessage();
  const run = useMutation({
    mutationFn: async (options: { dryRun: boolean; skipFaulty: boolean; confirmed?: boolean }) => {
      const changeKey = newChangeKey();
      const report = (await rpc('/web/backend/import/run', {
        model: info.name,
        file: current?.file.content ?? '',
        source: current?.source ?? {},
        mapping: current?.preview.mapping ?? [],
        columns: (current?.answers ?? []).map(writingOf),
        makeMissing,
        changeKey,
        ...options,
      })) as ImportOutcome;
      return { report, changeKey };
    },
    onSuccess: async ({ report, changeKey }, options) => {
      setOutcome(report);
      const isAsked = !options.dryRun && !report.kept && (report.faulty === 0 || options.skipFaulty);
      if (isAsked && !options.confirmed && (await confirmAll(report.questions)))
        run.mutate({ ...options, confirmed: true });
      if (!report.kept) return;
      await client.invalidateQueries({ queryKey: keys.records(info.name) });
      const text = t('{n} imported.', { n: formatNumber(report.created + report.updated) });
      showDone(text, changeKey, info);
      if (report.faulty === 0) void navigate(list);
    },
  });
  if (!current) {
    const start = (file: Chosen): void => change({ file, source: {}, mapping: null, answers: [] });
    return <FilePicker isPending={read.isPending} onFile={start} />;
  }
  const { preview, file } = current;
  // While the file is being read again, the selects show the new choices and the table the previous rows.
  const latestChoice = read.isPending && read.variables ? read.variables : current;
  const mapping = latestChoice.mapping ?? preview.mapping;
  const isUsable = mapping.some((id) => id !== '');
  const missing = preview.targets.filter(({ id, required }) => required && !mapping.includes(id));
  const isMatched = mapping.includes('id') || mapping.includes('.id');
  const open = preview.columns.flatMap(({ question, value }, index) =>
    question && value === null ? [preview.headers[index] || t('Column {n}', { n: index + 1 })] : [],
  );
  const isReady = isUsable && open.length === 0 && !run.isPending && !read.isPending;
  return (
    <>
      <p className="d-flex flex-wrap align-items-center gap-3">
        <strong className="text-break">{file.name}</strong>
        <span>{plural('{n} line', '{n} lines', preview.count)}</span>
        <button type="button" className="btn btn-sm btn-outline-secondary" onClick={() => setCurrent(null)}>
          {t('Choose another file')}
        </button>
      </p>
      <SourceBoxes
        source={preview.source}
        choice={latestChoice.source}
        onChange={(source) =>
          change({ file, source: { ...latestChoice.source, ...source }, mapping: null, answers: [] })
        }
      />
      <MappingTable
        preview={preview}
        mapping={mapping}
        answers={latestChoice.answers}
        onMap={(column, id) =>
          change({
            ...latestChoice,
            mapping: mapping.map((target, index) => (index === column ? id : target)),
            answers: mapping.map((_, index) => (index === column ? null : (latestChoice.answers[index] ?? null))),
          })
        }
        onAnswer={(column, answer) =>
          change({
            ...latestChoice,
            mapping,
            answers: mapping.map((_, index) => (index === column ? answer : (latestChoice.answers[index] ?? null))),
          })
        }
      />
      {preview.timezone && (
        <p className="text-body-secondary">{t('Times are in the time zone {zone}.', { zone: preview.timezone })}</p>
      )}
      <p role="status" className={open.length > 0 ? 'alert alert-warning py-2' : 'visually-hidden'} data-slot="open">
        {open.length > 0 && t('Choose a format above for these columns: {columns}', { columns: open.join(', ') })}
      </p>
      {missing.length > 0 && !isMatched && (
        <p className="alert alert-warning py-2">
          {t('Required for new records: {fields}', { fields: missing.map(({ label }) => label).join(', ') })}
        </p>
      )}
      <Check
        label={t('Create missing related records')}
        checked={makeMissing}
        onChange={(isOn) => {
          setMakeMissing(isOn);
          setOutcome(null);
        }}
      />
      <div className="d-flex flex-wrap gap-2 my-3">
        <button
          type="button"
          className="btn btn-outline-primary"
          data-slot="try"
          disabled={!isReady}
          onClick={() => run.mutate({ dryRun: true, skipFaulty: false })}
        >
          {t('Test')}
        </button>
        <button
          type="button"
          className="btn btn-primary"
          data-slot="run"
          disabled={!isReady}
          onClick={() => run.mutate({ dryRun: false, skipFaulty: false })}
        >
          {plural('Import {n} line', 'Import {n} lines', preview.count)}
        </button>
      </div>
      {run.isPending && (
        <p role="status" className="text-body-secondary">
          {t('Reading the file…')}
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
