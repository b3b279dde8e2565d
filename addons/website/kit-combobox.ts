export * from '#addons/web/kit-combobox';
