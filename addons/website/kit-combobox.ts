export * from '@pergola/web/kit-combobox';
