import { ExpressionError } from './error.ts'
import { methods } from './methods.ts'
import { parse, type Node } from './parse.ts'
import { member, operators, ownMember, plus, toNumber, unreachable } from './values.ts'

/** Plain data by name: `{ visitor: { claims } }`, `{ space: { vars }, page: { vars } }`. */
export type Scope = Readonly<Record<string, unknown>>

export type Expression = {
  /**
   * The value. Throws an `ExpressionError` if a method is called on a value that does not have it, or after too many
   * steps.
   */
  evaluate(scope: Scope): unknown
  /** The members it reads, as paths: `[['visitor', 'claims', 'plan']]`. A path ends where a computed key begins. */
  names: readonly (readonly string[])[]
}

const maxSteps = 10_000

/**
 * Compiles an expression in JavaScript's syntax to closures. Throws an `ExpressionError` if it is invalid. Only plain
 * data is read. A missing member is undefined, and so is a method call on something missing.
 */
export function compile(source: string): Expression {
  const compiler = new Compiler()
  const run = compiler.compile(parse(source))
  return {
    // There are no loops: each part runs at most once, so only operations whose cost depends on the size of the data
    // are counted.
    evaluate: (scope) => run({ scope, steps: maxSteps - compiler.parts }),
    names: compiler.names,
  }
}

/** Whether a condition shows what it guards. A condition that fails hides it. */
export function holds(condition: Expression, scope: Scope): boolean {
  try {
    return Boolean(condition.evaluate(scope))
  } catch {
    return false
  }
}

type Run = { readonly scope: Scope; steps: number }
type Closure = (run: Run) => unknown

class Compiler {
  readonly names: string[][] = []
  parts = 0

  compile(node: Node): Closure {
    this.parts++
    switch (node.type) {
      case 'Literal': {
        const { value } = node
        return () => value
      }
      case 'ArrayExpression': {
        const list = Object.freeze(node.elements.map(literalOf))
        this.parts += list.length
        return () => list
      }
      case 'Identifier':
        return this.compilePath([node.name])
      case 'MemberExpression':
        return this.compileMember(node)
      case 'CallExpression':
        return this.compileCall(node)
      case 'UnaryExpression':
        return this.compileUnary(node)
      case 'BinaryExpression':
        return this.compileBinary(node)
      case 'ConditionalExpression': {
        const test = this.compile(node.test)
        const consequent = this.compile(node.consequent)
        const alternate = this.compile(node.alternate)
        return (run) => (test(run) ? consequent(run) : alternate(run))
      }
    }
  }

  private compileMember(node: Node & { type: 'MemberExpression' }): Closure {
    const path = pathOf(node)
    if (path) return this.compilePath(path)
    const object = this.compile(node.object)
    const key = fixedKey(node)
    if (key !== undefined) return (run) => member(object(run), key)
    const computed = this.compile(node.property)
    return (run) => member(object(run), computed(run))
  }

  /** A path of fixed names that starts at the scope is read in one go. */
  private compilePath(path: string[]): Closure {
    this.names.push(path)
    this.parts += path.length
    if (path.some((key) => unreachable.has(key))) return () => undefined
    return (run) => {
      let value: unknown = run.scope
      for (let i = 0; i < path.length; i++) value = ownMember(value, path[i]!)
      return value
    }
  }

  private compileCall(node: Node & { type: 'CallExpression' }): Closure {
    const { callee } = node
    const name = callee.type === 'MemberExpression' && !callee.computed ? fixedKey(callee) : undefined
    const method = name === undefined ? undefined : methods.get(name)
    if (callee.type !== 'MemberExpression' || !method) {
      const at = callee.type === 'MemberExpression' ? callee.property.at : node.at
      throw new ExpressionError(`Only these can be called: ${[...methods.keys()].join(', ')}`, at)
    }
    const { at } = callee.property
    if (node.arguments.length !== method.takes) {
      throw new ExpressionError(`${name} takes ${method.takes === 1 ? 'one argument' : 'no arguments'}`, at)
    }
    const object = this.compile(callee.object)
    const argument = node.arguments[0] ? this.compile(node.arguments[0]) : () => undefined
    return (run) => {
      const value = object(run)
      if (value === undefined || value === null) return undefined
      spend(run, value)
      const given = argument(run)
      if (name === 'includes') spendOnSearch(run, value, given)
      const called = method.call(value, given)
      if (!called) throw new ExpressionError(`This value has no ${name}`, at)
      return called.answer
    }
  }

  private compileUnary(node: Node & { type: 'UnaryExpression' }): Closure {
    const argument = this.compile(node.argument)
    if (node.operator === '!') return (run) => !argument(run)
    const sign = node.operator === '-' ? -1 : 1
    return (run) => {
      const value = toNumber(argument(run))
      return value === undefined ? undefined : sign * value
    }
  }

  private compileBinary(node: Node & { type: 'BinaryExpression' }): Closure {
    const left = this.compile(node.left)
    const right = this.compile(node.right)
    if (node.operator === '&&') return (run) => left(run) && right(run)
    if (node.operator === '||') return (run) => left(run) || right(run)
    if (node.operator === '+') {
      return (run) => {
        const sum = plus(left(run), right(run))
        spend(run, sum)
        return sum
      }
    }
    const operator = operators[node.operator as keyof typeof operators]
    return (run) => operator(left(run), right(run))
  }
}

/** The names from the scope down to a member, if all of them are fixed. */
function pathOf(node: Node): string[] | null {
  if (node.type === 'Identifier') return [node.name]
  if (node.type !== 'MemberExpression') return null
  const above = pathOf(node.object)
  const key = fixedKey(node)
  return above && key !== undefined ? [...above, key] : null
}

function fixedKey({ property, computed }: Node & { type: 'MemberExpression' }): string | undefined {
  if (!computed) return property.type === 'Identifier' ? property.name : undefined
  return property.type === 'Literal' ? String(property.value) : undefined
}

function literalOf(node: Node): unknown {
  if (node.type === 'Literal') return node.value
  const negative = node.type === 'UnaryExpression' && node.operator === '-' && node.argument
  if (negative && negative.type === 'Literal' && typeof negative.value === 'number') return -negative.value
  throw new ExpressionError('A list can contain only literals', node.at)
}

/** Each item of a list, and each 64 characters of a text, count as a step. */
function spend(run: Run, value: unknown): void {
  if (Array.isArray(value)) run.steps -= value.length
  else if (typeof value === 'string') run.steps -= value.length >> 6
  refuseMore(run)
}

/** If both texts are long, the search may compare all of `part` at each position of `text`. */
function spendOnSearch(run: Run, text: unknown, part: unknown): void {
  if (typeof text !== 'string' || typeof part !== 'string') return
  run.steps -= Math.floor((text.length * part.length) / 64)
  refuseMore(run)
}

function refuseMore({ steps }: Run): void {
  if (steps < 0) throw new ExpressionError(`Takes more than ${maxSteps} steps`, 0)
}
