/** A method of texts or lists: the number of arguments, and the result; null if the value does not have this method. */
type Method = { takes: number; call(value: unknown, argument: unknown): { answer: unknown } | null }

/** All methods that can be called. */
export const methods: ReadonlyMap<string, Method> = new Map([
  [
    'includes',
    {
      takes: 1,
      call: (value, part) => {
        if (Array.isArray(value)) return { answer: value.includes(part) }
        return typeof value === 'string' ? { answer: typeof part === 'string' && value.includes(part) } : null
      },
    },
  ],
  ['startsWith', ofText(1, (text, part) => typeof part === 'string' && text.startsWith(part))],
  ['endsWith', ofText(1, (text, part) => typeof part === 'string' && text.endsWith(part))],
  ['toLowerCase', ofText(0, (text) => text.toLowerCase())],
  ['toUpperCase', ofText(0, (text) => text.toUpperCase())],
] satisfies [string, Method][])

function ofText(takes: number, method: (text: string, argument: unknown) => unknown): Method {
  return {
    takes,
    call: (value, argument) => (typeof value === 'string' ? { answer: method(value, argument) } : null),
  }
}
