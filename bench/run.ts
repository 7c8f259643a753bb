// npm run bench -- [names]: measures, prints a table, and writes bench/results.md and bench/results.json. Most figures
// are ratios of two things measured alternately in the same run, because machines differ and are shared.
import { readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import type { Figure } from './figures.ts'

const suites: Record<string, () => Promise<Figure[]>> = {
  start: async () => (await import('./start.ts')).startFigures(),
  content: async () => (await import('./content.ts')).contentFigures(),
  people: async () => (await import('./people.ts')).peopleFigures(),
  talking: async () => (await import('./talking.ts')).talkingFigures(),
  sites: async () => (await import('./sites.ts')).siteFigures(),
  reading: async () => (await import('./reading.ts')).readingFigures(),
  merging: async () => (await import('./merging.ts')).mergingFigures(),
  search: async () => (await import('./search.ts')).searchFigures(),
  writing: async () => (await import('./writing.ts')).writingFigures(),
  links: async () => (await import('./links.ts')).linkFigures(),
  git: async () => (await import('./git.ts')).gitFigures(),
  importing: async () => (await import('./importing.ts')).importingFigures(),
  pdf: async () => (await import('./pdf.ts')).pdfFigures(),
  exporting: async () => (await import('./exporting.ts')).exportingFigures(),
  webhooks: async () => (await import('./webhooks.ts')).webhookFigures(),
  'signing-in': async () => (await import('./signing-in.ts')).signingInFigures(),
}

const help = `npm run bench -- [names]

Measures, prints a table, and writes it to bench/results.md and bench/results.json: without names everything, which takes
many minutes. What is not measured this time stays as it was. The names:

  ${Object.keys(suites).join(', ')}

It starts servers and databases of its own in temporary folders. Let nothing else run meanwhile: even ratios suffer from it.
Exit code 0: all targets were met. 1: the table says which was not.`

const wanted = process.argv.slice(2)
if (wanted.includes('--help') || wanted.includes('-h')) {
  console.log(help)
  process.exit(0)
}
const unknown = wanted.filter((name) => !Object.hasOwn(suites, name))
if (unknown.length > 0) {
  console.error(`There is no "${unknown.join('", "')}". There are: ${Object.keys(suites).join(', ')}.`)
  process.exit(1)
}
const figures: Figure[] = []
for (const [name, measure] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`measuring ${name} …`)
  for (const figure of await measure()) {
    figures.push(figure)
    console.log(`  ${row(figure)}`)
  }
}
await keep(figures)
process.exit(figures.every((figure) => figure.met) ? 0 : 1)

function row({ what, target, value, met }: Figure): string {
  const verdict = target === '' ? '' : met ? 'yes' : '**no**'
  return `| ${what} | ${target} | ${value} | ${verdict} |`
}

/** Keeps the figures of suites that were not run this time. */
async function keep(fresh: Figure[]): Promise<void> {
  const file = new URL('results.json', import.meta.url)
  const before = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as { figures: Figure[] },
    () => ({ figures: [] }),
  )
  const names = new Set(fresh.map(({ what }) => what))
  const all = [...before.figures.filter(({ what }) => !names.has(what)), ...fresh]
  const machine = `${os.cpus().length} cores (${os.cpus()[0]?.model.trim()}), ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.release()}, Node ${process.version}`
  const measuredAt = new Date().toISOString().slice(0, 10)
  await writeFile(file, `${JSON.stringify({ measuredAt, machine, figures: all }, null, 2)}\n`)
  await writeFile(
    new URL('results.md', import.meta.url),
    `# Figures\n\n\`npm run bench\`, last run ${measuredAt}, on ${machine}. Ratios are of two things measured turn by turn in one run.\n\n` +
      `| what | target | measured | met |\n|---|---|---|---|\n${all.map(row).join('\n')}\n`,
  )
}
