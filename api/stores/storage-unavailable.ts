/** A change could not be made durable and was taken back: full disk, read-only folder, failing device. Callers answer 503. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/** What the operating system calls an error (`ENOSPC`), or the error's own sentence where it has no code. */
export function toReason(error: unknown): string {
  if (error instanceof Error) {
    return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  }
  return String(error);
}
