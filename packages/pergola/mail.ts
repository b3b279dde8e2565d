/** API for sending email other than through `ctx.mail`. */

export * from '@pergola/mailer/public';
