// node bin/run.js <file.ts> [arguments]: runs a file of this project on the pinned Node.
import { run } from './runtime.js'

const [entry, ...args] = process.argv.slice(2)
process.argv = [process.argv[0], entry, ...args]
await run(entry)
