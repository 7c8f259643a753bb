import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Files = Record<string, string | Buffer>

/** A repository on a real Git server, and what a person with a clone of it does. */
export interface TestRepository {
  url: string
  /** The folder of the repository on the server, for changes that no client would make. */
  bare: string
  /** Commits these files on top of the branch, and pushes. null removes a file. */
  commit(files: Record<string, string | Buffer | null>, message?: string): Promise<string>
  move(from: string, to: string): Promise<string>
  /** All current files of the branch. */
  files(): Promise<Files>
  log(): Promise<string[]>
}

export interface TestGitServer {
  url: string
  /** The requests that were received, with their `Authorization` header. */
  requests: { path: string; authorization: string | undefined }[]
  repository(name: string, files?: Files, settings?: Record<string, string>): Promise<TestRepository>
  /** Answers every request below this path, instead of git. */
  answer(path: string, how: (request: IncomingMessage, response: ServerResponse) => void): void
}

/** As at repository hosts: accepts pushes, and allows partial fetches. */
const asHosted = { 'http.receivepack': 'true', 'uploadpack.allowFilter': 'true' }

/**
 * Starts a Git server over HTTP, as repository hosts run it. With `isOld`, it works as they did before 2018. With
 * `password`, it is only for clients that know the password.
 */
export async function startGitServer({
  password,
  isOld = false,
}: { password?: string; isOld?: boolean } = {}): Promise<TestGitServer> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-git-'))
  const requests: TestGitServer['requests'] = []
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const expected = password === undefined ? undefined : `Basic ${Buffer.from(`user:${password}`).toString('base64')}`
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    requests.push({ path: request.url ?? '', authorization })
    const own = [...answers].find(([path]) => request.url?.startsWith(path))
    if (own) return own[1](request, response)
    if (expected !== undefined && authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    if (isOld) delete request.headers['git-protocol']
    serveGit(folder, request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  after(async () => {
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests,
    answer: (path, how) => void answers.set(path, how),
    async repository(name, files, settings = {}) {
      const bare = join(folder, `${name}.git`)
      const all = Object.entries({ ...asHosted, ...settings }).flat()
      const set = 'while [ $# -gt 0 ]; do git -C "$0" config "$1" "$2"; shift 2; done'
      await sh(`git init -q --bare -b main "$0"; ${set}`, bare, ...all)
      const made = clone(bare, `${url}/${name}.git`)
      if (files) await made.commit(files, 'First')
      return made
    },
  }
}

function clone(bare: string, url: string): TestRepository {
  const work = `${bare}.work`
  const open = () => sh('rm -rf "$1"; git clone -q -b main "$0" "$1" || git clone -q "$0" "$1"', bare, work)
  const push = async (message: string) => {
    const commit = 'git add --all --force; git commit -q -m "$1"; git push -q origin HEAD:main; git rev-parse HEAD'
    return (await sh(`cd "$0"; ${commit}`, work, message)).toString().trim()
  }
  return {
    url,
    bare,
    async commit(files, message = 'Change') {
      await open()
      for (const [path, content] of Object.entries(files)) {
        const place = join(work, path)
        await mkdir(dirname(place), { recursive: true })
        if (content === null) await rm(place)
        else await writeFile(place, content)
      }
      return push(message)
    },
    async move(from, to) {
      await open()
      await mkdir(dirname(join(work, to)), { recursive: true })
      await sh('cd "$0"; git mv "$1" "$2"', work, from, to)
      return push(`Move ${from}`)
    },
    async files() {
      const names = (await sh('git -C "$0" ls-tree -r -z --name-only main', bare)).toString().split('\0').slice(0, -1)
      const ids = `git -C "$0" ls-tree -r main | awk '{print $3}'`
      return Object.fromEntries(inTurn(names, await sh(`${ids} | git -C "$0" cat-file --batch`, bare)))
    },
    log: async () => (await sh('git -C "$0" log --format="%an: %s" main', bare)).toString().trim().split('\n'),
  }
}

/**
 * Splits the output of git about many objects: for each, a line that ends with the size, then the bytes and a line
 * break.
 */
function* inTurn(names: string[], said: Buffer): Generator<[string, string]> {
  let at = 0
  for (const name of names) {
    const start = said.indexOf('\n', at) + 1
    const end = start + Number(said.toString('latin1', at, start).split(' ').at(-1))
    yield [name, said.toString('utf8', start, end)]
    at = end + 1
  }
}

/**
 * Runs a script as Jo. Several commands share one shell: starting each of them from this process, which uses much
 * memory, would take longer than they do.
 */
async function sh(script: string, ...args: string[]): Promise<Buffer> {
  const who = (role: string) => ({ [`GIT_${role}_NAME`]: 'Jo', [`GIT_${role}_EMAIL`]: 'jo@example.com' })
  const env = {
    ...process.env,
    ...who('AUTHOR'),
    ...who('COMMITTER'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  }
  const { stdout } = await run('sh', ['-ec', script, ...args], { env, encoding: 'buffer', maxBuffer: 64 * 1024 ** 2 })
  return stdout
}

/** Runs the program that comes with git for this, in the way web servers call it. */
function serveGit(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const header = (name: string) => String(request.headers[name] ?? '')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: header('content-type'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
    },
  })
  request.pipe(child.stdin)
  child.stdin.on('error', () => {})
  let head = Buffer.alloc(0)
  let isOpen = false
  child.stdout.on('data', (chunk: Buffer) => {
    if (isOpen) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const lines = head.subarray(0, end).toString().split('\r\n')
    const headers = lines.map((line) => line.split(/: (.*)/s) as [string, string])
    const status = headers.find(([name]) => name === 'Status')?.[1]
    response.writeHead(
      Number.parseInt(status ?? '200', 10),
      Object.fromEntries(headers.filter(([name]) => name !== 'Status')),
    )
    isOpen = true
    response.write(head.subarray(end + 4))
  })
  child.stdout.on('end', () => response.end())
}
