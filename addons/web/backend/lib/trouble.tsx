import { useQueryClient } from '@tanstack/react-query';
import { notify, RpcError, t } from 'pergola/browser';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { NotConfirmed } from './ask-first.ts';

/** A readable error and how to resolve it. */
interface Trouble {
  readonly title: string;
  readonly message: string;
  readonly reference: string | null;
  readonly kind: 'signed-out' | 'offline' | 'refused' | 'fault';
}

const TroubleContext = createContext<(error: unknown) => void>(() => {});

/** RPC error code for calls without a session. */
const SIGNED_OUT = 100;

/** Converts any error to a readable one. */
function troubleOf(error: unknown): Trouble {
  if (!(error instanceof RpcError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { title: t('Something went wrong on this page'), message, reference: null, kind: 'fault' };
  }
  const { code, title, message, reference, reason } = error;
  if (code === SIGNED_OUT)
    return {
      title: t('You have been signed out'),
      message: t('Sign in again in another tab, then come back. Your changes are still here.'),
      reference: null,
      kind: 'signed-out',
    };
  if (code === 0) return { title, message, reference: null, kind: 'offline' };
  const isFault = reason === '' || reason === 'core.internal';
  // Refused requests are explained in words and not logged.
  return { title, message, reference: isFault ? reference : null, kind: isFault ? 'fault' : 'refused' };
}

/** Error texts by field, if the server refused certain values. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  return error instanceof RpcError ? error.fields : {};
}

/**
 * Shows errors in a dialog, with a reference to copy, instead of a blank page: those passed to {@link useTrouble}, and those of all queries
 * and mutations. `meta: { isQuiet: true }` exempts one, `meta: { hasFields: true }` errors that a form shows next to its fields.
 */
export function TroubleProvider({ children }: { children: ReactNode }) {
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const client = useQueryClient();
  const report = useCallback((error: unknown) => {
    console.warn(error);
    setTrouble(troubleOf(error));
  }, []);
  useEffect(() => {
    const stops = [
      // A screen that suspends shows the error itself.
      client.getQueryCache().subscribe(({ type, query, ...event }) => {
        if (type !== 'updated' || !('action' in event) || event.action.type !== 'error') return;
        if (!query.meta?.isQuiet && query.observers.some(({ options }) => !options.suspense))
          report(event.action.error);
      }),
      client.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { error } = event.action;
        const { isQuiet, hasFields } = event.mutation.meta ?? {};
        const isShown = isQuiet || error instanceof NotConfirmed;
        if (!isShown && !(hasFields && Object.keys(fieldErrorsOf(error)).length > 0)) report(error);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, report]);
  return (
    <TroubleContext value={report}>
      {children}
      {trouble && <TroubleDialog trouble={trouble} onClose={() => setTrouble(null)} />}
    </TroubleContext>
  );
}

/** Returns a function that shows an error to the user: `.catch(report)`. */
export function useTrouble(): (error: unknown) => void {
  return useContext(TroubleContext);
}

function TroubleDialog({ trouble, onClose }: { trouble: Trouble; onClose(): void }) {
  const { title, message, reference, kind } = trouble;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          {kind === 'signed-out' && (
            <a className="btn btn-primary" href="/web/login" target="_blank" rel="noreferrer">
              {t('Sign in')}
            </a>
          )}
          <button type="button" className="btn btn-outline-secondary" onClick={onClose}>
            {t('Close')}
          </button>
        </>
      }
    >
      <p role="alert">{message}</p>
      {reference && <Reference text={reference} />}
    </Dialog>
  );
}

/** Reference of the error's line in the server log. */
function Reference({ text }: { text: string }) {
  const copy = (): void => {
    void navigator.clipboard?.writeText(text).then(
      () => notify(t('Copied.')),
      () => notify(t('Select the reference and copy it.'), 'alert'),
    );
  };
  return (
    <p className="d-flex flex-wrap align-items-center gap-2 mb-0">
      <span>{t('Reference')}</span>
      <code className="user-select-all" data-slot="reference">
        {text}
      </code>
      <button type="button" className="btn btn-sm btn-outline-secondary" onClick={copy}>
        {t('Copy')}
      </button>
    </p>
  );
}

/** Shown in place of a screen that failed. */
export function BrokenScreen({ error, onRetry }: { error: unknown; onRetry?(): void }) {
  const trouble = useMemo(() => troubleOf(error), [error]);
  return (
    <div className="backend-broken" data-slot="broken">
      <h1 className="h3">{trouble.title}</h1>
      <p role="alert">{trouble.message}</p>
      {trouble.reference && <Reference text={trouble.reference} />}
      <p className="d-flex flex-wrap gap-2 mt-3">
        {trouble.kind === 'signed-out' ? (
          <a
            className="btn btn-primary"
            href={`/web/login?redirect=${encodeURIComponent(location.pathname + location.search)}`}
          >
            {t('Sign in')}
          </a>
        ) : (
          <button type="button" className="btn btn-primary" onClick={onRetry ?? (() => location.reload())}>
            {t('Try again')}
          </button>
        )}
        <a className="btn btn-outline-secondary" href="/web">
          {t('Go to the home page')}
        </a>
      </p>
    </div>
  );
}
