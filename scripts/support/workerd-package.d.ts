/** What the package is at run time: the path of its program. It comes without types. */
declare module 'workerd' {
  const exports: { default: string };
  export default exports;
}
