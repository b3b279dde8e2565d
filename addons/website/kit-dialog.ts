export * from '@pergola/web/kit-dialog';
