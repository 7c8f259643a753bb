/** What is wrong with an expression, and at which character of it. The message is for the person who wrote it. */
export class ExpressionError extends Error {
  readonly index: number

  constructor(message: string, index: number) {
    super(message)
    this.name = 'ExpressionError'
    this.index = index
  }
}
