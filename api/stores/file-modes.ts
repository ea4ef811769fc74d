import { statSync } from 'node:fs';

/** Throws an Error that says what to do when other users of the machine can read or write a file that holds a secret. */
export function refuseReadable(file: string): void {
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new Error(
      `${file} can be read or written by other users of this machine, and it holds a secret. Run chmod 600 ${file}; if somebody may have read it, move it away to have a new one made.`,
    );
  }
}

/** Throws an Error that says what to do when other users of the machine can write into a folder. */
export function refuseWritable(folder: string): void {
  if (process.platform !== 'win32' && (statSync(folder).mode & 0o022) !== 0) {
    throw new Error(
      `The folder ${folder} can be written by other users of this machine, who could put files of theirs in it. Run chmod go-w ${folder}.`,
    );
  }
}
