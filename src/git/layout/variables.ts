import { shortened } from '../../shortened.ts'
import { readSmallYaml } from './config.ts'
import type { Problem } from './shape.ts'

/** Reads the variables of a space from `.gitbook/vars.yaml`. */
export function readVariables(
  text: string | undefined,
  path: string,
): { variables: Record<string, string>; problems: Problem[] } {
  const problems: Problem[] = []
  const values = text === undefined ? {} : readSmallYaml(text)
  if (!values) problems.push({ path, message: 'is not valid YAML: there are no variables' })
  const variables: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [name, value] of Object.entries(values ?? {})) {
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (isPlain && /^[A-Za-z_$][\w$]{0,63}$/.test(name)) variables[name] = String(value)
    else
      problems.push({
        path,
        message: `${shortened(name, 80)} is not a variable: it needs a plain name and a plain value`,
      })
  }
  return { variables, problems }
}
