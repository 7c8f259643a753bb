import { ExpressionError } from './error.ts'
import { Jsep } from './jsep.ts'

/** The syntax tree of an expression; `at` is the index of the character where a node begins. */
export type Node =
  | { type: 'Literal'; at: number; value: string | number | boolean | null | undefined }
  | { type: 'Identifier'; at: number; name: string }
  | { type: 'MemberExpression'; at: number; object: Node; property: Node; computed: boolean }
  | { type: 'CallExpression'; at: number; callee: Node; arguments: Node[] }
  | { type: 'UnaryExpression'; at: number; operator: string; argument: Node }
  | { type: 'BinaryExpression'; at: number; operator: string; left: Node; right: Node }
  | { type: 'ConditionalExpression'; at: number; test: Node; consequent: Node; alternate: Node }
  | { type: 'ArrayExpression'; at: number; elements: Node[] }

const maxLength = 1_024

/** A level of parentheses takes two frames, an expression and a token in it, so this allows 50 levels. */
const maxFrames = 100

/** Parses an expression. Throws an `ExpressionError` with the place where it is invalid. */
export function parse(source: string): Node {
  if (source.length > maxLength) {
    throw new ExpressionError(`An expression can have at most ${maxLength} characters`, maxLength)
  }
  return new Parser(source).parseAll()
}

/** Words and operators with a meaning in JavaScript that expressions do not have. jsep would read `--a` as a number. */
const reserved =
  /\+\+|--|(?:await|case|class|const|delete|do|else|export|for|function|if|import|in|instanceof|let|new|return|super|switch|this|throw|try|typeof|var|void|while|with|yield)(?![\p{ID_Continue}$])/uy
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

/** jsep, made as strict as JavaScript, with positions in the nodes and a limit for the depth. */
class Parser extends Jsep {
  private frames = 0

  /** jsep accepts any number of expressions, with or without separators between them. */
  parseAll(): Node {
    const node = this.gobbleExpression()
    if (this.index < this.expr.length) this.throwError(`Unexpected ${this.char}`)
    return node || this.throwError('An expression is missing')
  }

  override gobbleExpression(): Node | false {
    return this.deeper(() => super.gobbleExpression())
  }

  override gobbleToken(): Node | false {
    this.gobbleSpaces()
    reserved.lastIndex = this.index
    const word = reserved.exec(this.expr)?.[0]
    if (word) this.throwError(`"${word}" cannot be used in an expression`)
    return this.deeper(() => super.gobbleToken())
  }

  /** jsep accepts spaces as separators, and `[1,,2]` as a list with a hole. */
  override gobbleArguments(termination: number): Node[] {
    const nodes: Node[] = []
    const end = String.fromCharCode(termination)
    for (this.gobbleSpaces(); this.char !== end;) {
      nodes.push(this.gobbleExpression() || this.throwError(`Expected an expression or ${end}`))
      if (this.char === ',') this.index++
      else if (this.char !== end) this.throwError(`Expected , or ${end}`)
      this.gobbleSpaces()
    }
    this.index++
    return nodes
  }

  override gobbleGroup(): Node {
    this.index++
    const node = this.gobbleExpression() || this.throwError('An expression is missing')
    if (this.char !== ')') this.throwError('Expected )')
    this.index++
    return node
  }

  /** jsep reads `\u0041` as u0041. */
  override gobbleStringLiteral(): Node & { raw: string } {
    const start = this.index
    const node = super.gobbleStringLiteral()
    for (const { 0: part, index } of node.raw.matchAll(/\\[^]|[\r\n]/g)) {
      if (/^\\[^nrtbfv'"\\]$|^[\r\n]$/.test(part)) {
        this.index = start + index
        this.throwError(part[0] === '\\' ? `Unknown escape ${part}` : 'A string must end on the same line')
      }
    }
    return node
  }

  override gobbleIdentifier(): Node & { type: 'Identifier' } {
    const at = this.index
    const node = super.gobbleIdentifier()
    if (identifier.test(node.name)) return { ...node, at }
    this.index = at
    return this.throwError(`${JSON.stringify(node.name)} is not a name`)
  }

  override throwError(message: string): never {
    // jsep's message when it looks for a character after the last one. In a string, its index runs past the end.
    const clear = message === 'Unexpected ' ? 'Unexpected end' : message
    throw new ExpressionError(clear, Math.min(this.index, this.expr.length))
  }

  private deeper(gobble: () => Node | false): Node | false {
    this.gobbleSpaces()
    const at = this.index
    if (++this.frames > maxFrames) this.throwError('Nested too deeply')
    const node = gobble()
    this.frames--
    if (node) node.at ??= at
    return node
  }
}
