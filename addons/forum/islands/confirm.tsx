import { confirmDialog } from 'pergola/browser';
import type { ReactNode, SubmitEvent } from 'react';
import type { z } from 'zod';
import type schema from './confirm.props.ts';

/** Asks for confirmation before the form inside is submitted. */
export default function Confirm({ question, yes, children }: z.infer<typeof schema> & { children?: ReactNode }) {
  const ask = async (event: SubmitEvent): Promise<void> => {
    const form = event.target as HTMLFormElement;
    event.preventDefault();
    if (!(await confirmDialog(question, { yes }))) return;
    // Prevents the server from asking again.
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'confirmed', value: 'true' }));
    form.submit();
  };
  return <div onSubmit={ask}>{children}</div>;
}
