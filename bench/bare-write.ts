// The minimal cost of a write over HTTP: a Fastify route that inserts and commits the text it receives as one row.
// node bench/bare-write.ts <connection as JSON>
import Fastify from 'fastify'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'
import { nobody, transaction } from '../src/db/transaction.ts'
import { newId } from '../src/ids.ts'

const db = new Database(JSON.parse(process.argv[2]!), readConfig({}).limits)
const organizationId = newId()
const app = Fastify()
app.post('/', async (request) => {
  const { row } = request.body as { row: string }
  const id = newId()
  await transaction(db, nobody, (tx) =>
    tx.run(sql`insert into documents (organization_id, hash, markdown) values (${organizationId}, ${id}, ${row})`),
  )
  return { id }
})
await app.listen({ port: 0, host: '127.0.0.1' })
console.log((app.server.address() as { port: number }).port)
process.on('SIGTERM', () => process.exit(0))
