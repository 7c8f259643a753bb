/** Why an import cannot be done, or a part of it: a short word, and a sentence for whoever asked for it. */
export class ImportFailure extends Error {
  readonly rule: string

  constructor(rule: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.rule = rule
  }
}
