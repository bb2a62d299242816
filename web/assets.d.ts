declare module '*.css';

interface ImportMeta {
  /** Vite puts the files that match into the bundle. */
  glob<T>(pattern: string, options: { eager: true; import: 'default' }): Record<string, T>;
  /** The same, each loaded when it is called. */
  glob<T>(pattern: string, options: { import: 'default' }): Record<string, () => Promise<T>>;
}
