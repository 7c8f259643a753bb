import { readYaml } from '../../content/page/front-matter.ts'
import { limits } from '../../content/limits.ts'
import { shortened } from '../../shortened.ts'
import { resolvePath } from './paths.ts'
import type { LayoutConfig, Problem } from './shape.ts'
import { asObject } from '../../objects.ts'

export const configPath = '.gitbook.yaml'

/** Settings that are missing or invalid get their defaults. */
export function readLayoutConfig(text: string | undefined): { config: LayoutConfig; problems: Problem[] } {
  const problems: Problem[] = []
  const say = (message: string) => problems.push({ path: configPath, message })
  const values = text === undefined || text.trim() === '' ? {} : readSmallYaml(text)
  if (!values) say('is not valid YAML: it is treated as empty')

  const within = (folder: string, value: unknown, usual: string, name: string) => {
    if (value === undefined || value === null) return resolvePath(folder, usual)!
    const path = typeof value === 'string' ? resolvePath(folder, value) : undefined
    if (path === undefined) say(`${name} is not a path in the repository: ${usual} is used instead`)
    return path ?? resolvePath(folder, usual)!
  }
  const root = within('', values?.['root'], '.', 'root')
  const structure = asObject(values?.['structure'])
  return {
    config: {
      root,
      readme: within(root, structure['readme'], 'README.md', 'structure.readme'),
      summary: within(root, structure['summary'], 'SUMMARY.md', 'structure.summary'),
      redirects: readRedirects(root, asObject(values?.['redirects']), say),
    },
    problems,
  }
}

function readRedirects(
  root: string,
  values: Record<string, unknown>,
  say: (message: string) => void,
): Map<string, string> {
  const redirects = new Map<string, string>()
  for (const [from, to] of Object.entries(values)) {
    // The lookbehind lets a match begin only at the first of the trailing slashes: otherwise a long row of slashes
    // would be scanned again from each of them.
    const source = from.replace(/^[./]+|(?<!\/)\/+$/g, '')
    const target = typeof to === 'string' ? resolvePath(root, to) : undefined
    const isElsewhere = typeof to === 'string' && /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(to)
    if (isElsewhere)
      say(
        `redirects ${shortened(from, 200)} to ${shortened(to, 200)}, which is not a page: a redirect of the site can lead there`,
      )
    else if (target === undefined)
      say(`redirects ${shortened(from, 200)} to something that is not a path in the repository`)
    else if (source !== '') redirects.set(source, target)
  }
  return redirects
}

/**
 * Returns YAML as plain data. Larger texts are not settings, and take long to parse. Data that contains itself has no
 * end and is refused.
 */
export function readSmallYaml(text: string): Record<string, unknown> | undefined {
  const values = Buffer.byteLength(text) > limits.frontMatterBytes ? undefined : readYaml(text)
  try {
    return values && (JSON.parse(JSON.stringify(values)) as Record<string, unknown>)
  } catch {
    return undefined
  }
}
