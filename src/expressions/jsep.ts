import type { Node } from './parse.ts'

/** The part of jsep's parser class that is used here. jsep's own types leave it out. */
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
 * jsep keeps its configuration in the module. The query makes this a separate copy, so that other users of jsep and our
 * expressions do not affect each other.
 */
const module = (await import(`${import.meta.resolve('jsep')}?expressions`)) as { Jsep: JsepClass }

export const Jsep = module.Jsep
Jsep.addLiteral('undefined', undefined)
Jsep.removeUnaryOp('~')
for (const operator of ['|', '^', '&', '<<', '>>', '>>>', '**', '??']) Jsep.removeBinaryOp(operator)
