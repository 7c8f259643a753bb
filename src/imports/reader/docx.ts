import mammoth from 'mammoth'
import { styles, withFormulasAsText } from '../word-formulas/replace.ts'

/** Converts a docx document to HTML. Its pictures become `data:` addresses. */
export async function docxToHtml(bytes: Uint8Array): Promise<string> {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(await withFormulasAsText(bytes)) },
    {
      styleMap: [
        "p[style-name='Title'] => h1:fresh",
        "p[style-name='Subtitle'] => p:fresh",
        "p[style-name='Quote'] => blockquote > p:fresh",
        "p[style-name='Intense Quote'] => blockquote > p:fresh",
        "p[style-name='Code'] => pre:separator('\n')",
        "p[style-name='Source Code'] => pre:separator('\n')",
        "p[style-name='HTML Preformatted'] => pre:separator('\n')",
        "r[style-name='Code'] => code",
        "r[style-name='Verbatim Char'] => code",
        `r.${styles.inline} => span.math`,
        `r.${styles.display} => span.katex-display`,
        'u => u',
        'strike => s',
      ],
    },
  )
  return `<article>${value}</article>`
}
