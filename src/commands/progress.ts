export interface ShownProgress {
  step: (files: number, bytes: number) => void
  say: (where: string) => void
  done: () => void
}

/**
 * Tells on standard error how far long work has come: in one line of a terminal a few times a second, otherwise a line
 * every ten seconds, for whoever reads the log.
 */
export function showProgress(what: string, totalFiles?: number): ShownProgress {
  const { isTTY } = process.stderr
  const everyMs = isTTY ? 200 : 10_000
  let shownAt = Date.now()
  const show = (where: string) => {
    shownAt = Date.now()
    process.stderr.write(isTTY ? `\r\u001b[K${what}: ${where}` : `${what}: ${where}\n`)
  }
  return {
    step(files, bytes) {
      if (Date.now() - shownAt < everyMs) return
      const of = totalFiles === undefined ? '' : ` of ${Math.max(totalFiles, files)}`
      show(`${files}${of} files, ${Math.floor(bytes / 1024 ** 2)} MiB`)
    },
    say(where) {
      if (isTTY || Date.now() - shownAt >= everyMs) show(where)
    },
    done: () => void (isTTY && process.stderr.write('\r\u001b[K')),
  }
}
