import { NotAllowed, PergolaError, TooMany, Unauthenticated, Unavailable } from '@pergola/core';
import { WrongMethod } from '../malformed.ts';

/** Public part of an error. Texts are in the source language; `params` fill their placeholders. */
export interface Failure {
  /** HTTP status of a page. */
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly fields: Readonly<Record<string, string>>;
  /** Field names in the client's language, if known. */
  readonly labels: Readonly<Record<string, string>>;
  /** Seconds. */
  readonly retryAfter: number | null;
  readonly allow: readonly string[];
  /** Whether this is an internal fault: the client gets only a reference, and the log gets the details. */
  readonly isInternal: boolean;
}

/** Public part of an error: everything if it was raised on purpose, nothing otherwise (C34). */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof PergolaError) || (error.status >= 500 && !(error instanceof Unavailable))) return fault;
  return failureFrom(error, false);
}

function failureFrom(error: PergolaError, isInternal: boolean): Failure {
  const { status, code, title, message, params, fields, labels } = error;
  const retryAfter = error instanceof Unavailable || error instanceof TooMany ? error.retryAfter : null;
  const allow = error instanceof WrongMethod ? error.allow : [];
  return Object.freeze({ status, code, title, message, params, fields, labels, retryAfter, allow, isInternal });
}

/** Reply for internal faults. */
const fault = failureFrom(
  new PergolaError(
    // architecture-exempt(unfilled-name): each answer brings its own reference
    'Something went wrong on our end. Try again later, or contact us with the reference {reference}.',
    { code: 'core.fault', title: 'Something went wrong' },
  ),
  true,
);

/** Error in the `data` object of Odoo's envelope, so that Odoo clients recognise it. */
export interface OdooError {
  /** 100 for sessions, 404 for missing records, 200 for all others. */
  readonly code: number;
  readonly message: string;
  readonly name: string;
  readonly exceptionType?: string;
}

/** Odoo's names for our errors. A failed sign-in isn't an expired session; only our rejection for a missing session is. */
export function odooErrorOf(error: unknown, { status, code }: Failure): OdooError {
  const server = { code: 200, message: 'Odoo Server Error' } as const;
  if (error instanceof Unauthenticated) {
    return code === SIGN_IN_FIRST
      ? { code: 100, message: 'Odoo Session Expired', name: 'openerp.http.SessionExpiredException' }
      : { ...server, name: 'openerp.exceptions.AccessDenied', exceptionType: 'access_denied' };
  }
  if (error instanceof NotAllowed) {
    return { ...server, name: 'openerp.exceptions.AccessError', exceptionType: 'access_error' };
  }
  if (status === 404) return { code: 404, message: '404: Not Found', name: 'openerp.exceptions.MissingError' };
  if (status === 409) return { ...server, name: 'openerp.exceptions.Warning', exceptionType: 'warning' };
  if (status >= 400 && status < 500) {
    return { ...server, name: 'openerp.exceptions.ValidationError', exceptionType: 'except_osv' };
  }
  return { ...server, name: 'exceptions.Exception' };
}

/** Stable code for an address without a route or fallback. */
export const NO_SUCH_ROUTE = 'core.no_such_route';

/** Stable code for rejecting visitors who have to sign in first. */
const SIGN_IN_FIRST = 'core.sign_in_first';

export function signInFirst(): Unauthenticated {
  return new Unauthenticated('Sign in first.', { code: SIGN_IN_FIRST });
}
