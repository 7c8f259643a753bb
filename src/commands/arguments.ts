import { parseArgs } from 'node:util'
import { Explained } from '../explained.ts'

/** A command that was called wrongly: the message is for the person at the terminal. */
export class UsageError extends Explained {}

type Options = Record<string, 'text' | 'flag'>
type Values<O extends Options> = { [Name in keyof O]: O[Name] extends 'flag' ? boolean : string | undefined }

/** Reads `--name value` and `--flag`; anything else is refused with a hint at the help. */
export function readOptions<const O extends Options>(args: string[], options: O): Values<O> {
  try {
    const { values } = parseArgs({
      args,
      options: Object.fromEntries(
        Object.entries(options).map(([name, kind]) => [
          name,
          { type: kind === 'flag' ? 'boolean' : 'string' } as const,
        ]),
      ),
    })
    return Object.fromEntries(
      Object.entries(options).map(([name, kind]) => [name, kind === 'flag' ? values[name] === true : values[name]]),
    ) as Values<O>
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

export function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} is needed.`)
  return value
}
