// The baseline: node:http and one SELECT of the same size, through the same driver, and nothing else.
// node bench/bare.ts <connection as JSON> <bytes> [bytes]: with a final `bytes`, sends the same bytes without the
// SELECT.
import { createServer } from 'node:http'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'

const [connection, bytes, mode] = process.argv.slice(2)
const db = new Database(JSON.parse(connection!), readConfig({}).limits)
await db.run(sql`create table if not exists bare (id int primary key, body text not null)`)
await db.run(
  sql`insert into bare values (1, ${'x'.repeat(Number(bytes))}) on conflict (id) do update set body = excluded.body`,
)

const known = Buffer.alloc(Number(bytes), 'x')
const server = createServer(async (_request, response) => {
  if (mode === 'bytes') return void response.writeHead(200, { 'content-type': 'application/json' }).end(known)
  const row = await db.one(sql<{ body: string }>`select body from bare where id = ${1}`)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(row))
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port))
process.on('SIGTERM', () => process.exit(0))
