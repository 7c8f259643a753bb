/** Tells a terminal how far long work has come, at most a few times a second. Nothing where nobody watches. */
export function showProgress(what: string): { step: (files: number, bytes: number) => void; done: () => void } {
  if (!process.stderr.isTTY) return { step() {}, done() {} }
  let shownAt = 0
  return {
    step(files, bytes) {
      if (Date.now() - shownAt < 200) return
      shownAt = Date.now()
      process.stderr.write(`\r${what}: ${files} files, ${Math.floor(bytes / 1024 ** 2)} MiB`)
    },
    done: () => void process.stderr.write('\r\u001b[K'),
  }
}
