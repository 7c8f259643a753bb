/**
 * The meaning of operators. As in JavaScript, except that no method of a value is ever called: an object is not
 * converted to a string or a number, and equals only itself.
 */
export const operators = {
  '==': (a: unknown, b: unknown) => looselyEqual(a, b),
  '!=': (a: unknown, b: unknown) => !looselyEqual(a, b),
  '===': (a: unknown, b: unknown) => a === b,
  '!==': (a: unknown, b: unknown) => a !== b,
  '<': (a: unknown, b: unknown) => isPrimitive(a) && isPrimitive(b) && a! < b!,
  '<=': (a: unknown, b: unknown) => isPrimitive(a) && isPrimitive(b) && a! <= b!,
  '>': (a: unknown, b: unknown) => isPrimitive(a) && isPrimitive(b) && a! > b!,
  '>=': (a: unknown, b: unknown) => isPrimitive(a) && isPrimitive(b) && a! >= b!,
  '-': (a: unknown, b: unknown) => calculate(a, b, (a, b) => a - b),
  '*': (a: unknown, b: unknown) => calculate(a, b, (a, b) => a * b),
  '/': (a: unknown, b: unknown) => calculate(a, b, (a, b) => a / b),
  '%': (a: unknown, b: unknown) => calculate(a, b, (a, b) => a % b),
} as const

/**
 * Undefined unless both are texts or numbers: a missing variable must not put the word "undefined" into the middle of a
 * page.
 */
export function plus(a: unknown, b: unknown): string | number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a + b
  return isTextOrNumber(a) && isTextOrNumber(b) ? `${a}${b}` : undefined
}

/** Variables are text: `"3"` counts as 3, as in JavaScript. */
export function toNumber(value: unknown): number | undefined {
  return isTextOrNumber(value) ? Number(value) : undefined
}

/** A member of plain data. Undefined for inherited members, and for names that could lead to them. */
export function member(object: unknown, key: unknown): unknown {
  return isTextOrNumber(key) && !unreachable.has(key) ? ownMember(object, key) : undefined
}

/** Own keys with these names would be harmless, but excluding them leaves no doubt. */
export const unreachable: ReadonlySet<string | number> = new Set(['__proto__', 'constructor', 'prototype'])

/** The same for a key that is known not to be one of these names. */
export function ownMember(object: unknown, key: string | number): unknown {
  if (typeof object === 'string') return key === 'length' ? object.length : undefined
  if (typeof object !== 'object' || object === null) return undefined
  return isPlain(object) && Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined
}

function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  return prototype === Object.prototype || prototype === null || Array.isArray(object)
}

function isTextOrNumber(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

type Primitive = string | number | boolean | null | undefined

function isPrimitive(value: unknown): value is Primitive {
  return value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol')
}

function looselyEqual(a: unknown, b: unknown): boolean {
  return isPrimitive(a) && isPrimitive(b) ? a == b : a === b
}

function calculate(a: unknown, b: unknown, how: (a: number, b: number) => number): number | undefined {
  const [left, right] = [toNumber(a), toNumber(b)]
  return left === undefined || right === undefined ? undefined : how(left, right)
}
