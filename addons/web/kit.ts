/**
 * Building blocks of islands and the backend. Every page with an island that uses one of them loads this file, so large ones have a file of
 * their own (`kit-combobox.ts`).
 */
export { BusyButton } from './kit/busy-button.tsx';
export { Check, type ControlProps, Field, type SelectChoice, SelectField, TextArea, TextField } from './kit/field.tsx';
export { Html } from './kit/html.tsx';
export { Icon } from './kit/icon.tsx';
export { Money, type MoneyValue } from './kit/money.tsx';
export { Pager } from './kit/pager.tsx';
export { Picture } from './kit/picture.tsx';
export { Quantity, quantityFault, quantityOf } from './kit/quantity.tsx';
export { useErrors } from './kit/use-errors.ts';
export { useWindowEvent } from './kit/use-window-event.ts';
