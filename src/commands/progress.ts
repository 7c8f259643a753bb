export interface ShownProgress {
  step: (files: number, bytes: number) => void
  say: (where: string) => void
  done: () => void
}

/**
 * Shows the progress of long work on standard error: in one line of a terminal a few times a second, otherwise as a
 * line every ten seconds for the log. The elapsed time advances even if nothing else does, so that the command does not
 * seem stuck.
 */
export function showProgress(what: string, totalFiles?: number): ShownProgress {
  const { isTTY } = process.stderr
  const startedAt = Date.now()
  let shownAt = startedAt
  let now = ''
  const show = () => {
    if (now === '') return
    shownAt = Date.now()
    const line = `${what}: ${now}${sinceThen(shownAt - startedAt)}`
    process.stderr.write(isTTY ? `\r\u001b[K${line}` : `${line}\n`)
  }
  const ticking = setInterval(show, isTTY ? 1_000 : 10_000)
  ticking.unref()
  return {
    step(files, bytes) {
      const of = totalFiles === undefined ? '' : ` of ${Math.max(totalFiles, files)}`
      now = `${files}${of} files, ${Math.floor(bytes / 1024 ** 2)} MiB`
      if (isTTY && Date.now() - shownAt >= 200) show()
    },
    say(where) {
      now = where
      if (isTTY) show()
    },
    done() {
      clearInterval(ticking)
      if (isTTY) process.stderr.write('\r\u001b[K')
    },
  }
}

/** Returns nothing for quick work. */
function sinceThen(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  return seconds < 10 ? '' : ` (${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')})`
}
