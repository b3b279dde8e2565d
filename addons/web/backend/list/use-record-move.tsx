import { useQueryClient } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { toWire } from '../fields/registry.tsx';
import { confirmWrite, NotConfirmed } from '../lib/ask-first.ts';
import { type Conflicts, saveOver, type WireRecord } from '../lib/calls.ts';
import { newChangeKey } from '../lib/change-key.ts';
import { keys } from '../lib/queries.ts';
import { useTrouble } from '../lib/trouble.tsx';
import { useDoneMessage } from '../lib/undo.tsx';
import type { ModelInfo } from '../types.ts';

const ConflictDialog = lazy(async () => ({ default: (await import('../form/conflict-dialog.tsx')).ConflictDialog }));

type Values = Readonly<Record<string, unknown>>;

/** Change of a record by dragging, or by the equivalent menu. */
export interface RecordMove {
  readonly record: WireRecord;
  /** New field values, in record format. */
  readonly values: Values;
  /** Field values before the change. */
  readonly seen: Values;
  /** Success message. */
  readonly successMessage: string;
  /** Moves the record back. */
  undo?(): void;
}

/**
 * Saves a move if the fields are unchanged. If another user was faster, nothing is overwritten: `dialog` shows both values and the user
 * picks one for each field.
 */
export function useRecordMove(info: ModelInfo): {
  move(change: RecordMove): Promise<void>;
  readonly isMoving: boolean;
  readonly dialog: ReactNode;
} {
  const client = useQueryClient();
  const report = useTrouble();
  const showDone = useDoneMessage();
  const [isMoving, setMoving] = useState(false);
  const [open, setOpen] = useState<{ readonly change: RecordMove; readonly conflicts: Conflicts } | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: keys.records(info.name) });
  const move = async (change: RecordMove): Promise<void> => {
    const { record, values, seen, successMessage, undo } = change;
    setMoving(true);
    try {
      const sent = wireValues(info, values);
      await confirmWrite(info, [record.id], sent);
      const changeKey = newChangeKey();
      const conflicts = await saveOver({ model: info.name, id: record.id, values: sent, seen, changeKey });
      setOpen(conflicts && { change, conflicts });
      if (conflicts) return;
      showDone(successMessage, changeKey, info);
      await refresh();
    } catch (error) {
      setOpen(null);
      undo?.();
      if (!(error instanceof NotConfirmed)) report(error);
    } finally {
      setMoving(false);
    }
  };
  const giveUp = (): void => {
    setOpen(null);
    open?.change.undo?.();
    void refresh().catch(report);
  };
  const settle = (choices: Readonly<Record<string, 'mine' | 'theirs'>>): void => {
    if (!open) return;
    const remaining = resolveMove(open.change, open.conflicts, choices);
    if (Object.keys(remaining.values).length === 0) giveUp();
    else void move(remaining);
  };
  const dialog = open && (
    <Suspense>
      <ConflictDialog
        info={info}
        conflicts={open.conflicts}
        ownValues={open.change.values}
        record={open.change.record}
        isSaving={isMoving}
        leaveLabel={t('Cancel')}
        onLeave={giveUp}
        onSettle={settle}
      />
    </Suspense>
  );
  return { move, isMoving, dialog };
}

function wireValues({ fields }: ModelInfo, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = fields[name];
      return field ? [[name, toWire(value, field)]] : [];
    }),
  );
}

/**
 * Returns the move after a conflict was resolved, without fields that keep the other user's value. The remaining fields overwrite that
 * value.
 */
function resolveMove(change: RecordMove, conflicts: Conflicts, choices: Readonly<Record<string, string>>): RecordMove {
  const savedValues = new Map(conflicts.fields.map((conflict) => [conflict.field, conflict.theirs]));
  const values = Object.entries(change.values).filter(([name]) => choices[name] !== 'theirs');
  const seen = Object.entries(change.seen).map(([name, value]) => [
    name,
    savedValues.has(name) ? savedValues.get(name) : value,
  ]);
  return { ...change, values: Object.fromEntries(values), seen: Object.fromEntries(seen) };
}
