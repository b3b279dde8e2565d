import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notify, t } from 'pergola/browser';
import { type KeyboardEvent, lazy, Suspense, useId, useRef, useState } from 'react';
import { type ShowProps, toWire, widgetFor } from '../fields/registry.tsx';
import { isUnreadable } from '../fields/wire.ts';
import { confirmWrite, NotConfirmed } from '../lib/ask-first.ts';
import { type Conflicts, readRecords, saveOver, type WireRecord } from '../lib/calls.ts';
import { keys } from '../lib/queries.ts';
import { fieldErrorsOf, useTrouble } from '../lib/trouble.tsx';
import type { FieldInfo, ModelInfo } from '../types.ts';

const ConflictDialog = lazy(async () => ({ default: (await import('../form/conflict-dialog.tsx')).ConflictDialog }));

/** Kinds whose value is complete after one selection and is written at once. Others are written when the cell loses focus. */
const atOnce: ReadonlySet<string> = new Set(['boolean', 'selection', 'many2one']);

/** A cell edited in place: Enter, F2 or a click opens it; Enter or blur keeps the input, Escape discards it. */
export function EditableCell({
  value,
  field,
  record,
  model,
  info,
  widget,
  label,
  isNumber,
}: Omit<ShowProps, 'record'> & {
  record: WireRecord;
  info: ModelInfo;
  widget: string | null;
  label: string;
  isNumber: boolean;
}) {
  const { Show, Edit } = widgetFor(field, widget);
  const [draft, setDraft] = useState<{ value: unknown } | null>(null);
  const cell = useRef<HTMLTableCellElement>(null);
  const id = useId();
  const save = useSave(info, record, field);
  const isOpen = draft !== null;
  // Removing the input blurs it, too; the outcome must not be decided twice.
  const isDecided = useRef(false);
  const [conflict, setConflict] = useState<{ conflicts: Conflicts; mine: unknown } | null>(null);
  const open = (): void => {
    isDecided.current = false;
    setDraft({ value });
  };
  const close = (): void => {
    isDecided.current = true;
    setDraft(null);
  };
  /** `refocus`: returns the focus to the cell after closing. */
  const commit = async (next: unknown, refocus = false, seen: unknown = value): Promise<void> => {
    // The cell stays open with its error.
    if (isDecided.current || isUnreadable(next)) return;
    if (!same(next, seen)) {
      isDecided.current = true;
      try {
        const conflicts = await save.mutateAsync({ next, seen });
        if (conflicts) {
          setConflict({ conflicts, mine: next });
          return;
        }
      } catch (error) {
        if (error instanceof NotConfirmed) return close();
        // The error was reported; the cell stays open with the input.
        isDecided.current = false;
        return;
      }
    }
    close();
    if (refocus) cell.current?.focus();
  };
  /** Resolves a conflict: shows the other user's value, or overwrites it with the user's own. */
  const settle = async (choice: 'mine' | 'theirs' | undefined): Promise<void> => {
    const savedValue = conflict?.conflicts.fields[0]?.theirs;
    isDecided.current = false;
    setConflict(null);
    if (choice === 'mine') return commit(conflict?.mine, true, savedValue);
    close();
    await save.refresh();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (!isOpen && (event.key === 'Enter' || event.key === 'F2')) {
      event.preventDefault();
      open();
    } else if (isOpen && event.key === 'Enter') {
      event.preventDefault();
      void commit(draft.value, true);
    } else if (isOpen && event.key === 'Escape') {
      event.stopPropagation();
      close();
      cell.current?.focus();
    }
  };
  return (
    <>
      <td
        ref={cell}
        tabIndex={isOpen ? -1 : 0}
        data-editable={field.name}
        aria-label={isOpen ? undefined : label}
        className={`${isNumber ? 'backend-number' : ''}${isOpen ? ' open' : ''}`}
        onClick={() => {
          if (!isOpen) open();
        }}
        onKeyDown={onKey}
      >
        {isOpen && Edit ? (
          <Edit
            id={id}
            label={label}
            value={draft.value}
            field={field}
            record={record}
            model={model}
            inList
            autoFocus
            invalid={save.isError}
            onChange={(next) => {
              setDraft({ value: next });
              if (atOnce.has(field.kind) && next !== draft.value) void commit(next, true);
            }}
            onBlur={() => void commit(draft.value)}
          />
        ) : (
          <Show value={value} field={field} record={record} model={model} />
        )}
      </td>
      {conflict && (
        <Suspense>
          <ConflictDialog
            info={info}
            conflicts={conflict.conflicts}
            ownValues={{ [field.name]: conflict.mine }}
            record={record}
            isSaving={save.isPending}
            onLeave={() => {
              isDecided.current = false;
              setConflict(null);
            }}
            onSettle={(choices) => void settle(choices[field.name])}
          />
        </Suspense>
      )}
    </>
  );
}

function same(a: unknown, b: unknown): boolean {
  const empty = (value: unknown): unknown => (value === '' || value === null || value === undefined ? false : value);
  const id = (value: unknown): unknown => (Array.isArray(value) ? value[0] : empty(value));
  return id(a) === id(b);
}

/** Writes a value unless another user has changed it, and updates the record in every loaded list. Returns the conflicts, if any. */
function useSave(info: ModelInfo, record: WireRecord, field: FieldInfo) {
  const client = useQueryClient();
  const report = useTrouble();
  const refresh = async (): Promise<void> => {
    const names = Object.keys(record).filter((name) => name !== 'id');
    const [fresh] = await readRecords(info.name, [record.id], names);
    client.setQueriesData<unknown>({ queryKey: [...keys.records(info.name), 'list'] }, (cached: unknown) =>
      Array.isArray(cached) && fresh
        ? cached.map((row: unknown) => (isRecord(row) && row.id === record.id ? { ...row, ...fresh } : row))
        : cached,
    );
    void client.invalidateQueries({ queryKey: [...keys.records(info.name), 'form'] });
  };
  const mutation = useMutation({
    mutationFn: async ({ next, seen }: { next: unknown; seen: unknown }) => {
      const values = { [field.name]: toWire(next, field) };
      await confirmWrite(info, [record.id], values);
      const conflicts = await saveOver({
        model: info.name,
        id: record.id,
        values,
        seen: { [field.name]: seen ?? false },
      });
      if (!conflicts) await refresh();
      return conflicts;
    },
    onError: (error) => {
      for (const text of Object.values(fieldErrorsOf(error)))
        notify(t('{field}: {text}', { field: field.label, text }), 'alert');
    },
    meta: { hasFields: true },
  });
  return { ...mutation, refresh: () => refresh().catch(report) };
}

function isRecord(value: unknown): value is WireRecord {
  return typeof value === 'object' && value !== null && 'id' in value;
}
