import { mkdtemp, rm } from 'node:fs/promises'
import { type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/**
 * A proxy between a node and its database. While armed, it forwards commits but withholds the answers to them. While
 * mute, it forwards and answers nothing. While gone, it closes every connection as soon as something is sent.
 */
export async function aLossyWay(databaseUrl: string) {
  const { pathname, searchParams, hostname, port, username, password } = new URL(
    databaseUrl.replace('@/', '@localhost/'),
  )
  const socketFolder = searchParams.get('host')
  const target = socketFolder
    ? { path: join(socketFolder, `.s.PGSQL.${searchParams.get('port')}`) }
    : { host: hostname, port: Number(port || 5432) }
  const folder = await mkdtemp(join(tmpdir(), 'lectern-way-'))
  const way = { isArmed: false, isMute: false, isGone: false }
  const server = createServer((here) => {
    const there: Socket = connect(target)
    let isLast = false
    here.on('data', (bytes) => {
      if (way.isGone) return void here.destroy()
      if (way.isMute) return
      isLast ||= way.isArmed && bytes.includes('commit')
      there.write(bytes)
    })
    there.on('data', (bytes) => {
      if (!isLast) here.write(bytes)
      else if (bytes.includes('COMMIT')) here.destroy()
    })
    for (const [one, other] of [
      [here, there],
      [there, here],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((ready) => server.listen(join(folder, '.s.PGSQL.5432'), ready))
  after(async () => {
    server.close()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    way,
    url: `postgres://${username}${password && `:${password}`}@/${pathname.slice(1)}?host=${encodeURIComponent(folder)}&port=5432`,
  }
}
