/** Link styles: classes of the site's buttons, or a plain link. */
export const looks = {
  link: '',
  primary: 'btn btn-primary',
  outline: 'btn btn-outline-primary',
  secondary: 'btn btn-outline-secondary',
} as const;
export type LinkLook = keyof typeof looks;

/** Link style that best matches the classes. */
export function lookOf(classes: string): LinkLook {
  if (/\bbtn-outline-secondary\b/.test(classes)) return 'secondary';
  if (/\bbtn-outline-/.test(classes)) return 'outline';
  return /\bbtn\b/.test(classes) ? 'primary' : 'link';
}

/** URL from the user's input; null if it is empty or not allowed. */
export function addressOf(input: string): string | null {
  const text = input.trim();
  if (text === '' || text === '#') return null;
  if (/^[^\s@/:]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`;
  if (/^\+?[\d\s().-]{6,20}$/.test(text)) return `tel:${text.replace(/[^\d+]/g, '')}`;
  if (/^[#/?]/.test(text)) return text.startsWith('//') ? null : text;
  if (/^(https?:\/\/|mailto:|tel:)\S+$/i.test(text)) return text;
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return null;
  return /^[\w-]+(\.[\w-]+)+([/?#:]\S*)?$/.test(text) ? `https://${text}` : null;
}
