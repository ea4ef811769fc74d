/** Pages that show live data: the sidecar renders them again when their data changes. */
export const livePaths: readonly string[] = ['/'];
