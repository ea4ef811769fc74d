/** JSON comes in untyped: a Zod schema says what it is, not the compiler's guess from today's content. */
declare module '*.json' {
  const value: unknown;
  export default value;
}
