declare module '*.css';

interface ImportMeta {
  /** Vite puts the files that match into the bundle. */
  glob<T>(pattern: string, options: { eager: true; import: 'default' }): Record<string, T>;
}
