export const memory: Readonly<Record<string, string>>;
export const heap: readonly string[];
export const threads: string;
