/** A metric: its name, its description, and its values, by labels if there are several. */
export interface Figure {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: Sample[]
}

export interface Sample {
  labels?: Record<string, string>
  value: number
  /** Follows the name in the parts of a histogram. */
  suffix?: '_bucket' | '_sum' | '_count'
}

export const counter = (name: string, help: string, samples: Sample[]): Figure => ({
  name,
  help,
  type: 'counter',
  samples,
})

export const gauge = (name: string, help: string, samples: Sample[] | number): Figure => ({
  name,
  help,
  type: 'gauge',
  samples: typeof samples === 'number' ? [{ value: samples }] : samples,
})

/** Writes metrics in the text format of Prometheus, version 0.0.4. */
export function writeFigures(figures: readonly Figure[]): string {
  return figures.map(writeFigure).join('')
}

function writeFigure({ name, help, type, samples }: Figure): string {
  const lines = samples.map(({ labels, value, suffix = '' }) => `${name}${suffix}${writeLabels(labels)} ${value}`)
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

function writeLabels(labels: Sample['labels'] = {}): string {
  const written = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return written.length === 0 ? '' : `{${written.join(',')}}`
}

const escaped = (value: string): string => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
