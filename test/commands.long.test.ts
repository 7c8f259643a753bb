import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, readFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import pg from 'pg'
import { startEmbedded } from '../src/db/embedded.ts'
import { cloneTemplate, emptyDatabase } from './database.ts'
import { lectern, start, startOnFullDisk, startServer, temporaryFolder } from './process.ts'
import { until } from './until.ts'

const database = await cloneTemplate()
const environment = { DATABASE_URL: database.url, LECTERN_DATA: await temporaryFolder(), LECTERN_ORG: 'Acme Docs' }
const server = await startServer(environment)
after(async () => {
  await server.stop()
  await database.drop()
})

const run = (...args: string[]) => lectern(args, environment)

const statusOf = async (secret: string, path = '/v1/user', method = 'GET', body?: object) => {
  const answer = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return answer.status
}

test('users create prints one JSON object with the person and a token that works at once', async () => {
  const { stdout, code } = await run(
    'users',
    'create',
    '--org',
    'acme-docs',
    '--email',
    'jo@acme.test',
    '--role',
    'edit',
    '--json',
  )
  assert.equal(code, 0)
  const { user, token } = JSON.parse(stdout) as { user: { email: string; object: string }; token: string }
  assert.deepEqual([user.object, user.email], ['user', 'jo@acme.test'])
  assert.match(token, /^lct_[\w-]{43}$/)
  assert.equal(await statusOf(token), 200)

  const again = await run('users', 'create', '--org', 'acme-docs', '--email', 'JO@acme.test', '--json')
  assert.equal(again.code, 1)
  assert.match(again.stderr, /already a member of "Acme Docs"/)
})

test('a sign-in code is printed for an existing account only, and signs in once', async () => {
  const email = 'kim@acme.test'
  await run('users', 'create', '--org', 'acme-docs', '--email', email, '--json')
  const { stdout, stderr, code } = await run('users', 'sign-in-code', '--email', email)
  assert.equal(code, 0)
  const [, digits] = /shown only once: (\d{8})\n/.exec(stdout)!
  assert.ok(!stderr.includes(digits!))

  const enter = async () => {
    const login = await fetch(`${server.url}/login/code?email=${encodeURIComponent(email)}`)
    const cookie = login.headers.getSetCookie()[0]!.split(';')[0]!
    const [, form] = /name="form" value="([^"]+)"/.exec(await login.text())!
    const { status } = await fetch(`${server.url}/login/code`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ form: form!, email, code: digits! }).toString(),
    })
    return status
  }
  assert.deepEqual([await enter(), await enter()], [303, 400])

  const unknown = await run('users', 'sign-in-code', '--email', 'nobody@acme.test')
  assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
})

test('a sign-in code is printed for an account whose identity provider is gone, and refused while it has one', async () => {
  const email = 'robin@acme.test'
  await run('users', 'create', '--org', 'acme-docs', '--email', email, '--json')
  const db = new pg.Client({ connectionString: database.url })
  await db.connect()
  const atHome = `id = (select id from users where email = '${email}')`
  await db.query(`update users set home_organization_id = (select organization_id from members m where m.user_id = users.id)
    where ${atHome}`)
  for (const args of [[], ['--org', 'acme-docs']]) {
    const { stdout } = await run('users', 'sign-in-code', '--email', email, ...args)
    assert.match(stdout, /shown only once: \d{8}\n/)
  }

  await db.query(`with provider as (insert into saml_providers (organization_id, id, label)
      select home_organization_id, gen_random_uuid(), 'Company' from users where ${atHome} returning organization_id, id)
    insert into saml_identities (organization_id, provider_id, name_id, user_id)
    select organization_id, provider.id, 'robin', users.id from provider, users where users.${atHome}`)
  await db.end()
  const { code, stdout, stderr } = await run('users', 'sign-in-code', '--email', email)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /robin@acme\.test signs in through single sign-on/)
})

test('printed links point to this machine if the server listens on all of its addresses', async () => {
  const email = 'lee@acme.test'
  await run('users', 'create', '--org', 'acme-docs', '--email', email, '--json')
  for (const [HOST, name] of [
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
  ] as const) {
    const { stdout } = await lectern(['users', 'sign-in-code', '--email', email], {
      ...environment,
      HOST,
      PORT: '4000',
    })
    assert.ok(stdout.includes(`at http://${name}:4000/login`), stdout)
  }
})

test("printed links point to the running server, even if the command is called without the server's settings", async () => {
  const email = 'max@acme.test'
  await run('users', 'create', '--org', 'acme-docs', '--email', email, '--json')
  const { stdout } = await run('users', 'sign-in-code', '--email', email)
  assert.ok(stdout.includes(`at ${server.url}/login/code?email=max%40acme.test\n`), stdout)

  // The settings in the environment of the command count.
  const elsewhere = { ...environment, LECTERN_URL: 'https://docs.acme.test' }
  const told = await lectern(['users', 'sign-in-code', '--email', email], elsewhere)
  assert.ok(told.stdout.includes('at https://docs.acme.test/login/code?'), told.stdout)
})

test('an instance administrator can create organizations until the right is revoked', async () => {
  const { stdout } = await run(
    'users',
    'create',
    '--org',
    'acme-docs',
    '--email',
    'boss@acme.test',
    '--role',
    'admin',
    '--json',
  )
  const { token } = JSON.parse(stdout) as { token: string }
  const create = (title: string) => statusOf(token, '/v1/orgs', 'POST', { title })

  assert.equal(await create('One more'), 403)
  await run('users', 'instance-admin', '--email', 'boss@acme.test', '--on')
  await outlive()
  assert.equal(await create('One more'), 201)
  await run('users', 'instance-admin', '--email', 'boss@acme.test', '--off')
  await outlive()
  assert.equal(await create('Another'), 403)
})

test('users are listed with their roles and state, either all of them or those of one organization', async () => {
  const [email, elsewhere] = ['lou@acme.test', 'ira@acme.test']
  await run('users', 'create', '--org', 'acme-docs', '--email', email, '--name', 'Lou', '--role', 'guest')
  await run('users', 'create', '--org', 'acme-docs', '--email', elsewhere, '--name', 'Ira', '--role', 'review')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('delete from members using users u where u.id = user_id and u.email = $1', [elsewhere])
  await client.end()
  await run('users', 'disable', '--email', elsewhere, '--on')

  const { stdout, code } = await run('users', 'list')
  assert.equal(code, 0)
  assert.match(stdout, /^admin@localhost {2}\S.* {2}acme-docs: admin {2}\(administrator of the instance\)$/m)
  assert.match(stdout, /^lou@acme\.test {2}Lou {2}acme-docs: guest$/m)
  assert.match(stdout, /^ira@acme\.test {2}Ira {2}nowhere {2}\(disabled\)$/m)

  const { items } = JSON.parse((await run('users', 'list', '--json')).stdout)
  assert.equal(items.length, stdout.trimEnd().split('\n').length)
  const lou = items.find((each: { email: string }) => each.email === email)
  assert.deepEqual([lou.displayName, lou.instanceAdmin, lou.disabled, lou.singleSignOn], ['Lou', false, false, false])
  assert.deepEqual(
    lou.organizations.map(({ hostname, role, disabled }: any) => [hostname, role, disabled]),
    [['acme-docs', null, false]],
  )

  const members = (await run('users', 'list', '--org', 'acme-docs')).stdout
  assert.match(members, /^lou@acme\.test /m)
  assert.doesNotMatch(members, /ira@acme/)
})

test('tokens are created, listed and revoked, and a disabled account has no working token and gets no new one', async () => {
  const email = 'ann@acme.test'
  await run('users', 'create', '--org', 'acme-docs', '--email', email, '--json')
  const made = JSON.parse(
    (await run('tokens', 'create', '--email', email, '--label', 'CI', '--scopes', 'user:read', '--days', '3', '--json'))
      .stdout,
  )
  assert.deepEqual([made.label, made.scopes], ['CI', ['user:read']])
  assert.equal(await statusOf(made.token), 200)

  const { items } = JSON.parse((await run('tokens', 'list', '--email', email, '--json')).stdout)
  assert.deepEqual(
    items.map((token: { label: string }) => token.label),
    ['CI', 'Command line'],
  )
  const lines = (await run('tokens', 'list', '--email', email)).stdout.split('\n')
  assert.match(lines[0]!, / CI {2}\(until \d{4}-\d\d-\d\d\)$/)
  assert.match(lines[1]!, /Command line$/)

  await run('users', 'disable', '--email', email, '--on')
  await outlive()
  assert.equal(await statusOf(made.token), 401)
  const late = await run('tokens', 'create', '--email', email)
  assert.deepEqual([late.code, late.stdout], [1, ''])
  assert.match(
    late.stderr,
    /ann@acme\.test is disabled\. "lectern users disable --email ann@acme\.test --off" enables it/,
  )
  await run('users', 'disable', '--email', email, '--off')
  await run('tokens', 'revoke', '--id', made.id)
  await outlive()
  assert.equal(await statusOf(made.token), 401)
})

test("an account created by an organization's own sign-in can be looked up and disabled by its e-mail address", async () => {
  const email = 'sam@acme.test'
  const { stdout } = await run('users', 'create', '--org', 'acme-docs', '--email', email, '--json')
  const secret = JSON.parse(stdout).token as string
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    'update users set home_organization_id = (select id from organizations limit 1) where email = $1',
    [email],
  )
  await client.end()
  assert.match((await run('tokens', 'list', '--email', email)).stdout, /  Command line$/m)
  assert.equal(await statusOf(secret), 200)
  await run('users', 'disable', '--email', 'Sam@acme.test', '--on')
  await outlive()
  assert.equal(await statusOf(secret), 401)
})

test('doctor reports no problem on a healthy installation', async () => {
  for (const more of [[], ['--files']]) {
    const { stdout, code } = await run('doctor', '--json', ...more)
    assert.equal(code, 0)
    assert.equal(JSON.parse(stdout).ok, true)
  }
})

test('a command called wrongly says what is wrong, without a stack, and exits with 1', async () => {
  const cases = [
    [['nonsense'], /There is no command "nonsense"/],
    [['constructor'], /There is no command "constructor"/],
    [['users'], /Specify what to do/],
    [['users', 'create', '--email', 'x@y.test'], /--org is needed/],
    [['users', 'create', '--org', 'nowhere', '--email', 'x@y.test'], /no organization "nowhere"/],
    [['users', 'create', '--org', 'acme-docs', '--email', 'nobody'], /not an e-mail address/],
    [['users', 'create', '--org', 'acme-docs', '--email', 'x@y.test', '--role', 'king'], /not a role/],
    [['users', 'list', '--org', 'nowhere'], /no organization "nowhere"/],
    [['tokens', 'revoke', '--id', 'x'], /no token x/],
    [['tokens', 'create', '--email', 'who@acme.test'], /There is no account with the address/],
    [['tokens', 'create', '--email', 'jo@acme.test', '--scopes', 'all'], /not a scope/],
    [
      ['backup', '--to', '/no/such/folder/b.zip'],
      /b\.zip cannot be written: there is no such file or folder \(ENOENT\)/,
    ],
    [['import', '--org', 'x', '--json', '/no/such/a.zip'], /\/no\/such\/a\.zip cannot be read/],
    [['doctor', '--deep'], /Unknown option '--deep'/],
    [['users', 'create', '--org', 'acme', '--email', 'x@y.test'], /There are: acme-docs \(Acme Docs\)/],
    [['export', '--org', 'acme', '--to', '/no/such/a.zip'], /There are: acme-docs \(Acme Docs\)/],
    [['export', '--space', 'x', '--to', '/no/such/a.zip'], /no space x\. .*\/s\/<id>/],
    [['import'], /a folder \(--space <id> --folder <path>\) or an archive \(<file\.zip>\)/],
    [['import', environment.LECTERN_DATA], /is a folder.* --folder /],
    [['export'], /--folder <path>.* --to <file\.zip>/],
  ] as const
  for (const [args, message] of cases) {
    const { code, stderr } = await run(...args)
    assert.equal(code, 1, args.join(' '))
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /\n\s+at /)
  }
})

test('a command on an empty data folder fails and creates nothing in it', async () => {
  for (const args of [
    ['users', 'sign-in-code', '--email', 'admin@localhost'],
    ['users', 'create', '--org', 'my-organization', '--email', 'x@y.test'],
    ['import', '--space', '01a1eb8e-1008-7319-97da-91e7f413faeb', '--folder', '.'],
  ]) {
    const folder = await temporaryFolder()
    const { code, stderr } = await lectern(args, { LECTERN_DATA: folder })
    assert.deepEqual([code, await readdir(folder)], [1, []], args.join(' '))
    assert.match(stderr, /^There is no installation in the data folder .*LECTERN_DATA/)
    // No secret is created either if there is a database: with it, a backup that is restored there would be one of
    // another installation.
    const beside = await lectern(args, { LECTERN_DATA: folder, DATABASE_URL: database.url })
    assert.deepEqual([beside.code, await readdir(folder)], [1, []], args.join(' '))
    assert.match(beside.stderr, /^There is no installation here: the data folder .* has no secret.*LECTERN_SECRET/)
  }
})

test('where the secret of a database is lost, starts and commands say how to put it back, and create no other', async () => {
  const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()]
  const environment = { LECTERN_DATA: folder }
  // A folder that was only prepared for the database is none.
  await mkdir(join(folder, 'postgres'), { mode: 0o700 })
  for (const LECTERN_DATA of [folder, elsewhere]) assert.equal((await lectern(['migrate'], { LECTERN_DATA })).code, 0)
  const backup = join(elsewhere, 'backup.zip')
  assert.equal((await lectern(['backup', '--to', backup], { LECTERN_DATA: elsewhere })).code, 0)
  const secret = await readFile(join(folder, 'secret'), 'utf8')
  await rm(join(folder, 'secret'))
  const before = await readdir(folder)
  const lost = /^The data folder .* has a database, but its secret is missing\. Set LECTERN_SECRET .*"secret" back/
  for (const args of [
    ['serve'],
    ['migrate'],
    ['doctor'],
    ['backup', '--to', join(folder, 'backup.zip')],
    ['restore', '--from', backup],
  ]) {
    const { code, stderr } = await lectern(args, environment)
    assert.deepEqual([code, await readdir(folder)], [1, before], args.join(' '))
    assert.match(stderr, lost)
  }
  assert.equal((await lectern(['migrate'], { ...environment, LECTERN_SECRET: secret.trim() })).code, 0)
})

test('a start on a full disk fails with one sentence and leaves no empty secret that would block the next start', async () => {
  const folder = join(await temporaryFolder(), 'data')
  const starting = startServer({ LECTERN_DATA: folder }, { by: startOnFullDisk })
  await assert.rejects(starting, /^Error: Lectern cannot use the data folder .*\n$/)
  assert.deepEqual(await readdir(folder), [])

  assert.equal((await lectern(['migrate'], { LECTERN_DATA: folder })).code, 0)
  const again = startServer({ LECTERN_DATA: folder }, { by: startOnFullDisk })
  await assert.rejects(again, /^Error: The database in .* could not be started: .*\n$/)
})

test('a command that finds the disk of the database full says so, without a stack', async () => {
  const full = await emptyDatabase()
  after(() => full.drop())
  const db = new pg.Client({ connectionString: full.url })
  await db.connect()
  await db.query(`create function refuse() returns event_trigger language plpgsql as $$ begin
    raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create event trigger refuse on ddl_command_end when tag in ('CREATE TABLE') execute function refuse()`)
  await db.end()
  const { code, stderr } = await lectern(['migrate'], { DATABASE_URL: full.url, LECTERN_DATA: await temporaryFolder() })
  const said = 'The disk of the database is full: could not extend file. Make room there, and try again.\n'
  assert.deepEqual([code, stderr], [1, said])
})

test('a command ends with code 141 and no error output when the reader of its output goes away', async () => {
  const child = start(['doctor'], environment)
  child.stdout!.destroy()
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  assert.deepEqual([stderr, code], ['', 141])
})

test('an interrupted command leaves neither a partial file nor a running database behind', async () => {
  const folder = await temporaryFolder()
  const own = { LECTERN_DATA: join(folder, 'data') }
  assert.equal((await lectern(['migrate'], own)).code, 0)
  const database = await startEmbedded({ dataFolder: own.LECTERN_DATA })
  const client = new pg.Client(database.connection)
  client.on('error', () => {})
  await client.connect()
  await client.query('begin; lock table entries in access exclusive mode')
  // Once the test leaves the database, only the command has it open.
  const child = start(['backup', '--to', join(folder, 'backup.zip')], own)
  const [stderr, exited] = [text(child.stderr!), once(child, 'exit')]
  await until('it is half-way', async () => (await readdir(folder)).some((name) => name.endsWith('.part')))
  await database.leave()
  child.kill('SIGINT')
  assert.deepEqual([await stderr, await exited], ['Stopped before it was finished.\n', [130, null]])
  assert.deepEqual(await readdir(folder), ['data'])
  assert.ok(!(await readdir(join(own.LECTERN_DATA, 'postgres'))).includes('postmaster.pid'))
})

test('help lists serve, migrate, users, tokens and doctor, and each of them and backup explains itself', async () => {
  const { stdout } = await run('help')
  for (const word of ['serve', 'migrate', 'users', 'tokens', 'doctor']) {
    assert.match(stdout, new RegExp(`^  ${word} `, 'm'))
    assert.match((await run(word, '--help')).stdout, new RegExp(`^lectern ${word}`))
  }
  assert.match((await run('help', 'backup')).stdout, /^lectern backup/)
})

test('a start before npm ci says that npm ci has to be run', async () => {
  const folder = await temporaryFolder()
  await cp(new URL('../bin', import.meta.url), join(folder, 'bin'), { recursive: true })
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'bin/lectern.js'), 'serve'], {
    encoding: 'utf8',
  })
  assert.deepEqual([status, stderr], [1, 'Run "npm ci" here first: it brings along what Lectern needs.\n'])
})

/** Changes made on the command line reach a running server within a tenth of a second. This waits a little longer. */
const outlive = () => new Promise((resolve) => setTimeout(resolve, 150))

test('compiled code is kept for the next start in a private folder, and not kept in a folder that others can write to', async () => {
  const folders = await Promise.all([temporaryFolder(), temporaryFolder()])
  const [fresh, shared] = folders.map((folder) => join(folder, `lectern-compiled-${process.getuid!()}`)) as [
    string,
    string,
  ]
  await mkdir(shared)
  await chmod(shared, 0o777)
  for (const TMPDIR of folders) {
    const { code } = await lectern(['--version'], { TMPDIR, NODE_COMPILE_CACHE: '' })
    assert.equal(code, 0)
  }
  assert.equal((await stat(fresh)).mode & 0o777, 0o700)
  assert.equal((await readdir(fresh)).length, 1)
  assert.deepEqual(await readdir(shared), [])
})
