/**
 * The encodings of Windows before Unicode, for files that do not declare one. They depend on the language of the
 * Windows version.
 */
interface Encodings {
  readonly text: string
  /** For names in archives, if they do not have the default encoding of archives. */
  readonly names?: string
}

const cyrillic = { text: 'windows-1251', names: 'ibm866' }

const byLanguage: Readonly<Record<string, Encodings>> = {
  ar: { text: 'windows-1256' },
  bg: cyrillic,
  cs: { text: 'windows-1250' },
  el: { text: 'windows-1253' },
  et: { text: 'windows-1257' },
  he: { text: 'windows-1255' },
  hr: { text: 'windows-1250' },
  hu: { text: 'windows-1250' },
  ja: { text: 'shift_jis', names: 'shift_jis' },
  ko: { text: 'euc-kr', names: 'euc-kr' },
  lt: { text: 'windows-1257' },
  lv: { text: 'windows-1257' },
  pl: { text: 'windows-1250' },
  ro: { text: 'windows-1250' },
  ru: cyrillic,
  sk: { text: 'windows-1250' },
  sl: { text: 'windows-1250' },
  th: { text: 'windows-874', names: 'windows-874' },
  tr: { text: 'windows-1254' },
  uk: cyrillic,
  vi: { text: 'windows-1258' },
  yue: { text: 'big5', names: 'big5' },
  zh: { text: 'gb18030', names: 'gb18030' },
  'zh-tw': { text: 'big5', names: 'big5' },
}

/** Returns the encoding of text in this language, or in an unknown one. */
export const oldTextEncoding = (language: string | null): string => byLanguage[language ?? '']?.text ?? 'windows-1252'

/** Returns the encoding of file names. Undefined if they have the default encoding of archives. */
export const oldNameEncoding = (language: string | null): string | undefined => byLanguage[language ?? '']?.names
