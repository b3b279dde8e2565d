/** Sending mail by other ways than `ctx.mail`. */

export * from '@pergola/mail/public';
