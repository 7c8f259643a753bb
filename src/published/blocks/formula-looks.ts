/**
 * Formulas come with style attributes, which the content security policy of a site forbids. They are replaced by
 * classes of the style sheet (math.css) and attributes of MathML. Styles not listed here are only finer spacing.
 */
const classes: readonly (readonly [RegExp, string])[] = [
  [/^text-align:left$/, 'tml-left'],
  [/^padding-left:0(?:\.0+)?(?:em|pt)$/, 'm-start'],
  [/^padding-right:0(?:\.0+)?(?:em|pt)$/, 'm-end'],
  [/^padding-left:1em$/, 'm-apart'],
  [/^padding:0$/, 'm-tight'],
  [/^padding:0\.3em$/, 'm-room'],
  [/^border:.*$/, 'm-box'],
  [/^border-(top|bottom|left|right):\S+ (solid|dashed|double)$/, 'm-$1 m-$2'],
  [/^width:100%$/, 'm-whole'],
  [/^width:50%$/, 'm-half'],
  [/^math-depth:0$/, 'm-full-size'],
  [/^font-weight:bold$/, 'm-bold'],
  [/^transform:scaleX\(-1\)$/, 'm-mirrored'],
  [/^position:absolute$/, 'm-lapped'],
  [/^position:relative$/, 'm-lapping'],
  [/^display:flex$/, 'm-over'],
]

export function withoutStyles(markup: string): string {
  return markup.replace(
    /<(\w+)([^<>]*?) style="([^"]*)"([^<>]*)>/g,
    (_, name: string, before: string, style: string, after: string) => {
      const said = style.split(';').map((part) => part.trim())
      const colour = said.find((part) => part.startsWith('color:'))?.slice('color:'.length)
      const added = new Set(said.flatMap(classesFor))
      const rest = `${before}${after}`.replace(/ class="([^"]*)"/, (_match, own: string) => {
        for (const one of own.split(' ')) added.add(one)
        return ''
      })
      const named = added.size > 0 ? ` class="${[...added].join(' ')}"` : ''
      return `<${name}${rest}${named}${colour === undefined ? '' : ` mathcolor="${colour}"`}>`
    },
  )
}

function classesFor(said: string): string[] {
  const [pattern, name] = classes.find(([each]) => each.test(said)) ?? []
  return pattern && name ? said.replace(pattern, name).split(' ') : []
}
