import { type Json, type JsonObject, at, isObject, listAt, textAt } from './json.ts'
import { type SampleRequest, sampleRequest } from './request.ts'
import type { Operation, Spec } from './spec.ts'

/** How to call an operation from one language. */
export interface Sample {
  title: string
  language: string
  code: string
}

/**
 * Returns the samples given by the specification, otherwise up to three generated ones. `x-codeSamples: false` turns
 * them off.
 */
export function samplesOf(spec: Spec, operation: Operation, values?: number): Sample[] {
  const switches = [operation.operation, spec.document].map((holder) => at(holder, 'x-codeSamples'))
  if (switches.find((value) => value !== undefined) === false) return []
  const given = givenSamples(operation.operation)
  if (given.length > 0) return given
  const request = sampleRequest(spec, operation, values)
  // `fetch` refuses to send a GET or HEAD request with a body.
  const isFetched = request.body === undefined || !/^(?:GET|HEAD)$/.test(request.method)
  return [
    { title: 'cURL', language: 'bash', code: curl(request) },
    ...(isFetched ? [{ title: 'JavaScript', language: 'js', code: javaScript(request) }] : []),
    { title: 'Python', language: 'python', code: python(request) },
  ]
}

function givenSamples(operation: JsonObject): Sample[] {
  const all = ['x-codeSamples', 'x-code-samples', 'x-custom-examples'].flatMap((name) => listAt(operation, name))
  return all.slice(0, 20).flatMap((each) => {
    const code = textAt(each, 'source')
    if (!isObject(each) || code === undefined) return []
    const language = textAt(each, 'lang') ?? 'text'
    return [{ title: textAt(each, 'label') ?? language, language: language.toLowerCase(), code }]
  })
}

function curl({ method, url, headers, body }: SampleRequest): string {
  const lines = [`curl ${quoted(url)}`]
  // With `--request HEAD`, curl would wait for a body that never arrives.
  if (method === 'HEAD') lines.push('--head')
  // With a body and no explicit method, curl would send a POST.
  else if (method !== 'GET' || body) lines.push(`--request ${method}`)
  for (const [name, value] of headers) lines.push(`--header ${quoted(`${name}: ${value}`)}`)
  switch (body?.kind) {
    case 'json':
      lines.push(`--data ${quoted(JSON.stringify(body.value, null, 2))}`)
      break
    case 'form':
      for (const [name, value] of body.fields) lines.push(`--data-urlencode ${quoted(`${name}=${value}`)}`)
      break
    case 'multipart':
      // `--form` gives `@`, `<` and `;` at some places of a text a special meaning.
      for (const { name, value, isFile } of body.fields)
        lines.push(isFile ? `--form ${quoted(`${name}=@file`)}` : `--form-string ${quoted(`${name}=${value}`)}`)
      break
    case 'text':
      lines.push(`${body.text.startsWith('@') ? '--data-raw' : '--data'} ${quoted(body.text)}`)
      break
    case 'file':
      lines.push(`--data-binary '@file'`)
  }
  return lines.join(' \\\n  ')
}

/** Quotes a text for a shell, which takes everything between single quotes literally. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function javaScript({ method, url, headers, body, answered }: SampleRequest): string {
  const before: string[] = []
  const options: string[] = []
  if (method !== 'GET') options.push(`method: ${JSON.stringify(method)}`)
  if (headers.length > 0) options.push(`headers: ${indented(JSON.stringify(Object.fromEntries(headers), null, 2))}`)
  switch (body?.kind) {
    case 'json':
      options.push(`body: JSON.stringify(${indented(JSON.stringify(body.value, null, 2))})`)
      break
    case 'form':
      options.push(`body: new URLSearchParams(${indented(JSON.stringify(pairsOf(body.fields), null, 2))})`)
      break
    case 'multipart':
      before.push('const form = new FormData();')
      for (const { name, value, isFile } of body.fields) {
        before.push(`form.append(${JSON.stringify(name)}, ${isFile ? 'file' : JSON.stringify(value)});`)
      }
      options.push('body: form')
      break
    case 'text':
      options.push(`body: ${JSON.stringify(body.text)}`)
      break
    case 'file':
      options.push('body: file')
  }
  const second = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`
  const lines = [...before, ...(before.length > 0 ? [''] : [])]
  return [
    ...lines,
    `const response = await fetch(${JSON.stringify(url)}${second});`,
    ...(answered === 'nothing' ? [] : [`const data = await response.${javaScriptReads[answered]}();`]),
  ].join('\n')
}

const javaScriptReads = { json: 'json', text: 'text', file: 'blob' }

/** Returns an object if each name occurs once, otherwise the pairs. */
const pairsOf = (fields: [string, string][]) =>
  areDistinct(fields.map(([name]) => name)) ? Object.fromEntries(fields) : fields

const areDistinct = (names: string[]) => new Set(names).size === names.length

const indented = (text: string) => text.replaceAll('\n', '\n  ')

function python({ method, url, headers, body, answered }: SampleRequest): string {
  const rest = [JSON.stringify(url)]
  // `json=` sets the header itself, but only to exactly this type.
  const isImplied = ([name, value]: [string, string]) => name === 'Content-Type' && /^application\/json$/i.test(value)
  const own = headers.filter((header) => !(body?.kind === 'json' && isImplied(header)))
  if (own.length > 0) rest.push(`headers=${pythonValue(Object.fromEntries(own), 1)}`)
  switch (body?.kind) {
    case 'json':
      rest.push(`json=${pythonValue(body.value, 1)}`)
      break
    case 'form':
      rest.push(`data=${pythonValue(pairsOf(body.fields), 1)}`)
      break
    case 'multipart': {
      const isMap = areDistinct(body.fields.map(({ name }) => name))
      const parts = body.fields.map(({ name, value, isFile }) => {
        const content = isFile ? 'open("file", "rb")' : `(None, ${JSON.stringify(value)})`
        return isMap ? `        ${JSON.stringify(name)}: ${content},` : `        (${JSON.stringify(name)}, ${content}),`
      })
      const [open, close] = isMap ? ['{', '}'] : ['[', ']']
      rest.push(`files=${open}\n${parts.join('\n')}\n    ${close}`)
      break
    }
    case 'text':
      // Without `.encode()`, characters outside Latin-1 raise an error, and other non-ASCII ones are sent as wrong
      // bytes.
      rest.push(`data=${JSON.stringify(body.text)}${/^[\0-\x7f]*$/.test(body.text) ? '' : '.encode()'}`)
      break
    case 'file':
      rest.push('data=open("file", "rb")')
  }
  const call = rest.length === 1 ? rest[0]! : `\n    ${rest.join(',\n    ')},\n`
  const word = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'].includes(method.toLowerCase())
  const name = word ? `requests.${method.toLowerCase()}(` : `requests.request("${method}", `
  const reads = { json: 'response.json()', text: 'response.text', file: 'response.content' }
  const data = answered === 'nothing' ? '' : `\ndata = ${reads[answered]}`
  return `import requests\n\nresponse = ${name}${call})${data}`
}

/** Writes a JSON value in Python syntax. */
function pythonValue(value: Json, depth: number): string {
  const [inner, outer] = ['    '.repeat(depth + 1), '    '.repeat(depth)]
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const isArray = Array.isArray(value)
  const items = isArray
    ? value.map((each) => pythonValue(each as Json, depth + 1))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonValue(each, depth + 1)}`)
  const [open, close] = isArray ? ['[', ']'] : ['{', '}']
  return items.length === 0 ? `${open}${close}` : `${open}\n${inner}${items.join(`,\n${inner}`)},\n${outer}${close}`
}
