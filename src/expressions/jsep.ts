import type { Node } from './parse.ts'

/** What is used of jsep's parser class: its own types leave it out. */
type JsepParser = {
  index: number
  readonly expr: string
  readonly char: string
  gobbleSpaces(): void
  gobbleExpression(): Node | false
  gobbleToken(): Node | false
  gobbleGroup(): Node
  gobbleArguments(termination: number): Node[]
  gobbleStringLiteral(): Node & { raw: string }
  gobbleIdentifier(): Node & { type: 'Identifier' }
  throwError(message: string): never
}

type JsepClass = {
  new (source: string): JsepParser
  addLiteral(name: string, value: undefined): void
  removeUnaryOp(operator: string): void
  removeBinaryOp(operator: string): void
}

/**
 * jsep keeps its configuration in the module. The query makes this a copy of its own: nobody else can change what our
 * expressions mean, and we change nothing for anybody else.
 */
const module = (await import(`${import.meta.resolve('jsep')}?expressions`)) as { Jsep: JsepClass }

export const Jsep = module.Jsep
Jsep.addLiteral('undefined', undefined)
Jsep.removeUnaryOp('~')
for (const operator of ['|', '^', '&', '<<', '>>', '>>>', '**', '??']) Jsep.removeBinaryOp(operator)
