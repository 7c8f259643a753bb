import { invalid } from '../../http/errors.ts'
import { percentDecoded } from '../../percent.ts'

/** A repository that can be reached, with the credentials for it. */
export interface Remote {
  /** Without user and password. */
  url: string
  /** `user:password`, if any. */
  credentials: string | undefined
  /** `refs/heads/main`. */
  ref: string
  /** The folder of the project in the repository; empty for all of it. */
  projectDirectory: string
}

export interface GivenRemote {
  url: string
  ref: string
  repoProjectDirectory?: string
}

/**
 * Parses the location of a repository. What git would refuse later is refused right away, naming the field at fault.
 */
export function readRemote({ url, ref, repoProjectDirectory = '' }: GivenRemote): Remote {
  const read = URL.canParse(url) ? new URL(url) : undefined
  if (!read || !/^https?:$/.test(read.protocol) || read.hostname === '' || read.hash !== '' || read.search !== '') {
    throw invalid('body.url', 'format', 'must be an http or https address of a repository')
  }
  const { username, password } = read
  read.username = ''
  read.password = ''
  return {
    url: read.href,
    credentials: username === '' && password === '' ? undefined : `${decoded(username)}:${decoded(password)}`,
    ref: readRef(ref),
    projectDirectory: readDirectory(repoProjectDirectory),
  }
}

function decoded(part: string): string {
  const text = percentDecoded(part)
  // oxlint-disable-next-line no-control-regex
  if (text !== undefined && !/[\u0000-\u001f\u007f]/.test(text)) return text
  throw invalid('body.url', 'format', 'has a user or a password that is not properly encoded')
}

/** Accepts a branch by its full name or its short name. */
function readRef(ref: string): string {
  const name = ref.replace(/^refs\/heads\//, '')
  // oxlint-disable-next-line no-control-regex
  const isWrong = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|^[-./]|[./]$|\.lock(\/|$)|^@$/.test(name)
  if (name === '' || isWrong || name.startsWith('refs/')) {
    throw invalid('body.ref', 'format', 'must be a branch, such as refs/heads/main')
  }
  return `refs/heads/${name}`
}

function readDirectory(path: string): string {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.')
  // oxlint-disable-next-line no-control-regex
  if (steps.some((step) => step === '..' || /[\u0000-\u001f\u007f\\:]/.test(step))) {
    throw invalid('body.repoProjectDirectory', 'format', 'must be a folder of the repository')
  }
  return steps.join('/')
}

/** The name that people use for it: `owner/name`. */
export function repositoryName(url: string): string {
  const steps = new URL(url).pathname.split('/').filter(Boolean)
  return (
    steps
      .slice(-2)
      .join('/')
      .replace(/\.git$/, '') || new URL(url).hostname
  )
}
