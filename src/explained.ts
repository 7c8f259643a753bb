/**
 * An error that a person at the terminal can act on. Its message says what is wrong and what to do, so it is shown
 * without a stack.
 */
export class Explained extends Error {}

/** The operating system's error about a file or folder, in words for the person who named it. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const words = code === undefined ? undefined : reasons[code]
  return words ? `${words} (${code})` : message
}

const reasons: Record<string, string | undefined> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'this account is not allowed to',
  EPERM: 'this account is not allowed to',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota of this account is used up',
}

/** Whether there is no room left for a file. */
export function isDiskFull(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
