/**
 * An error in an expression, with the index of the character. The message is for the person who wrote the expression.
 */
export class ExpressionError extends Error {
  readonly index: number

  constructor(message: string, index: number) {
    super(message)
    this.name = 'ExpressionError'
    this.index = index
  }
}
