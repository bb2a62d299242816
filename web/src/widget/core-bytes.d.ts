declare module 'virtual:core-bytes' {
  /** The core's WebAssembly, as `bytesOf` reads it. */
  const text: string;
  export default text;
}

declare module '*.css?inline' {
  const css: string;
  export default css;
}
